// Forward declarations of CLI11, which is slow to compile; only source files that call it include it.
#pragma once

namespace CLI {
class App;
class Option;
class ParseError;
class Validator;
}  // namespace CLI
