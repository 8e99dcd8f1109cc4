// See face_patches.h.
#include "physics/collision/brep/face_patches.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "physics/collision/brep/freeform.h"

namespace tenon::physics::brep {
namespace {

// Bound of the length by which the border of a face goes beyond that of the surface, in a patch [m].
double lengthBeyond(const Face& face, const FreeformSurface& form, int patch) {
  const BezierPatch& shape = form.patch(patch);
  const auto& [low, high] = form.reach(patch);
  Vector2d most = Vector2d::Zero();
  for (const TrimSegment& s : face.trim.segments()) {
    const bool isCubic = s.kind == TrimSegment::Kind::cubic;
    for (const Vector2d& uv : {s.a, s.b, isCubic ? s.c : s.a, isCubic ? s.d : s.b})
      for (Eigen::Index k = 0; k < 2; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        const double x = std::clamp(uv[k], low[k], high[k]);
        most[k] = std::max({most[k], shape.low[axis] - x, x - shape.high[axis]});
      }
  }
  return most.dot(form.largestSpeed());
}

}  // namespace

std::vector<Face> patchesOf(const Face& whole, double joint) {
  constexpr double kMargin = 1e-5;  // [m]
  const FreeformSurface& form = *whole.surface.freeform;
  const Vector2d margin = Vector2d::Constant(kMargin).cwiseQuotient(form.largestSpeed());
  std::vector<Face> patches;
  for (int k = 0; k < form.patchCount(); ++k) {
    Face face;
    face.surface = whole.surface;
    face.surface.patch = k;
    face.concaveNeighbors = whole.concaveNeighbors;
    face.bounds = rotatedBounds(form.bounds(k), face.surface.X_BS);
    const auto& [low, high] = form.reach(k);
    bool isNear = false;
    face.trim = whole.trim.clipped(low - margin, high + margin, joint, isNear);
    if (!isNear) {
      if (!whole.trim.contains(0.5 * (low + high), form.largestSpeed(), 0)) continue;
      face.trim = Trim();  // the whole patch
    }
    const double beyond = lengthBeyond(face, form, k);
    face.bounds.low.array() -= beyond;
    face.bounds.high.array() += beyond;
    patches.push_back(std::move(face));
  }
  if (patches.empty()) {
    patches.push_back(whole);
    patches.front().surface.patch = 0;
  }
  return patches;
}

Bounds torusBounds(const Surface& s, const std::optional<std::array<double, 2>>& around,
                   const std::optional<std::array<double, 2>>& along) {
  constexpr double kAround = 2 * std::numbers::pi;
  // Extremes of cos and sin over what is covered.
  const auto extremes = [](const std::optional<std::array<double, 2>>& gap, auto f, auto g) {
    const double from = gap ? (*gap)[1] : 0, to = gap ? (*gap)[0] + kAround : kAround;
    Bounds box;
    const auto add = [&](double angle) {
      const Vector3d p(f(angle), g(angle), 0);
      include(box, Bounds{p, p});
    };
    add(from);
    add(to);
    for (double quarter = std::ceil(from / (kAround / 4)) * (kAround / 4); quarter < to;
         quarter += kAround / 4)
      add(quarter);
    return box;
  };
  const auto cosine = [](double angle) { return std::cos(angle); };
  const auto sine = [](double angle) { return std::sin(angle); };
  const Bounds tube = extremes(along, cosine, sine), turn = extremes(around, cosine, sine);
  Bounds box;
  for (const double rho : {s.radius + s.minor * tube.low.x(), s.radius + s.minor * tube.high.x()})
    for (const double x : {turn.low.x(), turn.high.x()})
      for (const double y : {turn.low.y(), turn.high.y()})
        for (const double z : {tube.low.y(), tube.high.y()}) {
          const Vector3d p(rho * x, rho * y, s.minor * z);
          include(box, Bounds{p, p});
        }
  return box;
}

bool isEndOnAxis(const Surface& s, const Vector3d& p) {
  constexpr double kOnAxis = 1e-9;  // [m]
  return s.kind == SurfaceKind::torus && s.minor > s.radius && p.head<2>().norm() < kOnAxis;
}

void endOnAxis(Face& face, bool isAbove) {
  constexpr double kWholeTube = 2 * std::numbers::pi;
  const double pole = std::numbers::pi - std::acos(face.surface.radius / face.surface.minor);
  double v = isAbove ? pole : -pole;
  v -= kWholeTube * std::floor((v - face.seam) / kWholeTube);
  face.trim.addLine({0, v}, {kWholeTube, v});
}

}  // namespace tenon::physics::brep
