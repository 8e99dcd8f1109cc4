// See export_movie.h.
#include "runtime/commands/export_movie.h"

#include <fmt/format.h>

#include <memory>

#include "content/input/input_error.h"
#include "content/model/build_world.h"
#include "runtime/commands/export_tables.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/usage.h"

namespace tenon::runtime {

namespace {

constexpr double kMaxFps = 240, kMinSpeed = 1e-3, kMaxSpeed = 1000, kMaxTime = 86400 /* [s] */;

/// H.264 and VP9 store colors for blocks of 2 x 2 pixels.
ImageSize evenSize(const std::string& text) {
  const ImageSize size = parseImageSize(text);
  if (size.width % 2 != 0 || size.height % 2 != 0)
    throw content::InputError("--size", text, "is not a size of movies",
                              "name even numbers, such as 1280x720");
  return size;
}

}  // namespace

std::string MovieArguments::firstGiven() const {
  return size           ? "--size"
         : fps          ? "--fps"
         : speed        ? "--speed"
         : from         ? "--start"
         : to           ? "--end"
         : view         ? "--view"
         : section      ? "--section"
         : forces       ? "--forces"
         : xray.empty() ? ""
                        : "--xray";
}

void addMovieOptions(CLI::App& command, MovieArguments& arguments) {
  const MovieOptions defaults;
  command
      .add_option("--size", arguments.size,
                  fmt::format("mp4, webm: size in pixels, even numbers ({}x{})", defaults.size.width,
                              defaults.size.height))
      ->type_name("WxH");
  command
      .add_option("--fps", arguments.fps, fmt::format("mp4, webm: frames per second ({:g})", defaults.fps))
      ->type_name("N")
      ->check(finiteIn(1, kMaxFps));
  command
      .add_option("--speed", arguments.speed,
                  "mp4, webm: session time per movie time, 0.1 is slow motion (1)")
      ->type_name("X")
      ->check(finiteIn(kMinSpeed, kMaxSpeed));
  command.add_option("--start", arguments.from, "mp4, webm: session time of the first frame [s] (0)")
      ->type_name("S")
      ->check(finiteIn(0, kMaxTime));
  command.add_option("--end", arguments.to, "mp4, webm: session time of the last frame [s] (its end)")
      ->type_name("S")
      ->check(finiteIn(0, kMaxTime));
  command
      .add_option(
          "--view", arguments.view,
          fmt::format("mp4, webm: view direction: {}or the name of a part to look at (iso)", viewNameList()))
      ->type_name("NAME");
  command.add_flag("--forces", arguments.forces,
                   "mp4, webm: draw contact and hand forces as arrows, with one scale");
  command
      .add_option("--section", arguments.section,
                  "mp4, webm: section the parts perpendicular to an axis at an offset [mm]")
      ->type_name("AXIS=OFFSET");
  command.add_option("--xray", arguments.xray, "mp4, webm: make a part transparent; repeatable")
      ->type_name("PART")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

MovieOptions movieOptionsOf(const SessionReader& session, MovieFormat format,
                            const MovieArguments& arguments) {
  MovieOptions options;
  options.format = format;
  if (arguments.size) options.size = evenSize(*arguments.size);
  options.fps = arguments.fps.value_or(options.fps);
  options.speed = arguments.speed.value_or(options.speed);
  options.from = arguments.from.value_or(0);
  options.to = arguments.to.value_or(session.lastTime());
  if (options.from > session.lastTime())
    throw content::InputError("--start", fmt::format("{:g}", options.from), "is after the end of the session",
                              fmt::format("name a time up to {:.3f} s", session.lastTime()));
  options.to = std::min(options.to, session.lastTime());
  if (options.to < options.from)
    throw content::InputError("--end", fmt::format("{:g}", options.to), "is before --start",
                              "name a later time");
  options.picture.view = arguments.view.value_or(options.picture.view);
  options.picture.section = arguments.section;
  options.picture.xray = arguments.xray;
  options.picture.forces = arguments.forces;
  return options;
}

void exportMovie(const SessionReader& session, const std::string& out, const MovieOptions& options,
                 const InterruptGuard& interrupt) {
  AtomicFile file(out);
  requireMovieEncoder(options.format);
  const auto scene = std::make_shared<const content::Scene>(sceneOf(session.header()));
  if (session.bodies().size() != scene->parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  const physics::World world = content::buildWorld(*scene, {});
  ProgressLine progress;
  const std::int64_t count = frameCount(options);
  writeMovie(session, scene, world, options, file.temporary(), out, [&](std::int64_t frame) {
    throwIfInterrupted(interrupt);
    progress.show(fmt::format("Rendering the movie: frame {} of {}", frame + 1, count));
  });
  file.commit("");
}

}  // namespace tenon::runtime
