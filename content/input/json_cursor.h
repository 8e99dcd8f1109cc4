// A JSON value of a file with its JSON pointer, and typed accessors that throw InputError. Readers use only
// this class, so every error contains file and JSON pointer.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "content/input/expression.h"
#include "physics/math/pose.h"

namespace tenon::content {

class FileSource;

/// Bounds of a number, and its unit.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool lowIncluded = true;
  const char* unit = "";  ///< for messages
};

/// State shared by all cursors of one file.
struct ReadContext {
  std::string file;
  std::string unit = "m";             ///< of the lengths in the file
  double numerator = 1, divisor = 1;  ///< meters = length * numerator / divisor, exact for mm and in
  Expressions expressions;
  int convexParts = 0;            ///< number read so far, see kMaxConvexParts
  std::size_t repeatedBytes = 0;  ///< text of repeated parts read so far, counted once per repetition
  FileSource* files = nullptr;    ///< not null while a scene is read
  std::string cacheFolder;        ///< see MeshReadOptions
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::shared_ptr<void> readerCache;  ///< set and used by reader/ alone (see reader/mesh_cache.h)
};

class JsonCursor {
 public:
  /// Borrows all three; they must outlive the cursor.
  JsonCursor(const nlohmann::json& value, std::string pointer, ReadContext& context)
      : value_(&value), pointer_(std::move(pointer)), context_(&context) {}

  // --- objects -----------------------------------------------------------------------------------
  /// Throws unless this is an object whose fields are all in `fields`.
  void allowOnly(std::initializer_list<const char*> fields) const;
  bool has(const char* field) const;
  /// Throws if two or more of these required fields are missing: one message names them all. A single one is
  /// reported by member().
  void reportMissing(std::initializer_list<const char*> fields) const;
  /// A required field; `hint` is the remedy in the error if it is missing.
  JsonCursor member(const char* field, const std::string& hint = "") const;
  std::optional<JsonCursor> find(const char* field) const;

  // --- arrays ------------------------------------------------------------------------------------
  bool isArray() const;
  /// The elements of an array that has `low` to `high` of them.
  std::vector<JsonCursor> elements(std::size_t low, std::size_t high) const;

  // --- numbers: JSON numbers or "=expression" ----------------------------------------------------
  double number(const Range& range) const;
  /// A JSON number; expressions are rejected.
  double literalNumber(const Range& range) const;
  int integer(int low, int high) const;
  /// A length in the unit of the file; bounds in meters. [m]
  double length(double low, double high, bool lowIncluded = true) const;
  /// A dimension of a shape, kMinSize to kMaxSize. [m]
  double positiveLength() const;
  /// An angle in degrees in the file, `low` and `high` in degrees, too. [rad]
  double angle(double low, double high) const;
  Eigen::Vector3d vector(const Range& range) const;
  /// Three lengths. [m]
  Eigen::Vector3d position() const;
  /// Three numbers, not all zero, normalized.
  Eigen::Vector3d direction() const;
  /// {"axis": […], "angle_deg": …}
  Eigen::Quaterniond rotation() const;
  /// From the optional fields "position" and "rotation" of this object; default: identity.
  physics::Pose pose() const;

  // --- texts -------------------------------------------------------------------------------------
  bool isText() const;
  std::string text(std::size_t maxBytes) const;
  /// 1 to 64 bytes without control characters.
  std::string name() const;
  bool boolean() const;
  /// True if the value is `false`.
  bool isFalse() const;
  /// True if the value is the text `text`.
  bool isText(std::string_view text) const;
  /// The index of the value in `words`.
  std::size_t choice(std::initializer_list<const char*> words) const;
  /// The index of the value in `names`; `what` ("part", "material") describes them in the error.
  int indexIn(const std::vector<std::string>& names, std::string_view what) const;

  // --- errors ------------------------------------------------------------------------------------
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;
  const std::string& pointer() const { return pointer_; }
  /// A length [m] as text in the unit of the file.
  std::string inFileUnit(double length) const;
  /// Length of the value as text without white space [bytes].
  std::size_t bytes() const;
  ReadContext& context() const { return *context_; }

 private:
  void expectObject() const;
  double checked(double value, const Range& range) const;
  [[noreturn]] void wrongType(const std::string& wanted) const;

  const nlohmann::json* value_;
  std::string pointer_;
  ReadContext* context_;
};

}  // namespace tenon::content
