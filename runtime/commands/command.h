// What every command is: a function that adds itself to the command line.
#pragma once

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Each adds its subcommand to `program`; when that is called it runs during parsing and leaves its
/// result in `exitCode`, which must outlive `program`. Bad input escapes as content::InputError.
void addRunCommand(CLI::App& program, int& exitCode);
void addCheckCommand(CLI::App& program, int& exitCode);
void addReplayCommand(CLI::App& program, int& exitCode);
void addExportCommand(CLI::App& program, int& exitCode);
void addRenderCommand(CLI::App& program, int& exitCode);
void addPreviewCommand(CLI::App& program, int& exitCode);
void addVrCommand(CLI::App& program, int& exitCode);
void addPartsCommand(CLI::App& program, int& exitCode);
void addSolveCommand(CLI::App& program, int& exitCode);
void addDoctorCommand(CLI::App& program, int& exitCode);
void addManualCommand(CLI::App& program, int& exitCode);

}  // namespace tenon::runtime
