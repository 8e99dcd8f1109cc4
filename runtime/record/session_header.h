// Initial data of a session; with the commands of every tick, all that a re-simulation needs.
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
  content::FileBytes meshFiles;            ///< of the scene, including glTF buffers
  content::ParameterValues parameters;     ///< all parameters of the scene; filled in when recording
  std::string solver;                      ///< name
  std::vector<std::string> solverOptions;  ///< "NAME=VALUE"
  double rate = 0;                         ///< [Hz]
  std::uint64_t seed = 0;
  int threads = 1;         ///< for information: results do not depend on it
  int keyframeEvery = 10;  ///< interval of recorded states and contacts [ticks]
};

}  // namespace tenon::runtime
