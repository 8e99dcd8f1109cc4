// Drops a file onto a window: a source of XDND.
#pragma once

#include <string>
#include <vector>

namespace tenon::tests {

/// Drops files on the window with this number (as xdotool gives it) of an X display. Throws
/// std::runtime_error where the display cannot be reached, or the window takes no drops within 20 s.
void dropFiles(const std::string& display, const std::string& window, const std::vector<std::string>& files);
inline void dropFile(const std::string& display, const std::string& window, const std::string& file) {
  dropFiles(display, window, {file});
}

}  // namespace tenon::tests
