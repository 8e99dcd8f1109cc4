// Parts of tenon export: the tables of a session as CSV and JSON, and what all formats share.
#pragma once

#include <functional>
#include <string>

#include "content/model/scene.h"
#include "runtime/record/read_operations.h"
#include "runtime/record/session_reader.h"
#include "runtime/session/interrupt.h"

namespace tenon::runtime {

/// Thrown after Ctrl-C; the partial output is removed.
struct ExportInterrupted {};

/// Called regularly during long work.
void throwIfInterrupted(const InterruptGuard& interrupt);

/// Reads the whole session with a progress line and returns its results; calls `onKeyframe` for each
/// keyframe.
SessionResults readResults(SessionReader& session, const content::Scene& scene, const physics::World& world,
                           const InterruptGuard& interrupt,
                           const std::function<void(const Keyframe&)>& onKeyframe);

/// Writes a folder with one file per table; it is created atomically.
void exportCsv(const SessionReader& session, const std::string& out, const InterruptGuard& interrupt);

/// The same tables in one object.
void exportJson(const SessionReader& session, const std::string& out, const InterruptGuard& interrupt);

}  // namespace tenon::runtime
