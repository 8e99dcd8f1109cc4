// Draws into Dear ImGui's background draw list, behind all panels.
#include "runtime/live_view/overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "content/input/wording.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

namespace palette = xr::palette;

constexpr ImU32 kInk = xr::drawColor(palette::kInk),
                kPaper = xr::drawColor(palette::kPaper, palette::kPaperOpacity),
                kHalo = xr::drawColor(palette::kHalo), kHand = xr::drawColor(palette::kHand),
                kAtLimit = xr::drawColor(palette::kContact), kContact = xr::drawColor(palette::kContact),
                kMeasure = xr::drawColor(palette::kMeasure);
constexpr std::size_t kMaxDrawnContacts = 400;

/// The image area in pixels, with placement of texts that do not overlap.
class Canvas {
 public:
  Canvas(const ImageArea& area, const xr::View& view)
      : list_(*ImGui::GetBackgroundDrawList()), area_(area), view_(view) {
    list_.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height});
  }
  ~Canvas() { list_.PopClipRect(); }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  ImDrawList& list() { return list_; }
  const ImageArea& area() const { return area_; }

  std::optional<ImVec2> at(const Vector3d& p_W) const {
    const Vector3d p = projected(view_, p_W);
    if (p.z() <= view_.nearPlane || !p.allFinite() || std::abs(p.x()) > 50 || std::abs(p.y()) > 50)
      return std::nullopt;
    return ImVec2(area_.x + static_cast<float>(p.x()) * area_.width,
                  area_.y + static_cast<float>(p.y()) * area_.height);
  }

  /// Draws a text on a background, its top left corner at the first free position in `corners`; draws nothing
  /// if all would overlap another text.
  void drawText(std::initializer_list<ImVec2> corners, const std::string& text) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float gap = 0.3f * ImGui::GetFontSize();
    for (const ImVec2& corner : corners) {
      const ImVec4 box(corner.x - gap, corner.y - 0.4f * gap, corner.x + size.x + gap,
                       corner.y + size.y + 0.4f * gap);
      if (!isFree(box)) continue;
      occupied_.push_back(box);
      list_.AddRectFilled({box.x, box.y}, {box.z, box.w}, kPaper, gap);
      list_.AddText(corner, kInk, text.c_str());
      return;
    }
  }
  /// Keeps texts out of `box`.
  void reserve(const ImVec4& box) { occupied_.push_back(box); }

 private:
  /// True if `box` is inside the image and overlaps no text.
  bool isFree(const ImVec4& box) const {
    if (box.x < area_.x || box.y < area_.y || box.z > area_.x + area_.width || box.w > area_.y + area_.height)
      return false;
    return std::none_of(occupied_.begin(), occupied_.end(), [&](const ImVec4& other) {
      return other.x < box.z && box.x < other.z && other.y < box.w && box.y < other.w;
    });
  }

  ImDrawList& list_;
  ImageArea area_;
  const xr::View& view_;
  std::vector<ImVec4> occupied_;  ///< left, top, right, bottom
};

/// Labels beside the arrow tips. If two overlap, only the one with the greater force, which comes first, is
/// drawn.
void drawLabels(Canvas& canvas, const xr::RenderScene& renderScene) {
  for (const xr::Label& label : renderScene.labels) {
    const auto at = canvas.at(label.at), from = canvas.at(label.from);
    if (!at) continue;
    const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
    const float gap = 0.5f * ImGui::GetFontSize();
    ImVec2 corner(at->x + gap, at->y - size.y - gap);
    if (from && at->x < from->x - 0.4f * std::abs(at->y - from->y)) corner.x = at->x - gap - size.x;
    if (from && at->y > from->y + 0.4f * std::abs(at->x - from->x)) corner.y = at->y + gap;
    canvas.drawText({corner}, label.text);
  }
}

void drawLegend(Canvas& canvas, const xr::RenderScene& renderScene) {
  if (renderScene.captions.empty()) return;
  const float line = 1.35f * ImGui::GetFontSize(), margin = 0.8f * ImGui::GetFontSize(),
              swatch = 1.4f * ImGui::GetFontSize();
  float width = 0;
  for (const xr::Caption& caption : renderScene.captions)
    width = std::max(width, ImGui::CalcTextSize(caption.text.c_str()).x + (caption.color ? swatch + 6 : 0));
  const float height = line * static_cast<float>(renderScene.captions.size());
  const ImageArea& a = canvas.area();
  const ImVec2 corner(a.x + margin, a.y + a.height - margin - height - margin);
  const ImVec2 end(corner.x + width + 2 * margin, corner.y + height + margin);
  canvas.reserve({corner.x, corner.y, end.x, end.y});
  canvas.list().AddRectFilled(corner, end, kPaper, 6);
  float y = corner.y + 0.5f * margin;
  for (const xr::Caption& caption : renderScene.captions) {
    float x = corner.x + margin;
    if (caption.color) {
      canvas.list().AddLine({x, y + 0.5f * line}, {x + swatch, y + 0.5f * line},
                            ImGui::GetColorU32(xr::uiColor(*caption.color)), 4);
      x += swatch + 6;
    }
    canvas.list().AddText({x, y + 0.5f * (line - ImGui::GetFontSize())}, kInk, caption.text.c_str());
    y += line;
  }
}

/// A spring between two points; `load`: force / maximum force, shown from blue to vermilion.
void drawSpring(Canvas& canvas, ImVec2 a, ImVec2 b, double load) {
  const auto mix = [&](int low, int high) {
    return static_cast<int>(std::lround(low + std::clamp(load, 0.0, 1.0) * (high - low)));
  };
  constexpr xr::Color low = palette::kHand, high = palette::kContact;
  const ImU32 color =
      IM_COL32(mix(low.red, high.red), mix(low.green, high.green), mix(low.blue, high.blue), 255);
  const float dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  if (length < 3) return;
  constexpr int kTurns = 7, kPoints = 12 * kTurns;
  const float amplitude = std::min(7.0f, 0.18f * length);
  std::vector<ImVec2> line;
  for (int k = 0; k <= kPoints; ++k) {
    const float t = static_cast<float>(k) / kPoints, taper = std::min({1.0f, 8 * t, 8 * (1 - t)});
    const float s = amplitude * taper * std::sin(2 * std::numbers::pi_v<float> * kTurns * t);
    line.emplace_back(a.x + t * dx - s * dy / length, a.y + t * dy + s * dx / length);
  }
  canvas.list().AddPolyline(line.data(), static_cast<int>(line.size()), kHalo, 0, 4.5f);
  canvas.list().AddPolyline(line.data(), static_cast<int>(line.size()), color, 0, 2.2f);
}

void drawHands(Canvas& canvas, const SceneView& sceneView, const InterpolatedState& drawn) {
  for (std::size_t k = 0; k < drawn.hands.size() && k < sceneView.scene->hands.size(); ++k) {
    const InterpolatedHand& hand = drawn.hands[k];
    if (hand.part < 0) continue;
    const content::Hand& sceneHand = sceneView.scene->hands[k];
    const double force = hand.force.norm(), share = force / sceneHand.parameters.maxForce;
    const auto target = canvas.at(hand.X_WH.p), anchor = canvas.at(hand.anchor_W);
    if (!target || !anchor) continue;
    drawSpring(canvas, *anchor, *target, share);
    canvas.list().AddCircleFilled(*anchor, 4.5f, kHand);
    canvas.list().AddCircle(*target, 8, kHalo, 24, 4);
    canvas.list().AddCircle(*target, 8, share > 0.98 ? kAtLimit : kHand, 24, 2);
    if (force < 0.05) continue;
    const std::string text =
        fmt::format("{} {:.3g} N{}", sceneHand.name, force, share > 0.98 ? " (limit)" : "");
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float left = target->x - 14 - size.x, above = target->y - 4 - size.y;
    canvas.drawText(
        {{target->x + 14, target->y + 4}, {left, target->y + 4}, {target->x + 14, above}, {left, above}},
        text);
  }
}

void drawContacts(Canvas& canvas, const physics::StepResult& tick) {
  std::size_t drawn = 0;
  for (const physics::ContactForce& c : tick.contacts) {
    const auto at = canvas.at(c.contact.p);
    if (!at || ++drawn > kMaxDrawnContacts) continue;
    canvas.list().AddCircleFilled(*at, 4, kHalo, 12);
    if (c.force > 0) {
      canvas.list().AddCircleFilled(*at, 3, kContact, 12);
    } else {
      canvas.list().AddCircle(*at, 3, kContact, 12, 1);
    }
  }
}

/// The distance of two points: a line with arrows at its ends, and its length.
void drawDimension(Canvas& canvas, const std::array<Vector3d, 2>& ends) {
  const auto a = canvas.at(ends[0]), b = canvas.at(ends[1]);
  if (!a || !b) return;
  canvas.list().AddLine(*a, *b, kHalo, 5);
  canvas.list().AddLine(*a, *b, kMeasure, 2.5f);
  const float length = std::hypot(b->x - a->x, b->y - a->y), head = 0.6f * ImGui::GetFontSize();
  if (length > 3 * head) {
    const ImVec2 d((b->x - a->x) / length, (b->y - a->y) / length);
    const auto arrow = [&](ImVec2 tip, float sign) {
      const ImVec2 base(tip.x + sign * head * d.x, tip.y + sign * head * d.y);
      const float half = 0.35f * head;
      canvas.list().AddTriangleFilled(tip, {base.x - half * d.y, base.y + half * d.x},
                                      {base.x + half * d.y, base.y - half * d.x}, kMeasure);
    };
    arrow(*a, 1);
    arrow(*b, -1);
  }
  const std::string text = content::smallLengthText((ends[1] - ends[0]).norm());
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float x = 0.5f * (a->x + b->x), y = 0.5f * (a->y + b->y), gap = 0.7f * ImGui::GetFontSize();
  canvas.drawText({{x + gap, y - size.y - gap},
                   {x - gap - size.x, y - size.y - gap},
                   {x + gap, y + gap},
                   {x - gap - size.x, y + gap}},
                  text);
}

void drawMeasure(Canvas& canvas, const InterpolatedState& drawn, const ViewState& state) {
  for (const xr::PickedFeature& feature : state.measured) {
    const auto at = canvas.at((drawn.X_WP[static_cast<std::size_t>(feature.part)] * feature.X_PF).p);
    if (!at) continue;
    canvas.list().AddCircle(*at, 6, kHalo, 20, 4);
    canvas.list().AddCircle(*at, 6, kMeasure, 20, 2);
  }
  if (state.measurementEnds) drawDimension(canvas, *state.measurementEnds);
  if (state.measurementText.empty()) return;
  const ImVec2 size = ImGui::CalcTextSize(state.measurementText.c_str());
  const ImageArea& a = canvas.area();
  const float top = a.y + 1.2f * ImGui::GetFontSize(), middle = a.x + 0.5f * (a.width - size.x);
  canvas.drawText({{middle, top}, {a.x + 0.5f * ImGui::GetFontSize(), top}}, state.measurementText);
}

void drawName(Canvas& canvas, const SceneView& sceneView, const InterpolatedState& drawn,
              const ViewState& state) {
  const bool busy = std::any_of(drawn.hands.begin(), drawn.hands.end(),
                                [](const InterpolatedHand& hand) { return hand.part >= 0; });
  if (!state.settings.names || !state.hoveredPart || busy) return;
  const content::Part& part = sceneView.scene->part(state.hoveredPart->part);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::string text = part.name;
  if (!part.libraryName.empty()) text += " · " + part.libraryName;
  if (part.motion != physics::MotionType::dynamic) text += " (fixed)";
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  canvas.drawText({{mouse.x + 18, mouse.y + 14},
                   {mouse.x - 8 - size.x, mouse.y + 14},
                   {mouse.x + 18, mouse.y - 8 - size.y},
                   {mouse.x - 8 - size.x, mouse.y - 8 - size.y}},
                  text);
}

}  // namespace

void drawOverlay(const ImageArea& area, const xr::View& view, const xr::RenderScene& renderScene,
                 const SceneView& sceneView, const SimulationFrame& frame, const InterpolatedState& drawn,
                 const ViewState& state) {
  Canvas canvas(area, view);
  if (state.settings.contacts) drawContacts(canvas, frame.record.tick);
  if (const auto cube = state.marks.find("view cube"); cube != state.marks.end())
    canvas.reserve({cube->second[0], cube->second[1], cube->second[2], cube->second[3]});
  // In order of priority: a later text is omitted if it overlaps an earlier one.
  drawLegend(canvas, renderScene);
  drawMeasure(canvas, drawn, state);
  drawName(canvas, sceneView, drawn, state);
  drawHands(canvas, sceneView, drawn);
  drawLabels(canvas, renderScene);
}

}  // namespace tenon::runtime
