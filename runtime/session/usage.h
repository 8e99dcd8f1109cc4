// Mistakes on the command line, in words that lead on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// What is wrong, what was probably meant, and whose --help to read. Words and options that do not exist come
/// first: what the parser misses is often only misspelt.
std::string usageProblem(const CLI::App& program, const CLI::ParseError& error);

/// "did you mean "baraff"? " where one of `names` is near, to be followed by what else may be done; or
/// nothing.
std::string didYouMean(std::string_view wrong, const std::vector<std::string>& names);

/// A check for one of `names`; a near miss is answered with the name that was probably meant.
CLI::Validator oneOf(const std::vector<std::string>& names);

}  // namespace tenon::runtime
