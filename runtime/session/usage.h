// Messages about command line errors, with suggestions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// The problem, a suggestion, and the --help to read. Unknown words and options are reported first, because a
/// missing option is often only misspelled.
std::string usageProblem(const CLI::App& program, const CLI::ParseError& error);

/// "did you mean "baraff"? " if one of `names` is similar, otherwise "".
std::string didYouMean(std::string_view wrong, const std::vector<std::string>& names);

/// Validator for one of `names`; suggests the most similar one.
CLI::Validator oneOf(const std::vector<std::string>& names);

}  // namespace tenon::runtime
