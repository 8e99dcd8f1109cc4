// Compares files by identity (device and inode), so links and other spellings cannot bypass the checks.
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

constexpr std::array kSessionFileSuffixes{"", "-wal", "-shm", "-journal"};

struct Format {
  OutputKind kind;
  const char* description;           ///< completes "is not named as …"
  std::vector<std::string> endings;  ///< lower case; "": no ending
  bool allowsOthers = false;         ///< also allows endings that belong to no format in this table
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {OutputKind::session, "a session", {".tenon"}, true},
      {OutputKind::report, "a report in Markdown", {".md", ".markdown", ".txt", ""}},
      {OutputKind::image, "a PNG image", {".png"}},
      {OutputKind::trace, "a trace", {".jsonl", ".json", ".txt"}, true},
      {OutputKind::scene, "a scene", {".json"}},
      {OutputKind::json, "a JSON file", {".json", ""}},
      {OutputKind::html, "an HTML page", {".html", ".htm", ""}},
      {OutputKind::pdf, "a PDF document", {".pdf"}},
      {OutputKind::glb, "a GLB file", {".glb", ""}},
      {OutputKind::mp4, "an MP4 movie", {".mp4", ".m4v"}},
      {OutputKind::webm, "a WebM movie", {".webm"}},
      {OutputKind::mesh, "a mesh", {".glb", ".obj"}},
      {OutputKind::volume, "a mesh", {".stl", ".glb"}},
      {OutputKind::obj, "an OBJ file", {".obj", ""}},
      {OutputKind::tables, "a folder of tables", {"", ".csv"}, true},
  };
  return all;
}

const Format& formatOf(OutputKind kind) {
  return *std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return f.kind == kind; });
}

bool hasEnding(const Format& format, const std::string& ending) {
  return std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
}

void requireEnding(const Output& output) {
  const Format& format = formatOf(output.kind);
  const std::string ending = endingOf(*output.file);
  const bool belongsToOther = std::any_of(formats().begin(), formats().end(), [&](const Format& f) {
    return !ending.empty() && hasEnding(f, ending);
  });
  if (hasEnding(format, ending) || (format.allowsOthers && !belongsToOther)) return;
  std::string endings;
  for (const std::string& one : format.endings)
    if (!one.empty()) endings += (endings.empty() ? "" : " or ") + one;
  const bool isFolder = output.kind == OutputKind::tables;
  throw InputError(*output.file, output.option, fmt::format("is not named as {}", format.description),
                   isFolder ? "name a folder" : "end its name in " + endings);
}

/// All files that belong to an output.
std::vector<std::string> filesOf(const Output& output) {
  if (output.kind != OutputKind::session) return {*output.file};
  std::vector<std::string> files;
  for (const char* suffix : kSessionFileSuffixes) files.push_back(*output.file + suffix);
  return files;
}

void requireAvailable(const Output& output, bool force) {
  if (output.kind == OutputKind::session) return requireRecordable(*output.file, force);
  std::error_code ignored;
  const bool isFolder = output.kind == OutputKind::tables;
  const fs::file_status status = fs::status(*output.file, ignored);
  const bool exists = fs::exists(fs::symlink_status(*output.file, ignored));
  // A trace may be written to a pipe or device, which overwrites no file.
  const bool isDevice = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  if (output.kind == OutputKind::trace && isDevice) return;
  if (output.file->empty() || (fs::exists(status) && fs::is_directory(status) != isFolder) ||
      (!isFolder && fs::exists(status) && !fs::is_regular_file(status)))
    throw InputError(output.file->empty() ? "\"\"" : *output.file, output.option,
                     isFolder ? "is not a folder" : "is not a plain file",
                     isFolder ? "name a new folder" : "name a writable file");
  if (exists && !force)
    throw InputError(
        *output.file, output.option, "exists already",
        fmt::format("name another {}, or overwrite it with --force", isFolder ? "folder" : "file"));
}

bool isSame(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) ||
         fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

bool hasContent(const std::string& file, const std::string& content) {
  std::error_code ignored;
  if (content.empty() || !fs::is_regular_file(file, ignored) ||
      fs::file_size(file, ignored) != content.size())
    return false;
  std::ifstream in(file, std::ios::binary);
  return std::equal(content.begin(), content.end(), std::istreambuf_iterator<char>(in),
                    std::istreambuf_iterator<char>());
}

/// True if the file contains a scene, whatever its name.
bool isScene(const std::string& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) > content::kMaxFileBytes)
    return false;
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  try {
    content::checkNesting(text, file);
  } catch (const InputError&) {
    return false;
  }
  const auto json = nlohmann::json::parse(text, nullptr, false, true);  // ignores comments
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
  throw InputError("--force", "", "is given without an output file",
                   fmt::format("add {}, or remove --force", options));
}

}  // namespace

void InputFiles::add(const std::string& file, const std::string& description) {
  inputs_.push_back({file, description, ""});
}

void InputFiles::add(const content::Scene& scene, const content::FileBytes& meshFiles) {
  add(scene.file, "is the scene itself");
  for (const auto& [path, bytes] : meshFiles)
    add(content::folderOf(scene.file) + "/" + path, "is a mesh file of the scene");
}

void InputFiles::add(const std::string& sessionFile, const SessionHeader& header) {
  add(sessionFile, "is the session itself");
  for (const char* suffix : kSessionFileSuffixes)
    if (*suffix != 0) add(sessionFile + suffix, "belongs to the session");
  inputs_.push_back({header.sceneFile, "is the scene of the session", header.sceneText});
  for (const auto& [path, bytes] : header.meshFiles)
    inputs_.push_back(
        {content::folderOf(header.sceneFile) + "/" + path, "is a mesh file of the session's scene", bytes});
}

std::string InputFiles::conflictOf(const std::string& file) const {
  for (const Input& input : inputs_) {
    std::error_code ignored;
    if (fs::equivalent(file, input.file, ignored) || hasContent(file, input.content))
      return input.description;
  }
  return "";
}

void addForce(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "Overwrite existing files, except those that the command reads");
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
    requireAvailable(output, true);  // first: a folder or device has no meaningful ending
    requireEnding(output);
    requireAvailable(output, force);
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
  std::error_code ignored;
  std::string name = stem + ending;
  for (int k = 2; fs::exists(fs::symlink_status(name, ignored)); ++k)
    name = fmt::format("{}-{}{}", stem, k, ending);
  return name;
}

}  // namespace tenon::runtime
