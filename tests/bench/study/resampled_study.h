// Results files of any number of cases from those of a real study, and what reports of them cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tenon::bench {

/// Writes into the new file `out` a study of `count` cases whose rows are those of the real study `from`,
/// drawn again at random (the same for each call). Each number of a row is multiplied by 1 ± 1e-3 at random:
/// in a study of so many cases no two are equal, and equal ones would be sorted faster.
void resampleStudy(const std::string& from, const std::string& out, std::int64_t count);

struct Cost {
  double cpu = 0;         ///< user and system time [s]
  std::int64_t peak = 0;  ///< largest memory of the process, that of its start included [bytes]
  bool succeeded = false;
};

/// Runs `work` in a process of its own, a copy of this one. An exception is printed.
Cost costOf(const std::function<void()>& work);

/// Writes a report of a results file: `format` as in `tenon study report --format`.
void writeReport(const std::string& results, const std::string& format, const std::string& out);

}  // namespace tenon::bench
