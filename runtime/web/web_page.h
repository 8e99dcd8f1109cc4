// The viewer as one HTML file, with its session inside.
#pragma once

#include <string>

namespace tenon::runtime {

/// A page that needs no other file and no network: style, scripts, three.js and `document`, the bytes of a
/// SessionDocument. `title`: of the window, any text.
std::string webPage(const std::string& title, const std::string& document);

}  // namespace tenon::runtime
