// The part of tenon export that makes movies: its options, and the export itself.
#pragma once

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

#include "runtime/export/movie.h"
#include "runtime/record/session_reader.h"
#include "runtime/session/interrupt.h"

namespace tenon::runtime {

/// Options of the command line; empty if not given.
struct MovieArguments {
  std::optional<std::string> size, view, section;
  std::optional<double> fps, speed, from, to;
  std::vector<std::string> xray;
  bool forces = false;

  /// The first option that was given: "--size", or "".
  std::string firstGiven() const;
};

void addMovieOptions(CLI::App& command, MovieArguments& arguments);

/// The checked options. Throws content::InputError.
MovieOptions movieOptionsOf(const SessionReader& session, MovieFormat format,
                            const MovieArguments& arguments);

void exportMovie(const SessionReader& session, const std::string& out, const MovieOptions& options,
                 const InterruptGuard& interrupt);

}  // namespace tenon::runtime
