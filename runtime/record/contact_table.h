// The table `contact` of a session of format 6, for SQL: computed from the compressed rows of
// `contact_frame`.
#pragma once

#include <SQLiteCpp/Database.h>

namespace tenon::runtime {

/// Adds the virtual table `contact` to this connection, with the columns of the table of that name in earlier
/// formats and rows at every keyframe. `database` must outlive all statements that use it. Damaged rows end a
/// statement with SQLite::Exception, which names the tick.
void addContactTable(SQLite::Database& database);

}  // namespace tenon::runtime
