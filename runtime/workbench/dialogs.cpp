// The list of files, and questions.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "runtime/live_view/panel_layout.h"
#include "runtime/workbench/arrange_panels.h"
#include "runtime/workbench/new_parts.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 2000;  ///< shown of one folder
constexpr ImGuiWindowFlags kQuestionWindow =
    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings;

bool isShown(FilePurpose purpose, const fs::path& file) {
  return purpose == FilePurpose::addPart ? isPartFile(file.string()) : file.extension() == ".json";
}

/// Reads folders and files of the shown folder.
void list(FileList& files) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(files.folder.empty() ? "." : files.folder, error);
  files.folder = files.listed = folder.string();
  files.folders.clear();
  files.files.clear();
  fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::directory_iterator end; !error && entry != end && files.files.size() < kMaxEntries;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code none;
    if (name.starts_with(".")) continue;
    if (entry->is_directory(none))
      files.folders.push_back(name);
    else if (isShown(files.purpose, entry->path()))
      files.files.push_back(name);
  }
  std::sort(files.folders.begin(), files.folders.end());
  std::sort(files.files.begin(), files.files.end());
}

void drawEntries(ArrangeContext& context, FileList& files) {
  const std::vector<std::string> folders = files.folders, names = files.files;
  if (ImGui::Selectable("..")) files.folder = fs::path(files.folder).parent_path().string();
  mark(context.panels, "folder ..");
  for (const std::string& name : folders) {
    if (ImGui::Selectable((labelOf(name) + "/").c_str()))
      files.folder = (fs::path(files.folder) / name).string();
    mark(context.panels, ("folder " + name).c_str());
  }
  for (const std::string& name : names) {
    if (ImGui::Selectable(labelOf(name).c_str(), name == files.name, ImGuiSelectableFlags_AllowDoubleClick)) {
      files.name = name;
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && files.purpose != FilePurpose::saveAs)
        files.chosen = (fs::path(files.folder) / name).string();
    }
    mark(context.panels, ("file " + name).c_str());
  }
}

/// The name line; true if Enter was pressed in it.
bool drawNameLine(ArrangeContext& context, FileList& files) {
  std::array<char, 1024> buffer{};
  std::copy_n(files.name.begin(), std::min(files.name.size(), buffer.size() - 1), buffer.begin());
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("##name", "Name or path", buffer.data(), buffer.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  mark(context.panels, "file name");
  files.name = buffer.data();
  return entered;
}

const char* titleOf(FilePurpose purpose) {
  return purpose == FilePurpose::saveAs    ? "Save scene as"
         : purpose == FilePurpose::addPart ? "Add a part from a file"
                                           : "Open a scene file";
}

}  // namespace

void drawFileList(ArrangeContext& context) {
  FileList& files = context.arrange.files;
  if (files.purpose == FilePurpose::none) return;
  if (files.listed != files.folder || files.listed.empty()) list(files);
  const float font = ImGui::GetFontSize();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(40 * font, size.x), std::min(30 * font, size.y)});
  bool open = true, entered = context.arrange.entered;
  if (ImGui::Begin(titleOf(files.purpose), &open, kQuestionWindow)) {
    ImGui::TextDisabled("%s", fitted(files.folder, ImGui::GetContentRegionAvail().x).c_str());
    if (ImGui::BeginChild("entries", {0, -6.5f * font})) drawEntries(context, files);
    ImGui::EndChild();
    if (files.purpose == FilePurpose::addPart) {
      rowLabel("STL, OBJ in");
      for (const char* unit : {"mm", "m", "in"}) {
        if (ImGui::RadioButton(unit, files.unit == unit)) files.unit = unit;
        ImGui::SameLine();
      }
      ImGui::NewLine();
    }
    entered = drawNameLine(context, files) || entered;
    entered = ImGui::Button(files.purpose == FilePurpose::saveAs    ? "Save"
                            : files.purpose == FilePurpose::addPart ? "Add"
                                                                    : "Open") ||
              entered;
    mark(context.panels, "choose file");
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) open = false;
    mark(context.panels, "cancel file");
  }
  ImGui::End();
  if (entered && !files.name.empty()) {
    const fs::path chosen = fs::path(files.folder) / files.name;
    std::error_code none;
    if (fs::is_directory(chosen, none)) {
      files.folder = chosen.string();
      files.name.clear();
    } else {
      files.chosen = chosen.string();
    }
  }
  if (!open) files.purpose = FilePurpose::none;
}

void drawQuestion(ArrangeContext& context) {
  std::vector<Question>& questions = context.arrange.questions;
  if (questions.empty()) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({0.5f * size.x, 0.4f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(34 * font, size.x), 0});
  std::function<void()> chosen;
  const Question question = questions.back();
  if (ImGui::Begin("Question", nullptr, kQuestionWindow)) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(question.text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::Spacing();
    for (const Question::Answer& answer : question.answers) {
      if (ImGui::Button(answer.label.c_str())) chosen = answer.perform;
      mark(context.panels, ("answer " + answer.label).c_str());
      ImGui::SameLine();
    }
    ImGui::NewLine();
  }
  ImGui::End();
  if (!chosen) return;
  questions.pop_back();
  chosen();
}

}  // namespace tenon::runtime
