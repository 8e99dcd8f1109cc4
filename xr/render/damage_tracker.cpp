// Meshes are represented by their boxes. A box can shade only what it meets when it is swept along the
// direction of light, so only those parts and that ground are redrawn, and only there.
#include "xr/render/damage_tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::xr {

namespace {

constexpr double kMinVisibleMotion = 0.02;  ///< smaller motions are ignored [pixels]
constexpr int kTile = 32;                   ///< side of a tile of deferred damage [pixels]
/// Fraction of the view that is redrawn for stale tiles in a frame with motion, and in one without.
constexpr double kStaleFraction = 0.04, kStaleFractionAtRest = 0.06;
constexpr std::size_t kMaxRects = 400;  ///< with more rectangles a full redraw is cheaper
/// Cost of software rendering, measured: per pixel, per index, per rectangle [ns].
constexpr double kPixelCost = 80, kIndexCost = 60, kRectCost = 200'000;

Eigen::AlignedBox3d boxAround(std::span<const Eigen::Vector3d> points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : points) box.extend(p);
  return box;
}

Eigen::AlignedBox3d inflated(const Eigen::AlignedBox3d& box, double margin) {
  return {box.min().array() - margin, box.max().array() + margin};
}

/// The interval of t > 0 in which `box` moved by t · `direction` overlaps `other`; empty if it never does.
std::optional<std::array<double, 2>> sweepOverlap(const Eigen::AlignedBox3d& box,
                                                  const Eigen::Vector3d& direction,
                                                  const Eigen::AlignedBox3d& other) {
  double from = 0, to = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double low = other.min()[axis] - box.max()[axis], high = other.max()[axis] - box.min()[axis];
    if (std::abs(direction[axis]) < 1e-12) {
      if (low > 0 || high < 0) return std::nullopt;
      continue;
    }
    const double a = low / direction[axis], b = high / direction[axis];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  if (!(from <= to)) return std::nullopt;
  return std::array{from, to};
}

bool sameView(const View& a, const View& b) {
  return a.X_WC.p == b.X_WC.p && a.X_WC.q.coeffs() == b.X_WC.q.coeffs() && a.left == b.left &&
         a.right == b.right && a.down == b.down && a.up == b.up && a.nearPlane == b.nearPlane &&
         a.farPlane == b.farPlane && a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

bool sameAppearance(const PlacedMesh& a, const PlacedMesh& b) {
  return a.mesh == b.mesh && a.material == b.material && a.patches == b.patches;
}

/// A box divided along its longest side into at most 4 boxes: tighter bounds for a long caster that is
/// tilted.
std::vector<Eigen::AlignedBox3d> splitAlongLength(const Eigen::AlignedBox3d& box) {
  int axis = 0;
  const Eigen::Vector3d size = box.sizes();
  const double length = size.maxCoeff(&axis);
  const double width = std::max(size[(axis + 1) % 3], size[(axis + 2) % 3]);
  const int count = std::clamp(static_cast<int>(length / std::max(width, 1e-9)), 1, 4);
  std::vector<Eigen::AlignedBox3d> boxes;
  for (int k = 0; k < count; ++k) {
    Eigen::AlignedBox3d& slice = boxes.emplace_back(box);
    slice.min()[axis] += length * k / count;
    slice.max()[axis] = box.min()[axis] + length * (k + 1) / count;
  }
  return boxes;
}

}  // namespace

bool DamageTracker::sameInputs(const FrameInputs& s) const {
  const FrameInputs& was = inputs_;
  if (!sameView(was.view, s.view) || was.width != s.width || was.height != s.height ||
      was.meshes != s.meshes || was.bounds.center != s.bounds.center || was.bounds.radius != s.bounds.radius)
    return false;
  if (was.section.has_value() != s.section.has_value() || was.ground.has_value() != s.ground.has_value())
    return false;
  if (s.section && (was.section->normal != s.section->normal || was.section->offset != s.section->offset))
    return false;
  return !s.ground || (was.ground->height == s.ground->height && was.ground->cell == s.ground->cell);
}

void DamageTracker::add(const PixelRect& rect, bool isProminent) {
  if (rect.empty()) return;
  if (isProminent) {
    rects_.push_back(rect);
    return;
  }
  for (int row = (rect.top - pixels_.viewRect().top) / kTile;
       row * kTile < rect.bottom - pixels_.viewRect().top; ++row)
    for (int column = (rect.left - pixels_.viewRect().left) / kTile;
         column * kTile < rect.right - pixels_.viewRect().left; ++column)
      stale_[tileAt(row, column)] = true;
}

/// Adds the old and the new place of each mesh that differs; true if one does.
bool DamageTracker::addMoves(const std::vector<PlacedMesh>& meshes) {
  bool any = false;
  for (std::size_t k = 0; k < std::max(meshes.size(), meshes_.size()); ++k) {
    const PlacedMesh* const was = k < meshes_.size() ? &meshes_[k] : nullptr;
    const PlacedMesh* const is = k < meshes.size() ? &meshes[k] : nullptr;
    if (was != nullptr && is != nullptr && sameAppearance(*was, *is)) {
      if (was->model == is->model) continue;
      const Corners a = cornersOf(was->box, was->model), b = cornersOf(is->box, is->model);
      bool isInvisible = true;
      for (std::size_t c = 0; c < a.size(); ++c) {
        const Eigen::Vector3d p = pixels_(a[c]), q = pixels_(b[c]);
        isInvisible = isInvisible && (p.head<2>() / p.z() - q.head<2>() / q.z()).norm() < kMinVisibleMotion;
      }
      if (isInvisible) continue;
    }
    PixelRect before;
    if (was != nullptr) before = pixels_.boundsOf(cornersOf(was->box, was->model));
    const PixelRect now = is == nullptr ? PixelRect() : pixels_.boundsOf(cornersOf(is->box, is->model));
    if (before.intersects(now)) {
      add(united(before, now), true);
    } else {
      add(before, true);
      add(now, true);
    }
    any = true;
    if (was != nullptr && is != nullptr) meshes_[k] = *is;
  }
  return any;
}

/// The pixels of a patch that the shadow of a box with corners `caster` can cover.
PixelRect DamageTracker::shadowOn(const PlacedMesh& mesh, const Patch& patch,
                                  std::span<const Eigen::Vector3d> caster, const Eigen::Vector3d& toward,
                                  double blur) const {
  const Eigen::Vector3d normal = mesh.model.topLeftCorner<3, 3>() * patch.normal;
  const Corners corners = cornersOf(inflated(patch.box, blur), mesh.model);
  if (!patch.normal.isZero()) {
    const Eigen::Vector3d toEye = inputs_.view.toCamera(corners.front());
    if (normal.dot(toward) <= 0 || normal.dot(toEye) < -4 * blur) return {};
  }
  const auto interval = sweepOverlap(boxAround(caster), -toward, boxAround(corners));
  if (!interval) return {};
  std::array<Eigen::Vector3d, 16> swept;
  for (std::size_t c = 0; c < caster.size(); ++c) {
    swept[2 * c] = caster[c] - (*interval)[0] * toward;
    swept[2 * c + 1] = caster[c] - (*interval)[1] * toward;
  }
  return intersection(pixels_.boundsOf(swept), pixels_.boundsOf(corners));
}

/// Adds the old and the new place of a shadow, on the ground and on the parts that the light meets.
void DamageTracker::addShadow(const MovedShadows::Shadow& shadow, const SkyLight& light, double blur,
                              bool isProminent) {
  const Eigen::Vector3d& toward = light.toward;
  for (const Eigen::AlignedBox3d& slice : splitAlongLength(inflated(meshes_[shadow.mesh].box, blur))) {
    const std::array<Corners, 2> casters{cornersOf(slice, shadow.before), cornersOf(slice, shadow.after)};
    if (inputs_.ground) {
      PixelRect rect;
      for (Corners corners : casters) {
        for (Eigen::Vector3d& p : corners) p -= (p.z() - inputs_.ground->height) / toward.z() * toward;
        rect = united(rect, pixels_.boundsOf(corners));
      }
      add(rect, isProminent);
    }
    for (std::size_t k = 0; k < meshes_.size(); ++k) {
      if (k == shadow.mesh || meshes_[k].patches == nullptr || meshRects_[k].empty()) continue;
      PixelRect rect;
      for (const Corners& corners : casters) {
        if (!sweepOverlap(boxAround(corners), -toward, worldBoxes_[k])) continue;
        for (const Patch& patch : *meshes_[k].patches)
          rect = united(rect, shadowOn(meshes_[k], patch, corners, toward, blur));
      }
      add(rect, isProminent);
    }
  }
}

/// Moves stale tiles to the rectangles, row by row from where the last frame stopped, up to `maxArea`
/// [pixels].
void DamageTracker::selectStaleTiles(double maxArea) {
  double area = 0;
  for (int row = 0; row < tilesDown_ && area < maxArea; ++row) {
    const int staleRow = nextStaleRow_;
    nextStaleRow_ = (nextStaleRow_ + 1) % tilesDown_;
    int first = tilesAcross_, last = -1;
    for (int column = 0; column < tilesAcross_; ++column) {
      const std::size_t tile = tileAt(staleRow, column);
      if (!stale_[tile]) continue;
      first = std::min(first, column);
      last = column;
      stale_[tile] = false;
    }
    if (last < 0) continue;
    const PixelRect rect = intersection(
        {pixels_.viewRect().left + first * kTile, pixels_.viewRect().top + staleRow * kTile,
         pixels_.viewRect().left + (last + 1) * kTile, pixels_.viewRect().top + (staleRow + 1) * kTile},
        pixels_.viewRect());
    add(rect, true);
    area += rect.area();
  }
}

double DamageTracker::costOf(const PixelRect& rect) const {
  double indices = 0;
  for (std::size_t k = 0; k < meshRects_.size(); ++k)
    if (meshRects_[k].intersects(rect)) indices += meshes_[k].indices;
  return kRectCost + kPixelCost * rect.area() + kIndexCost * indices;
}

/// Unites rectangles while that lowers the estimated cost.
void DamageTracker::merge() {
  // Rectangles that overlap much or adjoin are united first: their union has no larger area.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < rects_.size(); ++a)
      for (std::size_t b = rects_.size(); --b > a;) {
        const PixelRect both = united(rects_[a], rects_[b]);
        if (both.area() > rects_[a].area() + rects_[b].area()) continue;
        rects_[a] = both;
        rects_.erase(rects_.begin() + static_cast<std::ptrdiff_t>(b));
        changed = true;
      }
  }
  std::vector<double> costs;
  for (const PixelRect& rect : rects_) costs.push_back(costOf(rect));
  while (rects_.size() > 1) {
    double best = 0;
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < rects_.size(); ++a)
      for (std::size_t b = a + 1; b < rects_.size(); ++b) {
        const PixelRect both = united(rects_[a], rects_[b]);
        const double separate = costs[a] + costs[b];
        if (kRectCost + kPixelCost * both.area() - separate >= -best) continue;
        const double saved = separate - costOf(both);
        if (saved <= best) continue;
        best = saved;
        first = a;
        second = b;
      }
    if (best <= 0) return;
    rects_[first] = united(rects_[first], rects_[second]);
    costs[first] = costOf(rects_[first]);
    rects_.erase(rects_.begin() + static_cast<std::ptrdiff_t>(second));
    costs.erase(costs.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

void DamageTracker::markAllDrawn() {
  stale_.assign(static_cast<std::size_t>(tilesAcross_) * static_cast<std::size_t>(tilesDown_), false);
  staleTiles_ = 0;
  finalRedraw_ = false;
}

void DamageTracker::update(const FrameInputs& inputs, std::vector<PlacedMesh> meshes,
                           const MovedShadows& shadows) {
  fullRedraw_ = !valid_ || !sameInputs(inputs);
  valid_ = true;
  rects_.clear();
  inputs_ = inputs;
  pixels_ = PixelMap(inputs.view, inputs.width, inputs.height);
  tilesAcross_ = (pixels_.viewRect().right - pixels_.viewRect().left + kTile - 1) / kTile;
  tilesDown_ = (pixels_.viewRect().bottom - pixels_.viewRect().top + kTile - 1) / kTile;
  if (fullRedraw_) markAllDrawn();
  const bool moved = !fullRedraw_ && addMoves(meshes);
  // Poses whose motion was too small to be visible are kept, so that many small motions add up.
  if (fullRedraw_ || meshes.size() != meshes_.size()) meshes_ = std::move(meshes);
  meshRects_.clear();
  worldBoxes_.clear();
  double widest = shadows.blur;
  for (const SkyLight& light : shadows.lights) widest = std::max(widest, shadows.blur / light.mapSide);
  for (const PlacedMesh& mesh : meshes_) {
    const Corners corners = cornersOf(mesh.box, mesh.model);
    meshRects_.push_back(pixels_.boundsOf(corners));
    worldBoxes_.push_back(inflated(boxAround(corners), widest));
  }
  if (fullRedraw_) return;
  for (const MovedShadows::Shadow& shadow : shadows.moved)
    for (std::size_t k = 0; k < shadows.lights.size(); ++k) {
      const SkyLight& light = shadows.lights[k];
      if (k < shadows.prominentLights) addShadow(shadow, light, shadows.prominentBlur / light.mapSide, true);
      addShadow(shadow, light, shadows.blur / light.mapSide, false);
    }
  if (rects_.size() > kMaxRects) {
    fullRedraw_ = true;
    return;
  }
  const bool isAtRest = !moved && shadows.moved.empty();
  const auto countStale = [&] { return static_cast<int>(std::count(stale_.begin(), stale_.end(), true)); };
  if (isAtRest && finalRedraw_ && countStale() == 0) {
    stale_.assign(stale_.size(), true);
    finalRedraw_ = false;
  }
  finalRedraw_ = finalRedraw_ || !isAtRest;
  selectStaleTiles((isAtRest ? kStaleFractionAtRest : kStaleFraction) * pixels_.viewRect().area());
  staleTiles_ = countStale();
  merge();
}

double DamageTracker::damagedFraction() const {
  if (fullRedraw_ || pixels_.viewRect().empty()) return 1;
  double area = 0;
  for (const PixelRect& rect : rects_) area += rect.area();
  return area / pixels_.viewRect().area();
}

}  // namespace tenon::xr
