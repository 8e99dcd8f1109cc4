// A session as tables for other programs: one a kind, with times and names in place of numbers of rows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/record/session_reader.h"

namespace tenon::runtime {

struct SessionTable {
  std::string_view name;
  std::string_view query;
};

/// All that are exported.
std::span<const SessionTable> sessionTables();

/// A text as a field of CSV, in quotes where it needs them; control characters as content::printable() has
/// them. A text that a spreadsheet would take for a formula begins with an apostrophe; numbers stay numbers.
std::string csvField(const std::string& foreign);

/// Gives the table's CSV (RFC 4180: a line of column names with units, then the rows; numbers that read back
/// to the same bits) to `sink`, in pieces. Throws content::InputError where the file cannot be read.
void writeCsv(const SessionReader& session, const SessionTable& table,
              const std::function<void(const std::string&)>& sink);

/// The same as JSON: an array of objects.
void writeJson(const SessionReader& session, const SessionTable& table,
               const std::function<void(const std::string&)>& sink);

}  // namespace tenon::runtime
