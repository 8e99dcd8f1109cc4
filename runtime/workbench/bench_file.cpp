// A file is compared by its text: the same text written again is no change.
#include "runtime/workbench/bench_file.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

#include "content/input/printable.h"
#include "content/reader/load_scene.h"
#include "runtime/session/atomic_file.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;

constexpr double kInterval = 0.5;  ///< between two looks at the file [s]

/// The text of a file; empty if it cannot be read as a scene text.
std::optional<std::string> textOf(const std::string& file) {
  try {
    return content::readSceneText(file);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool exists(const std::string& file) {
  std::error_code none;
  return fs::exists(file, none);
}

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::weakly_canonical(a, none) == fs::weakly_canonical(b, none);
}

/// A name that no file in the folder has: "name.json", or with a number.
std::string freeFile(const fs::path& folder, const std::string& name) {
  std::string file = (folder / (name + ".json")).string();
  for (int number = 2; exists(file); ++number)
    file = (folder / fmt::format("{} {}.json", name, number)).string();
  return file;
}

std::string shown(const std::string& file) {
  return content::printable(fs::path(file).filename().string());
}

/// "" if the scene can be read with its files from the folder of `file`, as from its own.
std::string whyNotThere(Workbench& bench, const std::string& file) {
  const content::SceneDocument& document = bench.document();
  if (fs::path(file).parent_path() == fs::path(document.file()).parent_path()) return "";
  if (!bench.readNow(document.text(), document.file()).scene) return "";
  const BenchReading there = bench.readNow(document.text(), file);
  return there.scene ? "" : there.problem;
}

}  // namespace

bool BenchFile::write(const std::string& file, Workbench& bench, ViewState& view) {
  try {
    AtomicFile(file).commit(bench.document().text());
    bench.document().markSaved(file);
    view.settings.noteRecent(file);
    watched_.clear();
    view.showNotice("Saved as " + content::printable(file));
    if (then_) std::exchange(then_, nullptr)();
    return true;
  } catch (const std::exception& error) {
    view.showNotice(error.what());
    return false;
  }
}

bool BenchFile::save(Workbench& bench, ArrangeState& arrange, ViewState& view) {
  const content::SceneDocument& document = bench.document();
  if (document.isNew()) {
    arrange.files = fileList(FilePurpose::saveAs, fs::path(document.file()).parent_path().string(),
                             shown(document.file()));
    return false;
  }
  const auto onDisk = textOf(document.file());
  if (!exists(document.file()) || onDisk == document.savedText()) return write(document.file(), bench, view);
  arrange.questions.push_back(
      {fmt::format("{} has been changed by another program.", shown(document.file())),
       {{"Save mine", [&] { write(bench.document().file(), bench, view); }},
        {"Take theirs",
         [this, &bench, &view, text = onDisk.value_or("")] { takeChanges(text, bench, view); }},
        {"Cancel", [] {}}}});
  return false;
}

bool BenchFile::saveAs(const std::string& file, Workbench& bench, ArrangeState& arrange, ViewState& view) {
  if (const std::string why = whyNotThere(bench, file); !why.empty()) {
    view.showNotice(why);
    return false;
  }
  if (!exists(file)) return write(file, bench, view);
  if (!bench.document().isNew() && isSameFile(file, bench.document().file()))
    return save(bench, arrange, view);
  arrange.questions.push_back(
      {fmt::format("{} exists.", shown(file)),
       {{"Replace", [this, file, &bench, &view] { write(file, bench, view); }}, {"Cancel", [] {}}}});
  return false;
}

void BenchFile::takeChanges(std::string text, Workbench& bench, ViewState& view) {
  const BenchReading reading = bench.readNow(text, bench.document().file());
  if (!reading.scene) return view.showNotice(reading.problem);
  bench.document().fileChanged(std::move(text), true);
  view.showNotice(shown(bench.document().file()) + " was changed by another program and read again.");
}

void BenchFile::watch(double now, Workbench& bench, ArrangeState& arrange, ViewState& view) {
  if (now < nextLook_ || bench.document().isNew() || !arrange.questions.empty()) return;
  nextLook_ = now + kInterval;
  const std::string& file = bench.document().file();
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (error) return;
  const bool known = watched_ == file && seen_ == time;
  watched_ = file;
  seen_ = time;
  if (known) return;
  const auto text = textOf(file);
  if (!text || *text == bench.document().savedText()) return;
  if (!bench.document().isModified()) return takeChanges(*text, bench, view);
  arrange.questions.push_back(
      {fmt::format("{} has been changed by another program, and you have unsaved changes.", shown(file)),
       {{"Keep mine", [&bench, text = *text] { bench.document().fileChanged(text, false); }},
        {"Take theirs", [this, &bench, &view, text = *text] { takeChanges(text, bench, view); }}}});
}

void BenchFile::saveThen(std::function<void()> then, Workbench& bench, ArrangeState& arrange,
                         ViewState& view) {
  then_ = std::move(then);
  save(bench, arrange, view);
}

std::string newSceneFile(const std::string& folder) {
  return freeFile(folder, "untitled");
}

std::string writeUnsaved(const content::SceneDocument& document) {
  std::error_code none;
  const fs::path file = fs::absolute(document.file(), none);
  for (const fs::path& folder : {file.parent_path(), fs::temp_directory_path(none)}) try {
      const std::string unsaved = freeFile(folder, file.stem().string() + ".unsaved");
      AtomicFile(unsaved).commit(document.text());
      return unsaved;
    } catch (const std::exception&) {  // a full disk, or a folder that cannot be written: the next one
    }
  return "";
}

void requireAnswer(const std::string& what, Workbench& bench, ArrangeState& arrange, ViewState& view,
                   BenchFile& file, std::function<void()> then) {
  if (!bench.document().isModified()) return then();
  arrange.questions.push_back(
      {fmt::format("{} has unsaved changes. {}", shown(bench.document().file()), what),
       {{"Save", [&, then] { file.saveThen(then, bench, arrange, view); }}, {"Discard", then}, {"Cancel", [] {
                                                                                                }}}});
}

}  // namespace tenon::runtime
