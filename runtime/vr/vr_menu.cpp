// Large buttons in two columns; pages for what has more than two states.
#include "runtime/vr/vr_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "runtime/live_view/panel_layout.h"
#include "runtime/vr/scale_advice.h"

namespace tenon::runtime {

namespace {

constexpr float kRowHeight = 76, kHalf = 0.5f * kMenuWidth;  // [pixels]
constexpr std::size_t kScenesPerPage = 6;
constexpr double kTableStep = 0.02;  ///< table height change per press [m]

/// The buttons of a page, `columns` per row.
class Buttons {
 public:
  Buttons(PanelContext& context, int columns) : context_(context), columns_(columns) {}

  bool operator()(const char* name, const std::string& text, bool enabled = true, bool on = false) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float all = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    if (count_++ % columns_ != 0) ImGui::SameLine();
    const ButtonState style(on);
    ImGui::BeginDisabled(!enabled);
    const auto columns = static_cast<float>(columns_);
    ImGui::PushID(name);
    const bool pressed =
        ImGui::Button(labelOf(text).c_str(), {(all - (columns - 1) * gap) / columns, kRowHeight});
    ImGui::PopID();
    ImGui::EndDisabled();
    mark(context_, name);
    return pressed;
  }

 private:
  PanelContext& context_;
  int columns_, count_ = 0;
};

const char* menuText(HandSection section) {
  constexpr std::array kTexts{"Section: off", "Section: hand", "Section: fixed"};
  return kTexts[static_cast<std::size_t>(section)];
}

HandSection next(HandSection section) {
  return section == HandSection::off      ? HandSection::inHand
         : section == HandSection::inHand ? HandSection::fixed
                                          : HandSection::off;
}

void drawMain(PanelContext& context, VrMenu& menu) {
  const LiveStatus& status = context.frame.status;
  MenuRequests& requests = menu.requests;
  ViewSettings& settings = context.state.settings;
  Buttons button(context, 2);
  const bool paused = status.isPausedByUser();
  if (button("pause", paused ? "Play" : "Pause", true, paused)) requests.playPause = true;
  if (button("reset", "Reset")) requests.reset = true;
  if (button("undo", "Undo", status.undoable > 0)) requests.undo = true;
  if (button("redo", "Redo", status.redoable > 0)) requests.redo = true;
  if (button("scenes", "Scene …")) menu.page = MenuPage::scenes;
  if (button("solvers", "Solver …")) menu.page = MenuPage::solvers;
  if (button("record", status.recording ? "Stop recording" : "Record", true, status.recording))
    requests.record = true;
  HandSection& section = menu.switches.section;
  if (button("section", menuText(section), true, section != HandSection::off)) section = next(section);
  if (button("forces", "Forces", true, settings.forces)) settings.forces = !settings.forces;
  bool &values = menu.switches.forceValues, &controls = menu.switches.controls;
  if (button("values", "Force values", true, values)) values = !values;
  if (button("guidance", "Guidance", true, status.guidance)) requests.guidance = true;
  if (button("targets", "Targets", true, settings.targets)) settings.targets = !settings.targets;
  if (button("room", "Room …")) menu.page = MenuPage::room;
  if (button("controls", "Controls", true, controls)) controls = !controls;
  if (button("enlarge", fmt::format("Enlarge to {:g}:1", kOfferedScale), menu.offersScale))
    requests.scale = kOfferedScale;
  if (button("quit", "Quit")) requests.quit = true;
}

/// True if pressed.
bool drawBack(PanelContext& context) {
  Buttons button(context, 1);
  return button("back", "← Back");
}

void drawScenes(PanelContext& context, VrMenu& menu) {
  if (drawBack(context)) menu.page = MenuPage::main;
  Buttons button(context, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
  const std::size_t end = std::min(menu.firstScene + kScenesPerPage, menu.scenes.size());
  for (std::size_t k = menu.firstScene; k < end; ++k) {
    const SceneEntry& scene = menu.scenes[k];
    if (button(scene.file.c_str(), scene.title.empty() ? scene.file : scene.title)) {
      menu.requests.scene = scene.file;
      menu.page = MenuPage::main;
    }
  }
  ImGui::PopStyleVar();
  if (menu.scenes.empty()) ImGui::TextDisabled("No folder content/scenes found");
  if (menu.scenes.size() > kScenesPerPage && button("more", "More …"))
    menu.firstScene = end < menu.scenes.size() ? end : 0;
}

void drawSolvers(PanelContext& context, VrMenu& menu) {
  if (drawBack(context)) menu.page = MenuPage::main;
  Buttons button(context, 1);
  for (const physics::SolverNameText& known : physics::kSolverNames) {
    const std::string name(known.text);
    if (!button(name.c_str(), name, true, known.name == context.frame.status.solver)) continue;
    menu.requests.solver = known.name;
    menu.page = MenuPage::main;
  }
}

/// The next larger or smaller scale of 1, 2, 5, 10.
double nextScale(double scale, bool larger) {
  constexpr std::array kScales{1.0, 2.0, 5.0, 10.0};
  if (larger) {
    const auto* const above =
        std::find_if(kScales.begin(), kScales.end(), [&](double s) { return s > scale + 1e-9; });
    return above == kScales.end() ? kScales.back() : *above;
  }
  double below = kScales.front();
  for (const double s : kScales)
    if (s < scale - 1e-9) below = s;
  return below;
}

void drawRoom(PanelContext& context, VrMenu& menu) {
  if (drawBack(context)) menu.page = MenuPage::main;
  Comfort& comfort = menu.switches.comfort;
  MenuRequests& requests = menu.requests;
  Buttons button(context, 2);
  if (button("smaller", fmt::format("Smaller ({:g}:1)", menu.scale), menu.scale > Room::kMinScale))
    requests.scale = nextScale(menu.scale, false);
  if (button("larger", "Larger", menu.scale < Room::kMaxScale)) requests.scale = nextScale(menu.scale, true);
  if (button("lower", "Lower table")) requests.raise -= kTableStep;
  if (button("higher", "Raise table")) requests.raise += kTableStep;
  if (button("recentre", "Recenter")) requests.recenter = true;
  if (button("table", "Put on my table")) requests.table = true;
  if (button("vignette", "Vignette", true, comfort.vignette)) comfort.vignette = !comfort.vignette;
  for (const char* const text : {"30", "45", "smooth", "off"}) {
    const TurnMode turning = *parseTurnMode(text);
    if (button(fmt::format("turn {}", text).c_str(),
               turning.step > 0 ? fmt::format("Turn: {}°", text) : fmt::format("Turn: {}", text), true,
               comfort.turning == turning))
      comfort.turning = turning;
  }
  if (button("left-handed", "Left-handed", true, comfort.leftHanded))
    comfort.leftHanded = !comfort.leftHanded;
  std::optional<bool>& sound = menu.switches.sound;
  if (button("sound", sound ? "Sound" : "No sound device", sound.has_value(), sound.value_or(false)))
    sound = !*sound;
}

/// A line of the color on the ground of labels.
void drawSwatch(const Eigen::Vector3d& linear) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight(), width = 1.8f * height;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, xr::drawColor(xr::palette::kPaper), 4);
  list.AddLine({at.x + 4, at.y + 0.5f * height}, {at.x + width - 4, at.y + 0.5f * height},
               ImGui::GetColorU32(xr::uiColor(linear)), 0.3f * height);
  ImGui::Dummy({width, height});
}

void drawState(PanelContext& context, const VrMenu& menu) {
  const LiveStatus& status = context.frame.status;
  const double share = status.paused ? 0 : 1e-6 * context.frame.record.step_us * status.rate;
  ImGui::TextUnformatted(context.sceneView.scene->title.c_str());
  ImGui::TextDisabled("%s",
                      fmt::format("{:.1f} s{}{}", 1e-9 * static_cast<double>(context.frame.time_ns),
                                  status.paused ? " · paused" : "", status.recording ? " · recording" : "")
                          .c_str());
  ImGui::TextDisabled("%s", fmt::format("{} · physics {:.0f} %", menu.frames, 100 * share).c_str());
  // Above the goals, which may be more than the panel shows.
  ImGui::PushTextWrapPos(0);
  for (const std::string* const text : {&menu.table, &menu.notice})
    if (!text->empty()) ImGui::TextColored(warningColor(), "%s", text->c_str());
  ImGui::PopTextWrapPos();
  ImGui::Separator();
  drawGoals(context);
  ImGui::Separator();
  for (const xr::Caption& caption : menu.captions) {
    if (caption.color) {
      drawSwatch(*caption.color);
      ImGui::SameLine();
    }
    ImGui::TextDisabled("%s", caption.text.c_str());
  }
}

}  // namespace

const char* toText(MenuPage page) {
  constexpr std::array kTexts{"main", "scenes", "solvers", "room"};
  return kTexts[static_cast<std::size_t>(page)];
}

void drawVrMenu(PanelContext& context, VrMenu& menu) {
  context.state.marks.clear();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  placeNext(0, 0, kHalf, kMenuHeight);
  if (ImGui::Begin("menu", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) {
    switch (menu.page) {
      case MenuPage::main:
        drawMain(context, menu);
        break;
      case MenuPage::scenes:
        drawScenes(context, menu);
        break;
      case MenuPage::solvers:
        drawSolvers(context, menu);
        break;
      case MenuPage::room:
        drawRoom(context, menu);
        break;
    }
  }
  ImGui::End();
  placeNext(kHalf, 0, kHalf, kMenuHeight);
  if (ImGui::Begin("state", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) drawState(context, menu);
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace tenon::runtime
