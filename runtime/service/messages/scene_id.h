// The id of a scene: a hash of everything it is read from.
#pragma once

#include <map>
#include <string>

namespace tenon::service {

/// SHA-256 over name, text, and path and bytes of each file in the order of paths, each preceded by its
/// length in 8 bytes, the lowest first; 64 hexadecimal digits.
std::string sceneId(const std::string& name, const std::string& text,
                    const std::map<std::string, std::string>& files);

/// True for text of the form of an id: `digits` hexadecimal digits in lower case.
bool isId(const std::string& text, std::size_t digits);

}  // namespace tenon::service
