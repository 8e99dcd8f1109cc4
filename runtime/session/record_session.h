// Functions shared by the commands that record a session.
#pragma once

#include <cstdint>
#include <string>

#include "content/input/file_source.h"
#include "content/model/scene.h"
#include "runtime/record/session_header.h"
#include "runtime/session/solver_settings.h"

namespace tenon::runtime {

/// The header of a session that starts now, recorded by this program.
SessionHeader makeSessionHeader(const content::Scene& scene, std::string text, content::FileBytes meshFiles,
                                const SolverSettings& solver, double rate, std::uint64_t seed, int threads);

/// The message about a finished record: "session recorded in s.tenon: 4000 steps, 1.2 MB".
std::string recordingSummary(const std::string& file, std::int64_t steps);

}  // namespace tenon::runtime
