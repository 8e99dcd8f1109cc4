// From a scene file to a checked Scene. The only place where a file's mistakes are found.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "content/scene/scene.h"

namespace tenon::content {

/// Bad data from outside. The message is one line and names file, place and remedy.
class InputError : public std::runtime_error {
 public:
  /// `place` is a JSON pointer ("/parts/2/mass"), or empty where the whole file is meant.
  InputError(const std::string& file, const std::string& place, const std::string& problem,
             const std::string& remedy);
};

/// Values for a scene's parameters, by name.
using ParameterValues = std::map<std::string, double>;

/// Reads and checks a scene file (format: content/schema/scene.schema.json). Throws InputError.
Scene loadScene(const std::string& file, const ParameterValues& values = {});

/// The same for text already in memory; `file` only names it in messages.
Scene parseScene(const std::string& text, const std::string& file, const ParameterValues& values = {});

}  // namespace tenon::content
