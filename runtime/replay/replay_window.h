// A recorded session in a window: the time line and what goes on at a moment of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/record/session_reader.h"

namespace tenon::runtime {

struct ReplayWindowOptions {
  double time = 0;                        ///< to begin with [s]
  bool play = false;                      ///< it goes on at once
  bool resimulate = false;                ///< with the re-simulation beside it
  std::optional<std::string> size;        ///< of the window, "WxH"
  std::int64_t frames = 0;                ///< then the screenshot is taken; 0: at no time
  std::optional<std::string> screenshot;  ///< file
  bool quit = false;                      ///< after that
  std::optional<std::string> trace;       ///< file
  std::optional<std::string> outDir;      ///< where pictures of F12 go
};

/// Runs until the window is closed. Returns the program's exit code: kBadInput where the file turned out to
/// be damaged at a moment that was looked at. Throws content::InputError for bad input,
/// xr::GraphicsUnavailable where the machine cannot show a window.
int runReplay(const SessionReader& session, const ReplayWindowOptions& options);

}  // namespace tenon::runtime
