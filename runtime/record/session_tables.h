// A session as tables for other programs, with times and names in place of row numbers.
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

/// All exported tables.
std::span<const SessionTable> sessionTables();

/// A text as a CSV field, quoted if needed; control characters are escaped as by content::printable(). A text
/// that a spreadsheet would read as a formula gets a leading apostrophe; numbers are unchanged.
std::string csvField(const std::string& foreign);

/// Writes the table's CSV (RFC 4180: a line of column names with units, then the rows; numbers round-trip
/// exactly) to `sink` in pieces. Throws content::InputError if the file cannot be read.
void writeCsv(const SessionReader& session, const SessionTable& table,
              const std::function<void(const std::string&)>& sink);

/// The same as JSON: an array of objects.
void writeJson(const SessionReader& session, const SessionTable& table,
               const std::function<void(const std::string&)>& sink);

}  // namespace tenon::runtime
