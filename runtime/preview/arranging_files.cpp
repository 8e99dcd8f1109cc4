// Files in the arrange mode: parts that are added to the scene, and the list of files.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "content/input/printable.h"
#include "runtime/preview/arranging.h"
#include "runtime/workbench/new_parts.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;

}  // namespace

void Arranging::drop(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (isPartFile(file))
      addFile(file);
    else if (!view_.openFile)
      view_.openFile = file;
}

void Arranging::addFile(const std::string& file) {
  const bool usesFiles = bench_->document().text().find("\"mesh\"") != std::string::npos;
  std::error_code none;
  // A new scene belongs into the folder of its first file, if it can be saved there.
  const std::string home = fs::absolute(file, none).parent_path().string();
  const bool isElsewhere = fs::path(bench_->document().file()).parent_path() != home;
  if (bench_->document().isNew() && !usesFiles && !import_.isRunning() && isElsewhere &&
      access(home.c_str(), W_OK) == 0) {
    bench_->document().setNewFile(newSceneFile(home));
    view_.showNotice("The new scene belongs to its first file: " + content::printable(home));
  }
  const fs::path folder =
      fs::weakly_canonical(fs::absolute(bench_->document().file(), none).parent_path(), none);
  const fs::path relative = fs::weakly_canonical(file, none).lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") {
    arrange_.questions.push_back({fmt::format("{} is not in the folder of the scene, {}. Copy it there?",
                                              content::printable(fs::path(file).filename().string()),
                                              content::printable(folder.string())),
                                  {{"Copy", [this, file] { copyAndAdd(file); }}, {"Cancel", [] {}}}});
    return;
  }
  import_.add(file, arrange_.files.unit);
}

void Arranging::copyAndAdd(const std::string& file) {
  const fs::path copy = fs::path(bench_->document().file()).parent_path() / fs::path(file).filename();
  std::error_code error;
  if (fs::exists(copy, error))
    return view_.showNotice(copy.string() + " exists; rename one of the two files");
  fs::copy_file(file, copy, error);
  if (error) {
    std::error_code none;
    fs::remove(copy, none);  // what a full disk has left of it
    return view_.showNotice(copy.string() + ": cannot be written: " + error.message());
  }
  addFile(copy.string());
}

void Arranging::browse() {
  arrange_.files = fileList(FilePurpose::openScene,
                            bench_ ? fs::path(bench_->document().file()).parent_path().string() : ".", "");
}

void Arranging::performFile(const std::string& file, FilePurpose purpose) {
  if (purpose == FilePurpose::openScene) view_.openFile = file;
  if (purpose == FilePurpose::addPart) addFile(file);
  if (purpose != FilePurpose::saveAs) return;
  const bool hasEnding = fs::path(file).extension() == ".json";
  file_.saveAs(hasEnding ? file : file + ".json", *bench_, arrange_, view_);
}

}  // namespace tenon::runtime
