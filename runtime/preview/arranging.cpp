// Connects workbench, tools, panels and files.
#include "runtime/preview/arranging.h"

#include <fmt/format.h>
#include <imgui.h>

#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/edit/goal_edits.h"
#include "content/edit/json_style.h"
#include "content/edit/part_edits.h"
#include "content/reader/load_scene.h"
#include "runtime/workbench/gizmo_drawing.h"
#include "runtime/workbench/new_parts.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using Selected = BenchSelection::Kind;

/// The folder in which a new scene begins.
std::string workingFolder() {
  std::error_code none;
  return fs::current_path(none).string();
}

std::unique_ptr<Workbench> emptyWorkbench() {
  return std::make_unique<Workbench>(
      content::SceneDocument(newSceneFile(workingFolder()), emptyBench(), true), std::vector<std::string>{});
}

/// Throws content::InputError if the file cannot be read.
std::unique_ptr<Workbench> workbenchOf(const SceneOptions& scene) {
  return std::make_unique<Workbench>(content::SceneDocument(scene.file, content::readSceneText(scene.file)),
                                     scene.settings);
}

}  // namespace

void Arranging::begin(std::unique_ptr<Workbench> bench) {
  import_.cancel();
  bench_ = std::move(bench);
  arrange_ = {};
  file_ = {};
  tools_ = {};
  runsDocument_ = false;
  answered_ = -1;
}

void Arranging::beginEmpty() {
  begin(emptyWorkbench());
  activate();
}

void Arranging::activate() {
  active_ = true;
  view_.hoveredPart.reset();
  view_.measured.clear();
}

void Arranging::enter(const SceneOptions& scene, const content::Scene& running,
                      std::span<const physics::Pose> X_WP) {
  if (!load(scene)) return;
  activate();
  arrange_.simulated.clear();
  for (std::size_t k = 0; k < running.parts.size() && k < X_WP.size(); ++k)
    arrange_.simulated.emplace_back(running.parts[k].name, X_WP[k]);
}

bool Arranging::load(const SceneOptions& scene) {
  if (bench_ && (runsDocument_ || isModified() || bench_->document().file() == scene.file)) {
    if (!runsDocument_ && bench_->document().file() == scene.file) bench_->setSettings(scene.settings);
    return true;
  }
  try {
    begin(workbenchOf(scene));
    return true;
  } catch (const std::exception& error) {
    view_.showNotice(error.what());
    return false;
  }
}

bool Arranging::enterRejected(const SceneOptions& scene) {
  if (!mayReplace()) return false;
  try {
    std::unique_ptr<Workbench> bench = workbenchOf(scene);
    if (bench->isRejected()) return false;
    begin(std::move(bench));
    activate();
    return true;
  } catch (const std::exception&) {  // has been shown when the scene was opened
    return false;
  }
}

/// True if the document has no changes but those for which the question was answered.
bool Arranging::mayReplace() const {
  return !isModified() || bench_->document().revision() == answered_;
}

void Arranging::leave(const SceneOptions& scene, bool isDocument) {
  active_ = false;
  runsDocument_ = isDocument;
  view_.selectedPart.reset();
  view_.hoveredPart.reset();
  if (isDocument || !bench_ || !mayReplace()) return;
  if (isModified() || bench_->document().file() != scene.file) begin(nullptr);
}

SceneOptions Arranging::running(const SceneOptions& opened) const {
  return runsDocument_ ? SceneOptions{bench_->document().file(), bench_->settings()} : opened;
}

std::string Arranging::textWith(const std::vector<std::string>& settings) {
  bench_->setSettings(settings);
  return bench_->document().text();
}

void Arranging::keepParameters() {
  const std::vector<content::Parameter> parameters = bench_->scene().parameters;
  try {
    bench_->edit("defaults of parameters", [&](content::JsonText& text) {
      for (std::size_t k = 0; k < parameters.size(); ++k)
        if (parameters[k].value != parameters[k].defaultValue)
          text.set(fmt::format("/parameters/{}/default", k), content::number(parameters[k].value));
    });
    bench_->setSettings({});
  } catch (const std::exception& error) {
    view_.showNotice(error.what());
  }
}

std::string Arranging::saveUnsaved() const {
  if (!isModified()) return "";
  const std::string file = writeUnsaved(bench_->document());
  return file.empty() ? "unsaved changes are lost: no file could be written"
                      : "unsaved changes are in " + file;
}

void Arranging::run() {
  bench_->waitForReader();
  if (!bench_->problem().empty()) return view_.showNotice(bench_->problem());
  tools_.cancel(*bench_);
  onRun({bench_->document().file(), bench_->settings()}, bench_->document().text());
}

BenchPicture Arranging::picture(const ImageArea& area) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const RelativeImageArea share = shareOf(area, size.x, size.y);
  return {*bench_, view_, arrange_, share.area, share.aspect, area.height, ImGui::GetIO().WantCaptureMouse};
}

bool Arranging::handleInput(const xr::WindowInput& input, const ImageArea& area) {
  return tools_.handleInput(input, picture(area));
}

void Arranging::updateHover(const ImageArea& area) {
  tools_.updateHover(picture(area));
}

bool Arranging::perform(Action action, bool shift) {
  const auto choose = [&](ArrangeTool tool) {
    arrange_.tool = tool;
    arrange_.picked.reset();
  };
  switch (action) {
    case Action::arrange:
      run();
      return true;
    case Action::undo:
      bench_->undo();
      return true;
    case Action::redo:
      bench_->redo();
      return true;
    case Action::addPart:
      arrange_.add.open = !arrange_.add.open;
      return true;
    case Action::deleteSelected:
      deleteSelected();
      return true;
    case Action::duplicate:
      duplicate();
      return true;
    case Action::moveTool:
      choose(ArrangeTool::move);
      return true;
    case Action::turnTool:
      choose(ArrangeTool::turn);
      return true;
    case Action::snapTool:
      choose(ArrangeTool::snap);
      return true;
    case Action::goalTool:
      choose(ArrangeTool::goal);
      return true;
    case Action::gizmoAxes:
      arrange_.partAxes = !arrange_.partAxes;
      return true;
    case Action::save:
      if (!shift) {
        file_.save(*bench_, arrange_, view_);
        return true;
      }
      [[fallthrough]];
    case Action::saveAs: {
      const fs::path file = bench_->document().file();
      arrange_.files = fileList(FilePurpose::saveAs, file.parent_path().string(), file.filename().string());
      return true;
    }
    default:
      return false;
  }
}

void Arranging::deleteSelected() {
  const content::Scene& scene = bench_->scene();
  const BenchSelection selection = bench_->selection();
  try {
    if (const int part = bench_->selectedPart(); part >= 0) {
      std::string also;
      const int count = bench_->countOfEntry(part);
      const std::string name =
          count > 1 ? fmt::format("{} parts of this entry", count) : scene.part(part).name;
      bench_->edit("delete " + name, [&](content::JsonText& text) {
        also = content::removePart(text, bench_->newestScene(), part);
      });
      if (!also.empty()) also = ", with " + also;
      if (!also.empty() || count > 1) view_.showNotice(name + " deleted" + also + ". Ctrl+Z: undo");
    } else if (const auto goal = bench_->selectedGoal()) {
      bench_->edit("delete goal", [&](content::JsonText& text) { content::removeGoal(text, *goal); });
    } else if (selection.kind == Selected::joint) {
      bench_->edit("delete joint",
                   [&](content::JsonText& text) { text.remove(fmt::format("/joints/{}", selection.index)); });
    }
    bench_->select({});
  } catch (const std::exception& error) {
    view_.showNotice(error.what());
  }
}

void Arranging::duplicate() {
  const int part = bench_->selectedPart();
  if (part < 0) return;
  const content::Scene& scene = bench_->scene();
  std::vector<std::string> names;
  for (const content::Part& one : scene.parts) names.push_back(one.name);
  const std::string name = content::freeName(scene.part(part).name, names);
  try {
    bench_->edit("duplicate " + scene.part(part).name, [&](content::JsonText& text) {
      content::duplicatePart(text, bench_->newestScene(), part, name,
                             {scene.part(part).X_WP.q, placeBeside(scene, part)});
    });
    bench_->selectNamed(name);
  } catch (const std::exception& error) {
    view_.showNotice(error.what());
  }
}

bool Arranging::closeDialog() {
  if (!arrange_.questions.empty()) {
    arrange_.questions.pop_back();
    return true;
  }
  if (arrange_.files.purpose == FilePurpose::none) return false;
  arrange_.files.purpose = FilePurpose::none;
  return true;
}

bool Arranging::cancel() {
  if (closeDialog()) return true;
  if (!active_) return false;
  const bool picksFeatures = arrange_.tool == ArrangeTool::snap || arrange_.tool == ArrangeTool::goal;
  const bool selected = bench_->selection().kind != Selected::nothing;
  if (!arrange_.add.open && !tools_.drag() && !arrange_.picked && !picksFeatures && !selected) return false;
  if (arrange_.add.open) {
    arrange_.add.open = false;
  } else if (tools_.drag()) {
    tools_.cancel(*bench_);
  } else if (arrange_.picked) {
    arrange_.picked.reset();
  } else if (picksFeatures) {
    arrange_.tool = ArrangeTool::move;
  } else {
    bench_->select({});
  }
  return true;
}

void Arranging::requireSaved(const std::string& what, const std::function<void()>& then) {
  if (!isModified()) return then();
  if (!arrange_.questions.empty()) return;
  requireAnswer(what, *bench_, arrange_, view_, file_, [this, then] {
    afterDialogs_ = [this, then] {
      answered_ = bench_->document().revision();
      then();
    };
  });
}

bool Arranging::update(double now) {
  if (afterDialogs_) std::exchange(afterDialogs_, nullptr)();
  if (const auto file = std::exchange(arrange_.files.chosen, std::nullopt))
    performFile(*file, std::exchange(arrange_.files.purpose, FilePurpose::none));
  // Without a dialog nothing is left to wait for.
  if (arrange_.files.purpose == FilePurpose::none && arrange_.questions.empty()) file_.cancelThen();
  if (!active_) return false;
  file_.watch(now, *bench_, arrange_, view_);
  if (const std::string problem = import_.update(*bench_); !problem.empty()) view_.showNotice(problem);
  arrange_.importing = import_.isRunning() ? import_.progress() : "";
  const bool changed = bench_->update();
  if (changed) {
    tools_.cancel(*bench_);
    arrange_.picked.reset();
    arrange_.hovered.reset();
    view_.hoveredPart.reset();
    view_.measured.clear();
  }
  const int part = bench_->selectedPart();
  view_.selectedPart = part < 0 ? std::nullopt : std::optional(part);
  return changed;
}

void Arranging::drawPanels(PanelContext& context) {
  ArrangeContext arrange{context, *bench_, arrange_};
  if (arrange_.entered) ImGui::SetWindowFocus(nullptr);  // ends typing
  drawArrangePanels(arrange);
}

void Arranging::drawDialogs(PanelContext& context) {
  if (!bench_ && arrange_.files.purpose == FilePurpose::none) return;
  if (!bench_) bench_ = emptyWorkbench();
  ArrangeContext arrange{context, *bench_, arrange_};
  drawArrangeDialogs(arrange);
  arrange_.entered = false;
}

void Arranging::drawOverlay(const ImageArea& area) {
  drawGizmo(area, picture(area), tools_);
}

nlohmann::ordered_json Arranging::trace(const ImageArea& area) {
  if (!active_) return {{"arranging", false}};
  const int part = bench_->selectedPart();
  return {{"arranging", active_},
          {"selected", part < 0 ? "" : bench_->scene().part(part).name},
          {"selected_goal", bench_->selectedGoal().has_value()},
          {"problem", bench_->problem()},
          {"reading_bench", isReading()},
          {"importing", arrange_.importing},
          {"file", bench_->document().file()},
          {"modified", bench_->document().isModified()},
          {"parts", bench_->scene().parts.size()},
          {"bench_goals", bench_->scene().goals.size()},
          {"handles", handlePlaces(area, picture(area))}};
}

}  // namespace tenon::runtime
