// See movie.h.
#include "runtime/export/movie.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "content/input/input_error.h"
#include "content/step/read_step.h"
#include "runtime/export/child_process.h"
#include "runtime/record/recorded_goals.h"
#include "runtime/record/session_frames.h"
#include "xr/appearance/compose.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

namespace {

using physics::Pose;

/// Half as many lights as for a single image: in software, frames are twice as fast.
constexpr xr::SkyLightCounts kMovieLights{10, 38};
constexpr std::chrono::milliseconds kEncoderPoll{10};
constexpr std::chrono::seconds kEncoderEnd{10};  ///< for the last messages of an encoder that reads no more
/// The camera must see a part again once it has moved by this much since it was last seen.
constexpr double kViewStep = 1e-4 /* [m] */, kViewTurn = 1e-3 /* [rad] */;

std::string purposeOf(MovieFormat format) {
  return format == MovieFormat::mp4 ? "--format mp4" : "--format webm";
}

std::string encoderProgram(MovieFormat format) {
  if (auto program = movieEncoder()) return *program;
  throw content::MissingComponent(
      purposeOf(format) + " needs ffmpeg to encode the movie: install the package ffmpeg, or export web");
}

std::vector<std::string> encoderArguments(const MovieOptions& options, const std::string& file) {
  std::vector<std::string> arguments{"-hide_banner",
                                     "-nostdin",
                                     "-xerror",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pixel_format",
                                     "rgba",
                                     "-video_size",
                                     fmt::format("{}x{}", options.size.width, options.size.height),
                                     "-framerate",
                                     fmt::format("{}", options.fps),
                                     "-i",
                                     "pipe:0",
                                     "-an",
                                     "-vf",
                                     "scale=out_color_matrix=bt709:out_range=tv",
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-colorspace",
                                     "bt709",
                                     "-color_primaries",
                                     "bt709",
                                     "-color_trc",
                                     "bt709",
                                     "-color_range",
                                     "tv"};
  const std::vector<std::string> mp4{"-c:v",   "libx264",   "-crf",       "20", "-preset",
                                     "medium", "-movflags", "+faststart", "-f", "mp4"};
  const std::vector<std::string> webm{"-c:v", "libvpx-vp9", "-crf", "32",      "-b:v", "0",  "-deadline",
                                      "good", "-cpu-used",  "4",    "-row-mt", "1",    "-f", "webm"};
  const auto& codec = options.format == MovieFormat::mp4 ? mp4 : webm;
  arguments.insert(arguments.end(), codec.begin(), codec.end());
  arguments.push_back("file:" + file);
  return arguments;
}

/// Both ends of a stream to the encoder; a socket, since writing to a pipe without a reader would end this
/// process.
class FrameStream {
 public:
  FrameStream() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0)
      throw content::MissingComponent(fmt::format("no stream to ffmpeg ({})", std::strerror(errno)));
  }
  ~FrameStream() {
    closeReading();
    closeWriting();
  }
  FrameStream(const FrameStream&) = delete;
  FrameStream& operator=(const FrameStream&) = delete;

  int reading() const { return ends_[0]; }
  void closeReading() { close(ends_[0]); }
  void closeWriting() { close(ends_[1]); }
  /// False if the encoder has ended. `wait`: called while it reads nothing; it may throw.
  bool write(const std::vector<std::uint8_t>& bytes, const std::function<void()>& wait) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count =
          send(ends_[1], bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count > 0) {
        done += static_cast<std::size_t>(count);
      } else if (count < 0 && errno == EAGAIN) {
        wait();
        pollfd room{ends_[1], POLLOUT, 0};
        poll(&room, 1, static_cast<int>(kEncoderPoll.count()));
      } else if (count == 0 || errno != EINTR) {
        return false;
      }
    }
    return true;
  }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

/// The encoder: takes frames, and reports why it stopped.
class Encoder {
 public:
  /// `wait`: called while this waits for the encoder; it may throw, which ends the encoder.
  Encoder(const MovieOptions& options, const std::string& file, std::string shownAs,
          std::function<void()> wait)
      : purpose_(purposeOf(options.format)),
        shownAs_(std::move(shownAs)),
        wait_(std::move(wait)),
        folder_(purpose_),
        messages_(folder_ / "messages"),
        process_(purpose_, encoderProgram(options.format), encoderArguments(options, file), "",
                 {stream_.reading(), messages_}) {
    stream_.closeReading();
  }

  void add(const xr::Image& frame) {
    if (!stream_.write(frame.rgba, wait_)) fail();
  }
  void finish() {
    stream_.closeWriting();
    while (!process_.status()) {
      wait_();
      std::this_thread::sleep_for(kEncoderPoll);
    }
    // An error while the file is closed, such as a full disk, is a message alone; other messages are
    // warnings.
    if (*process_.status() != 0 || fileError(messages()) != nullptr) fail();
  }

 private:
  /// Of the encoder: errors alone.
  std::string messages() const {
    std::ifstream in(messages_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// The error of the file system in the messages of the encoder; nullptr: none.
  static const char* fileError(const std::string& messages) {
    for (const int error : {ENOSPC, EFBIG, EDQUOT, EIO})
      if (const char* const reason = std::strerror(error); messages.find(reason) != std::string::npos)
        return reason;
    return nullptr;
  }
  [[noreturn]] void fail() {
    stream_.closeWriting();
    const auto end = std::chrono::steady_clock::now() + kEncoderEnd;
    while (!process_.status() && std::chrono::steady_clock::now() < end) {
      wait_();
      std::this_thread::sleep_for(kEncoderPoll);
    }
    const std::string all = messages();
    if (const char* const reason = fileError(all))
      throw content::InputError(shownAs_, "", fmt::format("cannot be written ({})", reason),
                                "name a file in an existing writable folder with free space");
    throw content::MissingComponent(
        fmt::format("{}: ffmpeg failed: {}", purpose_,
                    all.empty() ? "without a message" : all.substr(0, all.find('\n'))));
  }

  std::string purpose_, shownAs_;
  std::function<void()> wait_;
  TemporaryFolder folder_;
  std::string messages_;
  FrameStream stream_;
  ChildProcess process_;
};

/// Poses of the parts between two keyframes.
class MovieFrames {
 public:
  MovieFrames(const SessionReader& session, const content::Scene& scene, const physics::World& world)
      : events_(session.events()),
        frames_(session),
        goals_(session, scene, events_, frames_),
        world_(world) {}

  /// Calls visit(poses of the parts, step) for every keyframe that frames between these times show.
  template <class Visitor>
  void forEachKeyframe(double from, double to, const Visitor& visit) {
    const std::int64_t last = frames_.keyframeUpTo(frames_.tickAt(to)) + frames_.keyframeEvery();
    for (std::int64_t tick = frames_.keyframeUpTo(frames_.tickAt(from));
         tick <= std::min(last, frames_.lastKeyframe()); tick += frames_.keyframeEvery()) {
      read(tick, before_, beforeTick_);
      poses_.clear();
      for (std::size_t k = 0; k < world_.bodyCount(); ++k)
        poses_.push_back(world_.partPose({static_cast<int>(k)}, before_.world.bodies[k]));
      visit(std::as_const(poses_), std::as_const(before_.world));
    }
  }
  /// The keyframe up to a time.
  const physics::StepResult& step() const { return before_.world; }
  const std::vector<Pose>& posesAt(double time) {
    const std::int64_t tick = frames_.keyframeUpTo(frames_.tickAt(time));
    read(tick, before_, beforeTick_);
    const std::int64_t next = std::min(tick + frames_.keyframeEvery(), frames_.lastKeyframe());
    read(next, after_, afterTick_);
    const double span = after_.time - before_.time;
    const double t = span > 0 ? std::clamp((time - before_.time) / span, 0.0, 1.0) : 0;
    poses_.clear();
    for (std::size_t k = 0; k < world_.bodyCount(); ++k) {
      const physics::BodyId id{static_cast<int>(k)};
      const Pose from = world_.partPose(id, before_.world.bodies[k]),
                 to = world_.partPose(id, after_.world.bodies[k]);
      poses_.push_back({from.q.slerp(t, to.q), from.p + t * (to.p - from.p)});
    }
    return poses_;
  }

 private:
  void read(std::int64_t tick, RecordedFrame& frame, std::int64_t& held) {
    if (held == tick) return;
    if (&frame == &before_ && afterTick_ == tick) {
      frame = after_;
    } else {
      frames_.read(tick, frame);
      goals_.restoreGrasps(frame);
    }
    held = tick;
  }

  std::vector<SessionEvent> events_;
  SessionFrames frames_;
  RecordedGoals goals_;
  const physics::World& world_;
  RecordedFrame before_, after_;
  std::int64_t beforeTick_ = -1, afterTick_ = -1;
  std::vector<Pose> poses_;
};

double timeOf(const MovieOptions& options, std::int64_t frame) {
  return std::min(options.from + static_cast<double>(frame) * options.speed / options.fps, options.to);
}

bool isInSameView(const Pose& a, const Pose& b) {
  return (a.p - b.p).norm() < kViewStep && a.q.angularDistance(b.q) < kViewTurn;
}

/// What stays the same in all frames.
struct MovieView {
  xr::View view;
  std::optional<xr::ForceScale> scale;  ///< of the largest force
};

/// Sees the shown parts, and arrows of forces, in every keyframe. `wait`: called for each keyframe.
MovieView fixedView(const ScenePicture& picture, const content::Scene& scene, MovieFrames& frames,
                    const MovieOptions& options, const std::function<void()>& wait) {
  MovieView fixed;
  std::vector<physics::Vector3d> points;
  std::vector<Pose> seen;
  std::vector<xr::DrawnForce> forces;
  double largest = 0;
  frames.forEachKeyframe(options.from, options.to,
                         [&](const std::vector<Pose>& poses, const physics::StepResult& step) {
                           wait();
                           const bool isFirst = seen.empty();
                           if (isFirst) seen = poses;
                           for (std::size_t k = 0; k < poses.size(); ++k) {
                             if (!isFirst && isInSameView(seen[k], poses[k])) continue;
                             seen[k] = poses[k];
                             picture.addCorners(k, poses[k], points);
                           }
                           if (!options.picture.forces) return;
                           for (const xr::DrawnForce& force : xr::drawnForces(scene, step)) {
                             largest = std::max(largest, force.newtons.norm());
                             forces.push_back(force);
                           }
                         });
  if (options.picture.forces) {
    fixed.scale = xr::forceScaleFor(largest, picture.radiusAt(seen));
    if (!picture.part())
      for (const xr::DrawnForce& force : forces)
        points.push_back(force.at + force.newtons * (fixed.scale->length / fixed.scale->newtons));
  }
  fixed.view = picture.viewOf(points, options.size);
  return fixed;
}

}  // namespace

std::optional<std::string> movieEncoder() {
  constexpr std::array<const char*, 1> kNames{"ffmpeg"};
  return programInPath(kNames);
}

void requireMovieEncoder(MovieFormat format) {
  static_cast<void>(encoderProgram(format));
}

std::int64_t frameCount(const MovieOptions& options) {
  return static_cast<std::int64_t>(
             std::floor((options.to - options.from) / options.speed * options.fps + 1e-6)) +
         1;
}

void writeMovie(const SessionReader& session, const std::shared_ptr<const content::Scene>& scene,
                const physics::World& world, const MovieOptions& options, const std::string& file,
                const std::string& shownAs, const std::function<void(std::int64_t)>& progress) {
  const ScenePicture picture(scene, options.picture);
  MovieFrames frames(session, *scene, world);
  std::int64_t frame = 0;
  const auto wait = [&] { progress(frame); };
  const MovieView fixed = fixedView(picture, *scene, frames, options, wait);
  xr::Offscreen display(options.size.width, options.size.height, kMovieLights);
  Encoder encoder(options, file, shownAs, wait);
  for (const std::int64_t count = frameCount(options); frame < count; ++frame) {
    progress(frame);
    const std::vector<Pose>& poses = frames.posesAt(timeOf(options, frame));
    encoder.add(display.draw({&fixed.view, 1}, picture.renderScene(poses, frames.step(), fixed.scale)));
  }
  --frame;
  encoder.finish();
}

}  // namespace tenon::runtime
