// A virtual table of SQLite (sqlite.org/vtab.html) that exists without CREATE ("eponymous-only"). Names of
// the callbacks are SQLite's.
#include "runtime/record/contact_table.h"

#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "runtime/record/contact_frame.h"

namespace tenon::runtime {

namespace {

constexpr const char* kDeclaration =
    "CREATE TABLE contact (tick INTEGER, seq INTEGER, body_i INTEGER, body_j INTEGER, px_m REAL, py_m REAL, "
    "pz_m REAL, nx REAL, ny REAL, nz REAL, distance_m REAL, force_n REAL, friction_x_n REAL, friction_y_n "
    "REAL, "
    "friction_z_n REAL, mu REAL, feature INTEGER)";
enum ContactColumn {
  kTickColumn,
  kSeqColumn,
  kBodyIColumn,
  kBodyJColumn,
  kFirstValueColumn,
  kFeatureColumn = kFirstValueColumn + RecordedContact::count
};

constexpr int kOneTick = 1;  ///< the plan `tick = ?`; otherwise all ticks

/// Decodes rows; keeps the contacts decoded last, so that a sequential read decodes each row once.
class ContactHistory {
 public:
  explicit ContactHistory(const SQLite::Database& database)
      : whole_(database, "SELECT max(tick) FROM contact_frame WHERE whole = 1 AND tick <= ?"),
        rows_(database, "SELECT tick, bytes FROM contact_frame WHERE tick > ? AND tick <= ? ORDER BY tick") {}

  /// Contacts of the last row up to a tick.
  const RecordedContacts& at(std::int64_t tick) {
    const std::int64_t from = wholeUpTo(tick);
    if (tick_ < from || tick_ > tick) tick_ = from - 1;
    const std::int64_t known = tick_;
    tick_ = -1;  // unless all of them can be decoded
    if (known == from - 1) contacts_.clear();
    rows_.reset();
    rows_.bind(1, known);
    rows_.bind(2, tick);
    while (rows_.executeStep()) {
      const SQLite::Column bytes = rows_.getColumn(1);
      try {
        contacts_ = decodeContacts(
            {static_cast<const char*>(bytes.getBlob()), static_cast<std::size_t>(bytes.getBytes())},
            contacts_);
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("tick {}: {}", rows_.getColumn(0).getInt64(), error.what()));
      }
    }
    rows_.reset();
    tick_ = tick;
    return contacts_;
  }

 private:
  std::int64_t wholeUpTo(std::int64_t tick) {
    whole_.reset();
    whole_.bind(1, tick);
    whole_.executeStep();
    const std::int64_t found = whole_.isColumnNull(0) ? 0 : whole_.getColumn(0).getInt64();
    whole_.reset();
    return found;
  }

  SQLite::Statement whole_, rows_;
  std::int64_t tick_ = -1;  ///< −1: nothing decoded
  RecordedContacts contacts_;
};

struct ContactTable : sqlite3_vtab {
  explicit ContactTable(const SQLite::Database& from) : sqlite3_vtab{}, database(from), history(from) {}
  const SQLite::Database& database;
  ContactHistory history;
};

struct ContactCursor : sqlite3_vtab_cursor {
  explicit ContactCursor(const SQLite::Database& database)
      : sqlite3_vtab_cursor{},
        keyframes(database,
                  "SELECT tick FROM tick WHERE keyframe = 1 AND tick BETWEEN ? AND ? ORDER BY tick") {}
  SQLite::Statement keyframes;
  bool atEnd = true;
  std::int64_t tick = 0;      ///< of the current row
  std::size_t row = 0;        ///< in `contacts`
  RecordedContacts contacts;  ///< of `tick`
};

ContactTable& tableOf(sqlite3_vtab_cursor* cursor) {
  return *static_cast<ContactTable*>(cursor->pVtab);
}

/// Runs `work`; an exception becomes the statement's error.
template <class Work>
int guarded(sqlite3_vtab* table, const Work& work) {
  try {
    work();
    return SQLITE_OK;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& error) {
    if (table != nullptr) {
      sqlite3_free(table->zErrMsg);
      table->zErrMsg = sqlite3_mprintf("%s", error.what());
    }
    return SQLITE_CORRUPT;
  }
}

/// Goes to the next keyframe with contacts.
void nextKeyframe(ContactCursor& cursor) {
  cursor.row = 0;
  cursor.contacts.clear();
  while (cursor.contacts.empty()) {
    cursor.atEnd = !cursor.keyframes.executeStep();
    if (cursor.atEnd) return;
    cursor.tick = cursor.keyframes.getColumn(0).getInt64();
    cursor.contacts = tableOf(&cursor).history.at(cursor.tick);
  }
}

int connectTable(sqlite3* database, void* source, int, const char* const*, sqlite3_vtab** table, char**) {
  const int declared = sqlite3_declare_vtab(database, kDeclaration);
  if (declared != SQLITE_OK) return declared;
  return guarded(nullptr, [&] {
    *table = std::make_unique<ContactTable>(*static_cast<const SQLite::Database*>(source)).release();
  });
}

int disconnectTable(sqlite3_vtab* table) {
  delete static_cast<ContactTable*>(table);
  return SQLITE_OK;
}

int choosePlan(sqlite3_vtab*, sqlite3_index_info* plan) {
  plan->estimatedCost = 1e9;
  for (int k = 0; k < plan->nConstraint; ++k) {
    const auto& constraint = plan->aConstraint[k];
    if (constraint.usable == 0 || constraint.iColumn != kTickColumn ||
        constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
      continue;
    plan->aConstraintUsage[k].argvIndex = 1;
    plan->idxNum = kOneTick;
    plan->estimatedCost = 100;
    plan->estimatedRows = 100;
    break;
  }
  // Rows come by tick, then by seq.
  const auto ascending = [&](int k, int column) {
    return plan->aOrderBy[k].iColumn == column && plan->aOrderBy[k].desc == 0;
  };
  const int by = plan->nOrderBy;
  plan->orderByConsumed =
      (by >= 1 && by <= 2 && ascending(0, kTickColumn) && (by == 1 || ascending(1, kSeqColumn))) ||
      (by == 1 && plan->idxNum == kOneTick && ascending(0, kSeqColumn));
  return SQLITE_OK;
}

int openCursor(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return guarded(table, [&] {
    *cursor = std::make_unique<ContactCursor>(static_cast<ContactTable*>(table)->database).release();
  });
}

int closeCursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<ContactCursor*>(cursor);
  return SQLITE_OK;
}

int findRows(sqlite3_vtab_cursor* base, int plan, const char*, int count, sqlite3_value** values) {
  return guarded(base->pVtab, [&] {
    auto& cursor = *static_cast<ContactCursor*>(base);
    std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();
    if (plan == kOneTick && count == 1) first = last = sqlite3_value_int64(values[0]);
    cursor.keyframes.reset();
    cursor.keyframes.bind(1, first);
    cursor.keyframes.bind(2, last);
    nextKeyframe(cursor);
  });
}

int nextRow(sqlite3_vtab_cursor* base) {
  return guarded(base->pVtab, [&] {
    auto& cursor = *static_cast<ContactCursor*>(base);
    if (++cursor.row >= cursor.contacts.size()) nextKeyframe(cursor);
  });
}

int isAtEnd(sqlite3_vtab_cursor* cursor) {
  return static_cast<ContactCursor*>(cursor)->atEnd ? 1 : 0;
}

int columnValue(sqlite3_vtab_cursor* base, sqlite3_context* context, int which) {
  const auto& cursor = *static_cast<ContactCursor*>(base);
  const RecordedContact& contact = cursor.contacts[cursor.row];
  switch (which) {
    case kTickColumn:
      sqlite3_result_int64(context, cursor.tick);
      break;
    case kSeqColumn:
      sqlite3_result_int64(context, static_cast<std::int64_t>(cursor.row));
      break;
    case kBodyIColumn:
      sqlite3_result_int(context, contact.i);
      break;
    case kBodyJColumn:
      sqlite3_result_int(context, contact.j);
      break;
    case kFeatureColumn:
      sqlite3_result_int64(context, static_cast<std::int64_t>(contact.feature));
      break;
    default: {
      const auto value = static_cast<std::size_t>(which - kFirstValueColumn);
      if (value < contact.values.size()) sqlite3_result_double(context, contact.values[value]);
    }
  }
  return SQLITE_OK;
}

int rowId(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  const auto& cursor = *static_cast<ContactCursor*>(base);
  constexpr std::int64_t kMostRows = 1 << 20;  // of a tick
  *id = cursor.tick * kMostRows + static_cast<std::int64_t>(cursor.row);
  return SQLITE_OK;
}

const sqlite3_module& tableModule() {
  static const sqlite3_module callbacks = [] {
    sqlite3_module m{};
    m.xConnect = &connectTable;
    m.xDisconnect = &disconnectTable;
    m.xBestIndex = &choosePlan;
    m.xOpen = &openCursor;
    m.xClose = &closeCursor;
    m.xFilter = &findRows;
    m.xNext = &nextRow;
    m.xEof = &isAtEnd;
    m.xColumn = &columnValue;
    m.xRowid = &rowId;
    return m;
  }();
  return callbacks;
}

}  // namespace

void addContactTable(SQLite::Database& database) {
  if (sqlite3_create_module(database.getHandle(), "contact", &tableModule(), &database) != SQLITE_OK)
    throw SQLite::Exception(database.getHandle());
}

}  // namespace tenon::runtime
