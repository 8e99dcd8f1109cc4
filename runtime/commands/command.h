// One function per command, which adds the command to the command line.
#pragma once

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Each adds its subcommand to `program`. The command runs while `program` parses and stores its result in
/// `exitCode`, which must outlive `program`. Throws content::InputError for bad input.
void addRunCommand(CLI::App& program, int& exitCode);
void addNewCommand(CLI::App& program, int& exitCode);
void addCheckCommand(CLI::App& program, int& exitCode);
void addReplayCommand(CLI::App& program, int& exitCode);
void addExportCommand(CLI::App& program, int& exitCode);
void addRenderCommand(CLI::App& program, int& exitCode);
void addPreviewCommand(CLI::App& program, int& exitCode);
void addVrCommand(CLI::App& program, int& exitCode);
void addPartsCommand(CLI::App& program, int& exitCode);
void addSolveCommand(CLI::App& program, int& exitCode);
void addPlanCommand(CLI::App& program, int& exitCode);
void addSweepCommand(CLI::App& program, int& exitCode);
void addStudyCommand(CLI::App& program, int& exitCode);
void addServeCommand(CLI::App& program, int& exitCode);
void addDoctorCommand(CLI::App& program, int& exitCode);
void addManualCommand(CLI::App& program, int& exitCode);

}  // namespace tenon::runtime
