// By the start time in /proc/self/stat: proc(5).
#include "runtime/vr/process_age.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace tenon::runtime {

double processAge() {
  std::ifstream in("/proc/self/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t nameEnd = text.rfind(')');  // the name of the program may contain blanks and brackets
  timespec now{};
  if (nameEnd == std::string::npos || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  constexpr int kFieldsBetween = 19;  // of the name, field 2, and the start time, field 22
  std::istringstream fields(text.substr(nameEnd + 1));
  std::string skipped;
  for (int k = 0; k < kFieldsBetween; ++k) fields >> skipped;
  double start_ticks = 0;
  if (!(fields >> start_ticks)) return 0;
  const double start = start_ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  return std::max(static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - start, 0.0);
}

}  // namespace tenon::runtime
