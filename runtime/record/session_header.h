// What a session starts from: with the commands of every tick, all that a re-simulation needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "content/input/file_source.h"
#include "content/reader/load_scene.h"
#include "runtime/record/program_identity.h"

namespace tenon::runtime {

struct SessionHeader {
  ProgramIdentity program;
  std::string started;                     ///< UTC, as in 2026-01-31T12:00:00Z
  std::string sceneFile;                   ///< as the user gave it
  std::string sceneText;                   ///< the whole file
  content::FileBytes meshFiles;            ///< that the scene was made of, with glTF's buffers
  content::ParameterValues parameters;     ///< of all of the scene's; filled in when recording
  std::string solver;                      ///< name
  std::vector<std::string> solverOptions;  ///< "NAME=VALUE"
  double rate = 0;                         ///< [Hz]
  std::uint64_t seed = 0;
  int threads = 1;         ///< for information: no bit depends on it
  int keyframeEvery = 10;  ///< states and contacts are kept of every so many ticks
};

}  // namespace tenon::runtime
