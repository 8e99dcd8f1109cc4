// tenon replay: a recorded session in a window with a time line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/record/session_reader.h"

namespace tenon::runtime {

struct ReplayWindowOptions {
  double time = 0;                        ///< start time [s]
  bool play = false;                      ///< start playing
  bool resimulate = false;                ///< compare with a re-simulation
  std::optional<std::string> size;        ///< window size "WxH"
  std::int64_t frames = 0;                ///< take the screenshot after these; 0: never
  std::optional<std::string> screenshot;  ///< file
  bool quit = false;                      ///< exit after the frames
  std::optional<std::string> trace;       ///< file
  std::optional<std::string> outDir;      ///< folder for images saved with F12
};

/// Runs until the window is closed and returns the exit code; kBadInput if a displayed part of the file was
/// damaged. Throws content::InputError for bad input, xr::GraphicsUnavailable if no window can be shown.
int runReplay(const SessionReader& session, const ReplayWindowOptions& options);

}  // namespace tenon::runtime
