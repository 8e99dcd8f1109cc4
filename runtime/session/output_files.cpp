// Files are compared by identity (device and inode), so no link or spelling leads around these checks.
#include "runtime/session/output_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "content/input/json_nesting.h"
#include "content/input/limits.h"
#include "content/reader/load_scene.h"
#include "runtime/record/recorder.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using content::InputError;

constexpr std::array kBesideSessions{"", "-wal", "-shm", "-journal"};

struct Format {
  OutputKind kind;
  const char* what;                  ///< completes "is not named as …"
  std::vector<std::string> endings;  ///< in small letters; "": none
  bool takesOthers = false;          ///< any other ending will do that is none of a format in this table
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {OutputKind::session, "a session", {".tenon"}, true},
      {OutputKind::report, "a report in Markdown", {".md", ".markdown", ".txt", ""}},
      {OutputKind::picture, "a PNG picture", {".png"}},
      {OutputKind::trace, "a trace", {".jsonl", ".json", ".txt"}, true},
      {OutputKind::scene, "a scene", {".json"}},
      {OutputKind::json, "a JSON file", {".json", ""}},
      {OutputKind::html, "an HTML page", {".html", ".htm", ""}},
      {OutputKind::glb, "a GLB file", {".glb", ""}},
      {OutputKind::mesh, "a mesh", {".glb", ".obj"}},
      {OutputKind::obj, "an OBJ file", {".obj", ""}},
      {OutputKind::tables, "a folder of tables", {"", ".csv"}, true},
  };
  return all;
}

const Format& formatOf(OutputKind kind) {
  return *std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return f.kind == kind; });
}

bool endsAs(const Format& format, const std::string& ending) {
  return std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
}

void requireEnding(const Output& output) {
  const Format& format = formatOf(output.kind);
  const std::string ending = endingOf(*output.file);
  const bool isOthers = std::any_of(formats().begin(), formats().end(),
                                    [&](const Format& f) { return !ending.empty() && endsAs(f, ending); });
  if (endsAs(format, ending) || (format.takesOthers && !isOthers)) return;
  std::string endings;
  for (const std::string& one : format.endings)
    if (!one.empty()) endings += (endings.empty() ? "" : " or ") + one;
  const bool isFolder = output.kind == OutputKind::tables;
  throw InputError(*output.file, output.option, fmt::format("is not named as {}", format.what),
                   isFolder ? "name a folder" : "end its name in " + endings);
}

/// Of an output, the files that it consists of.
std::vector<std::string> filesOf(const Output& output) {
  if (output.kind != OutputKind::session) return {*output.file};
  std::vector<std::string> files;
  for (const char* suffix : kBesideSessions) files.push_back(*output.file + suffix);
  return files;
}

void requireRoom(const Output& output, bool force) {
  if (output.kind == OutputKind::session) return requireRecordable(*output.file, force);
  std::error_code none;
  const bool isFolder = output.kind == OutputKind::tables;
  const fs::file_status status = fs::status(*output.file, none);
  const bool isThere = fs::exists(fs::symlink_status(*output.file, none));
  // A trace may go to a pipe or a device: that overwrites nothing.
  const bool isDevice = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  if (output.kind == OutputKind::trace && isDevice) return;
  if (output.file->empty() || (fs::exists(status) && fs::is_directory(status) != isFolder) ||
      (!isFolder && fs::exists(status) && !fs::is_regular_file(status)))
    throw InputError(output.file->empty() ? "\"\"" : *output.file, output.option,
                     isFolder ? "is not a folder" : "is not a plain file",
                     isFolder ? "name a new folder" : "name a file that may be written");
  if (isThere && !force)
    throw InputError(
        *output.file, output.option, "exists already",
        fmt::format("name another {}, or overwrite it with --force", isFolder ? "folder" : "file"));
}

bool isSame(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::equivalent(a, b, none) || fs::weakly_canonical(a, none) == fs::weakly_canonical(b, none);
}

bool hasContent(const std::string& file, const std::string& content) {
  std::error_code none;
  if (content.empty() || !fs::is_regular_file(file, none) || fs::file_size(file, none) != content.size())
    return false;
  std::ifstream in(file, std::ios::binary);
  return std::equal(content.begin(), content.end(), std::istreambuf_iterator<char>(in),
                    std::istreambuf_iterator<char>());
}

/// What a person wrote, whatever it is called.
bool isScene(const std::string& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none) || fs::file_size(file, none) > content::kMaxFileBytes) return false;
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  try {
    content::checkNesting(text, file);
  } catch (const InputError&) {
    return false;
  }
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() && json.contains("tenon") && json.contains("parts");
}

void requireDistinct(std::span<const Output> outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (outputs[k].file && outputs[j].file && isSame(*outputs[k].file, *outputs[j].file))
        throw InputError(*outputs[k].file, "",
                         fmt::format("is given for both {} and {}", outputs[j].option, outputs[k].option),
                         "write them to two files");
}

void requireOne(std::span<const Output> outputs) {
  std::string options;
  for (const Output& output : outputs) {
    if (output.file) return;
    options += (options.empty() ? "" : " or ") + output.option;
  }
  throw InputError("--force", "", "overwrites a file, and none is named",
                   fmt::format("name one with {}, or leave --force out", options));
}

}  // namespace

void InputFiles::add(const std::string& file, const std::string& what) {
  inputs_.push_back({file, what, ""});
}

void InputFiles::add(const content::Scene& scene, const content::FileBytes& meshFiles) {
  add(scene.file, "is the scene itself");
  for (const auto& [path, bytes] : meshFiles)
    add(content::folderOf(scene.file) + "/" + path, "is a mesh file of the scene");
}

void InputFiles::add(const std::string& sessionFile, const SessionHeader& header) {
  add(sessionFile, "is the session itself");
  for (const char* suffix : kBesideSessions)
    if (*suffix != 0) add(sessionFile + suffix, "belongs to the session");
  inputs_.push_back({header.sceneFile, "is the scene of the session", header.sceneText});
  for (const auto& [path, bytes] : header.meshFiles)
    inputs_.push_back(
        {content::folderOf(header.sceneFile) + "/" + path, "is a mesh file of the session's scene", bytes});
}

std::string InputFiles::conflictOf(const std::string& file) const {
  for (const Input& input : inputs_) {
    std::error_code none;
    if (fs::equivalent(file, input.file, none) || hasContent(file, input.content)) return input.what;
  }
  return "";
}

void addForce(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "Overwrite files that exist; never those that the command reads");
}

void requireWritable(std::span<const Output> outputs, const InputFiles& inputs, bool force) {
  if (force) requireOne(outputs);
  for (const Output& output : outputs) {
    if (!output.file) continue;
    for (const std::string& file : filesOf(output))
      if (const std::string why = inputs.conflictOf(file); !why.empty())
        throw InputError(file, output.option, why, "write to another file");
  }
  requireDistinct(outputs);
  for (const Output& output : outputs) {
    if (!output.file) continue;
    requireRoom(output, true);  // what is no file has no ending to speak of
    requireEnding(output);
    requireRoom(output, force);
    if (output.kind != OutputKind::scene && isScene(*output.file))
      throw InputError(*output.file, output.option, "is a scene", "write to another file");
  }
}

std::string endingOf(const std::string& file) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

std::string uniqueFileName(const std::string& folder, const std::string& ending) {
  const std::string stem = fmt::format("{}tenon-{:%Y%m%d-%H%M%S}", folder.empty() ? "" : folder + "/",
                                       fmt::localtime(std::time(nullptr)));
  std::error_code none;
  std::string name = stem + ending;
  for (int k = 2; fs::exists(fs::symlink_status(name, none)); ++k)
    name = fmt::format("{}-{}{}", stem, k, ending);
  return name;
}

}  // namespace tenon::runtime
