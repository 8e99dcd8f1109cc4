// Fits a screw thread to the triangles around a helix.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/recognize/thread_model.h"

namespace tenon::content {

/// A thread as fitted, before its ends are known.
struct ThreadFit {
  ThreadModel model;
  double halfAngle = 0;      ///< of the flanks before it is set to 30° [rad]
  double rms = 0;            ///< of the vertices in the fit [m]
  double facets = 0;         ///< per turn [-]
  double low = 0, high = 0;  ///< complete threads, along the axis of the model [m]
  std::string problem;       ///< why it is not a thread that can be used, or ""

  double turns() const { return (high - low) / (model.starts * model.pitch); }
};

/// Vertices that subdivision has put inside of flat facets or on their straight edges: they are off the
/// surface by the sagitta of these facets. By vertex of the mesh.
std::vector<char> flatVertices(const Facets& facets);

/// The thread at a helix; empty if the triangles do not repeat along it as flanks between crests and roots.
/// Robust Gauss-Newton (Tukey's weights) on the distances of the vertices from flanks, crests and roots in
/// axis (4), pitch, phase, radii (3) and flank angle, which is then set to 30° and the pitch to that of a
/// standard, where they explain the vertices as well. With a problem, the model is a rough one.
std::optional<ThreadFit> fitThread(const Facets& facets, const std::vector<char>& isFlat, const Helix& helix);

}  // namespace tenon::content
