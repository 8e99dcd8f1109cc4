// Session files in tests: made by the program, damaged by SQL.
#pragma once

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/program_run.h"

namespace tenon::tests {

/// Records `seconds` of a shipped scene to `file`.
inline void record(const std::string& scene, const std::string& seconds, const std::string& file) {
  const Outcome outcome = runTenon({"run", scenePath(scene), "--duration", seconds, "--record", file});
  ASSERT_TRUE(outcome.exitCode == 0 || outcome.exitCode == 1) << outcome.err;
  ASSERT_EQ(outcome.err, "");
}

inline void change(const std::string& file, const std::string& sql) {
  SQLite::Database database(file, SQLite::OPEN_READWRITE);
  database.exec(sql);
}

}  // namespace tenon::tests
