// A session as a movie, encoded by the program ffmpeg.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "content/model/scene.h"
#include "runtime/record/session_reader.h"
#include "runtime/session/scene_picture.h"

namespace tenon::runtime {

enum class MovieFormat {
  mp4,   ///< H.264
  webm,  ///< VP9
};

struct MovieOptions {
  MovieFormat format = MovieFormat::mp4;
  ImageSize size{1280, 720};  ///< even numbers
  double fps = 30;            ///< frames per second of the movie
  double speed = 1;           ///< session time per movie time [-]
  double from = 0;            ///< session time of the first frame [s]
  double to = 0;              ///< of the last [s]
  PictureOptions picture;
};

/// The ffmpeg that encodes movies, if it is installed.
std::optional<std::string> movieEncoder();

/// Throws content::MissingComponent if ffmpeg is not installed.
void requireMovieEncoder(MovieFormat format);

/// Number of frames of a movie.
std::int64_t frameCount(const MovieOptions& options);

/// Renders the frames and encodes them into `file`, which is overwritten and incomplete if this throws;
/// messages name it `shownAs`. The camera stands still and sees the shown parts in every keyframe; arrows of
/// forces have one scale. `progress`: called before each frame and while this waits, with the frame's number,
/// counted from 0; it may throw. Throws content::InputError if the movie cannot be written,
/// content::MissingComponent if ffmpeg fails otherwise, and xr::GraphicsUnavailable.
void writeMovie(const SessionReader& session, const std::shared_ptr<const content::Scene>& scene,
                const physics::World& world, const MovieOptions& options, const std::string& file,
                const std::string& shownAs, const std::function<void(std::int64_t)>& progress);

}  // namespace tenon::runtime
