// tenon._tenon.Session: a recorded session, its tables and its verification.
#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/input/input_error.h"
#include "content/input/wording.h"
#include "runtime/python/bindings.h"
#include "runtime/python/interrupt_check.h"
#include "runtime/python/scene_handle.h"
#include "runtime/record/session_reader.h"
#include "runtime/record/session_tables.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/verify_session.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

using runtime::SessionReader;

/// A column as it is read: whole numbers become numbers as soon as one row has another, and texts as soon as
/// one is a text.
struct Column {
  std::string name;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;     ///< NULL is NaN
  std::vector<std::string> texts;  ///< NULL is empty
  bool allIntegers = true, anyText = false;

  void add(const SQLite::Column& value) {
    const bool isNumber = value.isInteger() || value.isFloat();
    integers.push_back(value.isInteger() ? value.getInt64() : 0);
    numbers.push_back(isNumber ? value.getDouble() : std::numeric_limits<double>::quiet_NaN());
    texts.push_back(value.isNull() ? "" : value.getString());
    allIntegers = allIntegers && value.isInteger();
    anyText = anyText || (!isNumber && !value.isNull());
  }
  py::object toPython(bool declaredText) const {
    if (anyText || declaredText) {
      py::list all;
      for (const std::string& text : texts)
        all.append(py::reinterpret_steal<py::str>(
            PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace")));
      return all;
    }
    if (allIntegers && !integers.empty())
      return py::array_t<std::int64_t>(static_cast<py::ssize_t>(integers.size()), integers.data());
    return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
  }
};

class SessionHandle {
 public:
  explicit SessionHandle(const std::string& file) {
    const py::gil_scoped_release unlocked;
    reader_ = std::make_unique<SessionReader>(file);
  }

  const SessionReader& use() const {
    if (!reader_) throw py::value_error("the session is closed; open it again");
    return *reader_;
  }
  void close() { reader_.reset(); }
  bool isClosed() const { return reader_ == nullptr; }
  py::list table(const std::string& name) const;
  py::dict verify() const;
  std::shared_ptr<SceneHandle> scene() const;

 private:
  std::unique_ptr<SessionReader> reader_;
};

std::vector<std::string> tableNames() {
  std::vector<std::string> names;
  for (const runtime::SessionTable& table : runtime::sessionTables()) names.emplace_back(table.name);
  return names;
}

/// True for a column of the file that is declared as text, whatever it contains.
bool isDeclaredText(const SQLite::Statement& rows, int column) {
  try {
    return std::string_view(rows.getColumnDeclaredType(column)) == "TEXT";
  } catch (const SQLite::Exception&) {
    return false;  // an expression
  }
}

/// (name, values) of each column. The interpreter lock is kept: SQLite's connection is for one thread.
py::list SessionHandle::table(const std::string& name) const {
  const SessionReader& session = use();
  const runtime::SessionTable* found = nullptr;
  for (const runtime::SessionTable& table : runtime::sessionTables())
    if (table.name == name) found = &table;
  if (found == nullptr)
    throw content::InputError(session.file(), "table", content::inQuotes(name) + " is not in a session",
                              content::suggestion(name, tableNames()));
  try {
    SQLite::Statement rows(session.database(), std::string(found->query));
    std::vector<Column> columns(static_cast<std::size_t>(rows.getColumnCount()));
    std::vector<bool> texts;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      columns[k].name = rows.getColumnName(static_cast<int>(k));
      texts.push_back(isDeclaredText(rows, static_cast<int>(k)));
    }
    while (rows.executeStep())
      for (std::size_t k = 0; k < columns.size(); ++k) columns[k].add(rows.getColumn(static_cast<int>(k)));
    py::list all;
    for (std::size_t k = 0; k < columns.size(); ++k)
      all.append(py::make_tuple(columns[k].name, columns[k].toPython(texts[k])));
    return all;
  } catch (const SQLite::Exception& error) {
    session.failReading(error);
  }
}

py::dict SessionHandle::verify() const {
  const std::string file = use().file();
  InterruptCheck interrupt;
  runtime::SessionVerification verification;
  std::string text;
  {
    const py::gil_scoped_release unlocked;
    const auto start = std::chrono::steady_clock::now();
    SessionReader session(file);  // at its start
    verification = runtime::verifySession(session, [&](double /*time*/) { return !interrupt.requested(); });
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    text = runtime::verificationText(session, verification, wall);
  }
  interrupt.rethrow();
  py::dict result;
  result["verified"] = verification.isVerified();
  result["steps"] = verification.check.steps;
  result["first_different"] = verification.check.firstDifferent;
  result["obstacle"] = verification.obstacle;
  result["text"] = text;
  return result;
}

std::shared_ptr<SceneHandle> SessionHandle::scene() const {
  const runtime::SessionHeader header = use().header();
  const py::gil_scoped_release unlocked;
  runtime::LoadedScene loaded;
  loaded.scene = std::make_shared<const content::Scene>(runtime::sceneOf(header));
  loaded.text = header.sceneText;
  loaded.meshFiles = header.meshFiles;
  return std::make_shared<SceneHandle>(std::move(loaded));
}

py::list goalsOf(const SessionReader& session) {
  py::list all;
  for (const runtime::RecordedGoal& goal : session.goals()) {
    py::dict entry;
    entry["name"] = goal.name;
    entry["verdict"] = goal.verdict;
    entry["depth_m"] = goal.depth;
    entry["target_depth_m"] = goal.targetDepth;
    entry["tilt_rad"] = goal.tilt;
    entry["max_push_n"] = goal.maxPush;
    all.append(entry);
  }
  return all;
}

}  // namespace

void bindSession(py::module_& module) {
  py::class_<SessionHandle>(module, "Session")
      .def(py::init<const std::string&>(), py::arg("file"))
      .def_property_readonly("file", [](const SessionHandle& s) { return s.use().file(); })
      .def_property_readonly("scene_file", [](const SessionHandle& s) { return s.use().header().sceneFile; })
      .def_property_readonly("solver", [](const SessionHandle& s) { return s.use().header().solver; })
      .def_property_readonly("rate", [](const SessionHandle& s) { return s.use().header().rate; })
      .def_property_readonly("started", [](const SessionHandle& s) { return s.use().header().started; })
      .def_property_readonly("steps", [](const SessionHandle& s) { return s.use().lastTick(); })
      .def_property_readonly("duration", [](const SessionHandle& s) { return s.use().lastTime(); })
      .def_property_readonly("ending", [](const SessionHandle& s) { return s.use().ending(); })
      .def_property_readonly("parts", [](const SessionHandle& s) { return s.use().bodies(); })
      .def_property_readonly("hands", [](const SessionHandle& s) { return s.use().hands(); })
      .def("goals", [](const SessionHandle& s) { return goalsOf(s.use()); })
      .def("tables", [](const SessionHandle& s) { return s.use(), tableNames(); })
      .def("table", &SessionHandle::table, py::arg("name"))
      .def("scene", &SessionHandle::scene)
      .def("verify", &SessionHandle::verify)
      .def("is_closed", &SessionHandle::isClosed)
      .def("close", &SessionHandle::close);
}

}  // namespace tenon::python
