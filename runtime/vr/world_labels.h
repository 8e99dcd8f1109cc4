// Labels at world positions, as panels that face the head.
#pragma once

#include <string>
#include <vector>

#include "runtime/vr/room.h"
#include "xr/display/panel_ui.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

inline constexpr int kLabelsHeight = 256;  ///< height of the label area in the panel image [pixels]
/// Height of a line of text: at least this [m], and this angle in the view [rad], 23 pixels of a headset with
/// 20 pixels per degree.
inline constexpr double kTextHeight = 0.012, kTextAngle = 0.02;
inline constexpr double kGroupAngle = 0.05;       ///< labels nearer than this in the view share a panel [rad]
inline constexpr std::size_t kMaxGroupLines = 4;  ///< of a panel

/// The labels of each panel, by their indices: those whose points are within kGroupAngle of the first one as
/// seen from the head [world, m]. A label at the place of what it labels has a panel of its own.
std::vector<std::vector<std::size_t>> groupLabels(const std::vector<xr::Label>& labels,
                                                  const physics::Vector3d& head);
/// The text of a panel: a line for each label, the last one "N more" if there are too many.
std::string groupText(const std::vector<xr::Label>& labels, const std::vector<std::size_t>& group);

/// Draws the labels of `renderScene` into the panel image (the current ImGui frame), and adds a panel for
/// each group of them, with a leader line to each labeled point. Panels do not cover each other where there
/// is room. Omits labels that do not fit into the image.
void addLabels(const Room& room, const physics::Pose& X_SHead, const xr::PanelUi& ui,
               xr::RenderScene& renderScene);

}  // namespace tenon::runtime
