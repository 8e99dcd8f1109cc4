// The exception for bad data from outside: files, flags, network.
#pragma once

#include <stdexcept>
#include <string>

namespace tenon::content {

/// Bad data from outside. The message is one line: "file: place: problem; remedy".
class InputError : public std::runtime_error {
 public:
  /// `place` is a JSON pointer ("/parts/2/mass"), a line or a byte; empty for an error of the whole file.
  InputError(const std::string& file, const std::string& place, const std::string& problem,
             const std::string& remedy);
};

}  // namespace tenon::content
