// What commands that record a session have in common.
#pragma once

#include <string>

#include "content/scene/file_source.h"
#include "content/scene/scene.h"
#include "runtime/commands/solver_settings.h"
#include "runtime/record/session_header.h"

namespace tenon::runtime {

/// Of a session that begins now, by this program.
SessionHeader headerOf(const content::Scene& scene, std::string text, content::FileBytes meshFiles,
                       const SolverSettings& solver, double rate, std::uint64_t seed, int threads);

/// Says on stderr that a recording ends early; a progress line may be there.
void tellOfRecord(const std::string& message);

/// Throws content::InputError where `file` is what the scene was read from.
void refuseIfRead(const std::string& file, const content::Scene& scene, const content::FileBytes& meshFiles);

}  // namespace tenon::runtime
