// See load_scene.h. Reads the sections in one pass and finally checks all parts together.
#include "content/reader/load_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "content/input/file_source.h"
#include "content/input/json_cursor.h"
#include "content/input/limits.h"
#include "content/input/other_format.h"
#include "content/input/parse_json.h"
#include "content/input/text_file.h"
#include "content/input/wording.h"
#include "content/reader/check_start.h"
#include "content/reader/find_scene.h"
#include "content/reader/mesh_cache.h"
#include "content/reader/read_joints.h"
#include "content/reader/read_parts.h"
#include "content/reader/read_tasks.h"

namespace tenon::content {
namespace {

/// The format version that this program reads.
constexpr int kVersion = 1;
/// Least duration of a scene that gives none [s].
constexpr double kDuration = 10;

void readUnit(const JsonCursor& root, Scene& scene) {
  const JsonCursor unit =
      root.member("unit", "add \"unit\": \"mm\", \"m\" or \"in\", the unit of all lengths in the file");
  struct Unit {
    const char* name;
    double numerator, divisor;
  };
  constexpr std::array kUnits{Unit{"mm", 1, 1000}, Unit{"m", 1, 1}, Unit{"in", 254, 10000}};
  const Unit& chosen = kUnits[unit.choice({"mm", "m", "in"})];
  scene.unit = chosen.name;
  root.context().unit = chosen.name;
  root.context().numerator = chosen.numerator;
  root.context().divisor = chosen.divisor;
}

/// A parameter's name, restricted to characters valid in expressions and on the command line.
std::string readParameterName(const JsonCursor& at, const Scene& scene) {
  const std::string name = uniqueName(at, scene.parameters);
  const auto isLower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto isValid = [&](char c) { return isLower(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (!isLower(name[0]) || !std::all_of(name.begin(), name.end(), isValid)) {
    at.fail("is " + inQuotes(name), "use small letters, digits and _, with a letter first");
  }
  return name;
}

bool isAllowed(const Parameter& parameter, double value) {
  return !parameter.isInteger || value == std::floor(value);
}

Parameter readParameter(const JsonCursor& at, const Scene& scene, const ParameterValues& values) {
  at.allowOnly({"name", "unit", "description", "default", "minimum", "maximum", "whole"});
  at.reportMissing({"name", "unit", "default", "minimum", "maximum"});
  Parameter p;
  p.name = readParameterName(at.member("name"), scene);
  p.unit = at.member("unit").text(kMaxNameBytes);
  if (const auto text = at.find("description")) p.description = text->text(kMaxTextBytes);
  if (const auto isInteger = at.find("whole")) p.isInteger = isInteger->boolean();
  const auto read = [&](const char* field, const Range& range) {
    const JsonCursor number = at.member(field);
    const double value = number.literalNumber(range);
    if (!isAllowed(p, value))
      number.fail(fmt::format("is {}", value), "give a whole number, or remove \"whole\"");
    return value;
  };
  const Range any{-1e9, 1e9};
  p.minimum = read("minimum", any);
  p.maximum = read("maximum", {p.minimum, any.high});
  p.defaultValue = read("default", {p.minimum, p.maximum});
  const auto given = values.find(p.name);
  // Adding 0 turns −0 into 0: a session record cannot distinguish them.
  p.value = (given == values.end() ? p.defaultValue : given->second) + 0.0;
  if (!(p.value >= p.minimum && p.value <= p.maximum) || !isAllowed(p, p.value)) {
    throw InputError(
        at.context().file, fmt::format("{} ({})", at.pointer(), p.name), fmt::format("is set to {}", p.value),
        fmt::format("give {}at least {:g} and at most {:g}{}", p.isInteger ? "a whole number, " : "",
                    p.minimum, p.maximum, p.unit.empty() || p.unit == "1" ? "" : " " + p.unit));
  }
  try {
    at.context().expressions.define(p.name, p.value);
  } catch (const ExpressionError& error) {
    at.member("name").fail(fmt::format("cannot be used: {}", error.what()), "choose another name");
  }
  return p;
}

void readParameters(const JsonCursor& root, const ParameterValues& values, Scene& scene) {
  if (const auto list = root.find("parameters")) {
    for (const JsonCursor& at : list->elements(0, kMaxEntries)) {
      scene.parameters.push_back(readParameter(at, scene, values));
    }
  }
  const auto names = namesOf(scene.parameters);
  for (const auto& [name, value] : values) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw InputError(root.context().file, "/parameters", "has no parameter " + inQuotes(name),
                     suggestion(name, names));
  }
}

void readHeader(const JsonCursor& root, Scene& scene) {
  const int version = root.member("tenon", "begin the scene with \"tenon\": 1, the version of the format")
                          .integer(0, 1000000);
  if (version != kVersion) {
    root.member("tenon").fail(fmt::format("is format version {}", version), "this program reads version 1");
  }
  for (const char* field : {"$schema", "description"}) {
    if (const auto text = root.find(field)) text->text(kMaxTextBytes);
  }
  const auto title = root.find("title");
  scene.title = title ? title->text(kMaxTextBytes) : scene.name;
}

void readTimes(const JsonCursor& root, Scene& scene) {
  if (const auto rate = root.find("rate_hz")) scene.rate = rate->number({kMinRate, kMaxRate, true, "Hz"});
  if (const auto duration = root.find("duration_s")) {
    scene.duration = duration->number({0, kMaxTime, false, "s"});
    if (scene.duration * scene.rate < 1 - 1e-9)
      duration->fail(fmt::format("is {:g} s, less than one step of {:g} s", scene.duration, 1 / scene.rate),
                     "give at least the time of one step, 1 / \"rate_hz\"");
  }
  if (const auto g = root.find("gravity_m_per_s2")) {
    scene.gravity = g->vector({-kMaxGravity, kMaxGravity, true, "m/s²"});
  }
  if (const auto damping = root.find("damping")) {
    damping->allowOnly({"linear_per_s", "angular_per_s"});
    const Range range{0, kMaxDamping, true, "1/s"};
    if (const auto linear = damping->find("linear_per_s")) scene.linearDamping = linear->number(range);
    if (const auto angular = damping->find("angular_per_s")) scene.angularDamping = angular->number(range);
  }
}

/// Without "duration_s": until a second after the last waypoint, all time limits, and kDuration.
void chooseDuration(Scene& scene) {
  scene.duration = kDuration;
  for (const Goal& goal : scene.goals) scene.duration = std::max(scene.duration, goal.timeLimit);
  for (const Hand& hand : scene.hands)
    if (!hand.script.empty()) scene.duration = std::max(scene.duration, hand.script.back().time + 1);
  scene.duration = std::min(scene.duration, kMaxTime);
}

/// Goals without a time limit have that of the scene.
void completeTimeLimits(Scene& scene) {
  for (Goal& goal : scene.goals)
    if (goal.timeLimit == 0) goal.timeLimit = scene.duration;
}

}  // namespace

Scene parseScene(const std::string& text, const std::string& file, const ParameterValues& values,
                 const MeshReadOptions& meshes, SceneChecks checks) {
  const nlohmann::json document = parseJson(text, file);
  ReadContext context;
  context.file = file;
  DiskFileSource disk;
  context.files = meshes.files != nullptr ? meshes.files : &disk;
  context.cacheFolder = meshes.cacheFolder;
  context.progress = meshes.progress;
  if (meshes.kept) context.readerCache = keptMeshes(*meshes.kept);
  const JsonCursor root(document, "", context);
  root.allowOnly({"$schema", "tenon", "title", "description", "unit", "gravity_m_per_s2", "damping",
                  "duration_s", "rate_hz", "parameters", "materials", "material_pairs", "parts", "joints",
                  "hands", "goals"});
  root.reportMissing({"tenon", "unit", "parts"});
  Scene scene;
  scene.file = file;
  scene.name = std::filesystem::path(file).stem().string();
  readHeader(root, scene);
  readUnit(root, scene);
  readParameters(root, values, scene);
  readTimes(root, scene);
  readMaterials(root, scene);
  readParts(root, scene);
  readJoints(root, scene);
  readGoals(root, scene);
  readHands(root, scene);
  if (!root.has("duration_s")) chooseDuration(scene);
  completeTimeLimits(scene);
  if (checks == SceneChecks::all) checkStart(scene);
  return scene;
}

namespace {

/// The first bytes of a file; fewer if it is shorter or cannot be read.
std::string beginningOf(const std::string& file) {
  std::string text(4096, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

std::string readSceneText(const std::string& file) {
  std::error_code error;
  if (!file.empty() && !std::filesystem::exists(file, error) && !error)
    throw InputError(file, "", "does not exist", missingSceneRemedy(file));
  if (std::filesystem::file_size(file, error) > kMaxFileBytes && !error)
    rejectOtherFormats(beginningOf(file), file);
  std::string text = readTextFile(file, {"scene", kMaxFileBytes, "check that it is a scene file"});
  rejectOtherFormats(text, file);
  return text;
}

Scene loadScene(const std::string& file, const ParameterValues& values, const MeshReadOptions& meshes) {
  return parseScene(readSceneText(file), file, values, meshes);
}

}  // namespace tenon::content
