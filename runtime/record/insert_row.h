// Rows of the tables of a session, bound column by column.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "physics/world.h"

namespace tenon::runtime {

/// One row of a prepared INSERT, filled in from left to right.
class InsertRow {
 public:
  explicit InsertRow(SQLite::Statement& statement) : statement_(statement) {}
  InsertRow& add(double value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  InsertRow& add(int value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  InsertRow& add(std::int64_t value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  InsertRow& add(const std::string& value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  /// A BLOB, not copied: `bytes` must stay valid until write().
  InsertRow& addBytes(const std::string& bytes) {
    return bound([&](int k) { statement_.bindNoCopy(k, bytes.data(), static_cast<int>(bytes.size())); });
  }
  InsertRow& add(std::string_view value) { return add(std::string(value)); }
  InsertRow& add(const physics::Vector3d& v) { return add(v.x()).add(v.y()).add(v.z()); }
  InsertRow& add(const physics::Pose& X) {
    return add(X.p).add(X.q.w()).add(X.q.x()).add(X.q.y()).add(X.q.z());
  }
  InsertRow& null(int columns = 1) {
    for (; columns > 0; --columns) bound([&](int k) { statement_.bind(k); });
    return *this;
  }
  /// NULL for −1.
  InsertRow& addIndex(int value) { return value < 0 ? null() : add(value); }
  /// NULL unless `given`.
  template <class Value>
  InsertRow& addIf(bool given, const Value& value) {
    return given ? add(value) : null();
  }
  InsertRow& add(const std::optional<physics::Pose>& X) { return X ? add(*X) : null(7); }
  void write() {
    statement_.exec();
    statement_.reset();
  }

 private:
  template <class Bind>
  InsertRow& bound(const Bind& bind) {
    bind(++column_);
    return *this;
  }

  SQLite::Statement& statement_;
  int column_ = 0;
};

/// The prepared statements of a writer.
class InsertStatements {
 public:
  explicit InsertStatements(SQLite::Database& file) : file_(file) {}

  /// `table` is a literal: its text is not copied.
  SQLite::Statement& into(std::string_view table, int columns) {
    const auto found = statements_.find(table);
    if (found != statements_.end()) return found->second;
    std::string sql = fmt::format("INSERT INTO {} VALUES (?", table);
    for (int k = 1; k < columns; ++k) sql += ",?";
    return statements_.emplace(table, SQLite::Statement(file_, sql + ")")).first->second;
  }
  /// `sql` is a literal: its text is not copied.
  SQLite::Statement& prepared(std::string_view sql) {
    const auto found = statements_.find(sql);
    return found != statements_.end()
               ? found->second
               : statements_.emplace(sql, SQLite::Statement(file_, std::string(sql))).first->second;
  }
  void clear() { statements_.clear(); }

 private:
  SQLite::Database& file_;
  std::map<std::string_view, SQLite::Statement> statements_;  ///< by table, or by their text
};

/// A hash as SQLite stores it: signed.
inline std::int64_t signedHash(std::uint64_t hash) {
  return static_cast<std::int64_t>(hash);
}

/// True if the numbers are equal; +0 and −0 are.
inline bool isSamePose(const physics::Pose& a, const physics::Pose& b) {
  return a.p == b.p && a.q.coeffs() == b.q.coeffs();
}
inline bool isSamePose(const std::optional<physics::Pose>& a, const std::optional<physics::Pose>& b) {
  return a.has_value() == b.has_value() && (!a || isSamePose(*a, *b));
}

}  // namespace tenon::runtime
