// Session files in tests: made by the program, damaged by SQL.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/record/command_row.h"
#include "runtime/record/contact_table.h"
#include "runtime/record/hash_chain.h"
#include "runtime/record/session_reader.h"
#include "tests/support/program_run.h"

namespace tenon::tests {

/// Records `seconds` of a shipped scene to `file`.
inline void record(const std::string& scene, const std::string& seconds, const std::string& file) {
  const Outcome outcome = runTenon({"run", scenePath(scene), "--duration", seconds, "--record", file});
  ASSERT_TRUE(outcome.exitCode == 0 || outcome.exitCode == 1) << outcome.err;
  ASSERT_TRUE(outcome.err.starts_with("tenon: session recorded in ")) << outcome.err;
}

inline void change(const std::string& file, const std::string& sql) {
  SQLite::Database database(file, SQLite::OPEN_READWRITE);
  database.exec(sql);
}

/// Gives a file of format 6 the tables of format 5: all contacts and commands as rows.
inline void makeFormat5(const std::string& file) {
  {
    SQLite::Database database(file, SQLite::OPEN_READWRITE);
    runtime::addContactTable(database);
    database.exec(
        "CREATE TABLE rows (tick INTEGER NOT NULL, seq INTEGER NOT NULL, body_i INTEGER NOT NULL, "
        "body_j INTEGER NOT NULL, px_m REAL NOT NULL, py_m REAL NOT NULL, pz_m REAL NOT NULL, nx REAL NOT "
        "NULL, "
        "ny REAL NOT NULL, nz REAL NOT NULL, distance_m REAL NOT NULL, force_n REAL NOT NULL, "
        "friction_x_n REAL NOT NULL, friction_y_n REAL NOT NULL, friction_z_n REAL NOT NULL, mu REAL NOT "
        "NULL, "
        "feature INTEGER NOT NULL, PRIMARY KEY (tick, seq)) WITHOUT ROWID; "
        "INSERT INTO rows SELECT * FROM contact; DROP TABLE contact_frame; "
        "WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < (SELECT max(tick) FROM "
        "tick)) "
        "INSERT INTO command SELECT k, seq, kind, hand, body, px_m, py_m, pz_m, qw, qx, qy, qz, to_tick, "
        "solver, "
        "rate_hz, NULL FROM command JOIN n ON k > tick AND k <= last_tick; "
        "ALTER TABLE command DROP COLUMN last_tick; PRAGMA user_version = 5");
  }
  change(file, "ALTER TABLE rows RENAME TO contact");
}

/// Gives the ticks new hashes in the chain, as they now stand: what no accident does.
inline void mendChain(const std::string& file) {
  runtime::SessionHeader header;
  {
    const runtime::SessionReader session(file);
    header = session.header();
  }
  SQLite::Database database(file, SQLite::OPEN_READWRITE);
  std::uint64_t chain = runtime::chainStart(header);
  SQLite::Statement ticks(database, "SELECT tick, state_hash FROM tick ORDER BY tick");
  SQLite::Statement rows(database,
                         "SELECT kind, ifnull(hand, -1), ifnull(body, -1), px_m, py_m, pz_m, qw, qx, qy, qz "
                         "FROM command WHERE ? BETWEEN tick AND ifnull(last_tick, tick) ORDER BY seq");
  std::vector<std::pair<std::int64_t, std::uint64_t>> mended;
  while (ticks.executeStep()) {
    const std::int64_t tick = ticks.getColumn(0).getInt64();
    std::vector<physics::Command> commands;
    rows.reset();
    rows.bind(1, tick);
    while (rows.executeStep()) {
      const std::string kind = rows.getColumn(0).getString();
      runtime::CommandRow row{kind, rows.getColumn(1).getInt(), rows.getColumn(2).getInt(), {}, {}, {}, 0};
      const auto at = [&](int k) { return rows.getColumn(k).getDouble(); };
      if (!rows.isColumnNull(3))
        row.X = physics::Pose{physics::Quaterniond(at(6), at(7), at(8), at(9)), {at(3), at(4), at(5)}};
      commands.push_back(runtime::commandOf(row).value());
    }
    chain = runtime::chainNext(chain, commands, static_cast<std::uint64_t>(ticks.getColumn(1).getInt64()));
    mended.emplace_back(tick, chain);
  }
  database.exec("BEGIN");
  SQLite::Statement update(database, "UPDATE tick SET chain = ? WHERE tick = ?");
  for (const auto& [tick, link] : mended) {
    update.bind(1, static_cast<std::int64_t>(link));
    update.bind(2, tick);
    update.exec();
    update.reset();
  }
  database.exec("COMMIT");
}

}  // namespace tenon::tests
