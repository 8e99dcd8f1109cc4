// A place in a scene file: a JSON value with its pointer, and typed questions to it that complain by
// InputError. Readers never touch JSON directly, so every complaint names its place.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
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
struct MeshShape;
struct StepModel;

/// Bounds of a number, and what it counts.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool lowIncluded = true;
  const char* unit = "";  ///< for messages
};

/// What all places of one file share.
struct ReadContext {
  std::string file;
  std::string unit = "m";             ///< of the file's lengths
  double numerator = 1, divisor = 1;  ///< metres = length * numerator / divisor, exact for mm and in
  Expressions expressions;
  int convexParts = 0;            ///< convex pieces read so far
  std::size_t repeatedBytes = 0;  ///< text of repeated parts so far, as if each were written out
  FileSource* files = nullptr;    ///< never null while a scene is read
  std::string cacheFolder;        ///< see MeshReadOptions
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::map<std::string, std::shared_ptr<const MeshShape>>
      meshes;  ///< read so far, by file and how it is read
  std::map<std::string, std::shared_ptr<const StepModel>> stepFiles;  ///< likewise, by file
};

class JsonCursor {
 public:
  /// Borrows all three; they must outlive the cursor.
  JsonCursor(const nlohmann::json& value, std::string pointer, ReadContext& context)
      : value_(&value), pointer_(std::move(pointer)), context_(&context) {}

  // --- objects -----------------------------------------------------------------------------------
  /// This is an object with no other fields than these.
  void allowOnly(std::initializer_list<const char*> fields) const;
  bool has(const char* field) const;
  /// A field that must be there; `hint` says what to add otherwise.
  JsonCursor member(const char* field, const std::string& hint = "") const;
  std::optional<JsonCursor> find(const char* field) const;

  // --- arrays ------------------------------------------------------------------------------------
  bool isArray() const;
  /// The elements of an array of `low` to `high` elements.
  std::vector<JsonCursor> elements(std::size_t low, std::size_t high) const;

  // --- numbers: JSON numbers or "=expression" ----------------------------------------------------
  double number(const Range& range) const;
  /// A number written out: no expression.
  double literalNumber(const Range& range) const;
  int integer(int low, int high) const;
  /// A length in the file's unit, bounds in metres. [m]
  double length(double low, double high, bool lowIncluded = true) const;
  /// > 0: a measure of a shape [m].
  double size() const;
  /// Given in degrees, bounds too. [rad]
  double angle(double low, double high) const;
  Eigen::Vector3d vector(const Range& range) const;
  /// Three lengths. [m]
  Eigen::Vector3d position() const;
  /// Three numbers, not all zero, scaled to length 1.
  Eigen::Vector3d direction() const;
  /// {"axis": […], "angle_deg": …}
  Eigen::Quaterniond rotation() const;
  /// From the fields "position" and "rotation" of this object; identity where left out.
  physics::Pose pose() const;

  // --- words -------------------------------------------------------------------------------------
  bool isText() const;
  std::string text(std::size_t maxBytes) const;
  /// 1 to 64 bytes without control characters.
  std::string name() const;
  bool boolean() const;
  /// Whether it is exactly this text.
  bool isText(std::string_view text) const;
  /// The index of the word in `words`.
  std::size_t choice(std::initializer_list<const char*> words) const;
  /// The index of the name in `names`; `what` says what they name.
  int indexIn(const std::vector<std::string>& names, std::string_view what) const;

  // --- complaints --------------------------------------------------------------------------------
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;
  const std::string& pointer() const { return pointer_; }
  /// Length of the value as text without spaces.
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
