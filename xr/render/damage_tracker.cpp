// Boxes stand for meshes. Light falls along straight lines: what a box can shade is what it meets when it is
// moved along one, so only the parts and the ground that it meets, and only there.
#include "xr/render/damage_tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::xr {

namespace {

constexpr double kUnseen = 0.02;  ///< moves of less are none [pixels]
constexpr int kTile = 32;         ///< of what is drawn in turns [pixels]
constexpr double kTurn = 0.04,
                 kRestTurn = 0.06;       ///< of the view, in one picture: of one with moves, of one without
constexpr std::size_t kMostParts = 400;  ///< above that, telling them apart costs more than it spares
/// What drawing takes on a processor, as measured: of a pixel, of an index, of one more part [ns].
constexpr double kPixelCost = 80, kIndexCost = 60, kPartCost = 200'000;

Eigen::AlignedBox3d boxRound(std::span<const Eigen::Vector3d> points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : points) box.extend(p);
  return box;
}

Eigen::AlignedBox3d wider(const Eigen::AlignedBox3d& box, double by) {
  return {box.min().array() - by, box.max().array() + by};
}

/// While a box goes along `way`, from and to where it meets another one; empty where it does not.
std::optional<std::array<double, 2>> meeting(const Eigen::AlignedBox3d& box, const Eigen::Vector3d& way,
                                             const Eigen::AlignedBox3d& other) {
  double from = 0, to = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double low = other.min()[axis] - box.max()[axis], high = other.max()[axis] - box.min()[axis];
    if (std::abs(way[axis]) < 1e-12) {
      if (low > 0 || high < 0) return std::nullopt;
      continue;
    }
    const double a = low / way[axis], b = high / way[axis];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  if (!(from <= to)) return std::nullopt;
  return std::array{from, to};
}

PixelRect round(const PixelRect& a, const PixelRect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

bool sameView(const View& a, const View& b) {
  return a.X_WC.p == b.X_WC.p && a.X_WC.q.coeffs() == b.X_WC.q.coeffs() && a.left == b.left &&
         a.right == b.right && a.down == b.down && a.up == b.up && a.nearPlane == b.nearPlane && a.x == b.x &&
         a.y == b.y && a.width == b.width && a.height == b.height;
}

bool sameLooks(const PlacedMesh& a, const PlacedMesh& b) {
  return a.mesh == b.mesh && a.material == b.material && a.patches == b.patches;
}

/// A caster's box in pieces along its length: a long one that leans is nowhere as wide as the box round it.
std::vector<Eigen::AlignedBox3d> piecesOf(const Eigen::AlignedBox3d& box) {
  int axis = 0;
  const Eigen::Vector3d size = box.sizes();
  const double length = size.maxCoeff(&axis);
  const double width = std::max(size[(axis + 1) % 3], size[(axis + 2) % 3]);
  const int count = std::clamp(static_cast<int>(length / std::max(width, 1e-9)), 1, 4);
  std::vector<Eigen::AlignedBox3d> pieces;
  for (int k = 0; k < count; ++k) {
    Eigen::AlignedBox3d& piece = pieces.emplace_back(box);
    piece.min()[axis] += length * k / count;
    piece.max()[axis] = box.min()[axis] + length * (k + 1) / count;
  }
  return pieces;
}

struct Facet {
  Eigen::AlignedBox3d box;
  Eigen::Vector3d normal;
};

/// Halves along the longest side, until they are flat or few.
void split(std::span<Facet> facets, int depth, std::vector<Patch>& out) {
  constexpr std::size_t kFew = 8;
  constexpr double kFlat = 0.02;
  Patch patch{{}, facets.front().normal};
  for (const Facet& facet : facets) {
    patch.box.extend(facet.box);
    if ((facet.normal - patch.normal).squaredNorm() > 1e-8) patch.normal.setZero();
  }
  int axis = 0;
  const double longest = patch.box.sizes().maxCoeff(&axis);
  if (depth == 0 || facets.size() <= kFew || patch.box.sizes().minCoeff() < kFlat * longest) {
    out.push_back(patch);
    return;
  }
  const auto middle = facets.begin() + static_cast<std::ptrdiff_t>(facets.size() / 2);
  std::nth_element(facets.begin(), middle, facets.end(), [axis](const Facet& a, const Facet& b) {
    return a.box.center()[axis] < b.box.center()[axis];
  });
  split({facets.begin(), middle}, depth - 1, out);
  split({middle, facets.end()}, depth - 1, out);
}

}  // namespace

std::vector<Patch> patchesOf(const content::DisplayMesh& mesh) {
  constexpr int kHalvings = 4;
  std::array<std::vector<Facet>, 6> sides;  // by the axis that they face most
  for (const auto& triangle : mesh.triangles) {
    Facet facet;
    for (const std::uint32_t corner : triangle) facet.box.extend(mesh.positions[corner]);
    const Eigen::Vector3d a = mesh.positions[triangle[0]];
    const Eigen::Vector3d n = (mesh.positions[triangle[1]] - a).cross(mesh.positions[triangle[2]] - a);
    if (!(n.norm() > 0)) continue;
    facet.normal = n.normalized();
    int axis = 0;
    facet.normal.cwiseAbs().maxCoeff(&axis);
    const std::size_t side = facet.normal[axis] < 0 ? 1 : 0;
    sides[2 * static_cast<std::size_t>(axis) + side].push_back(facet);
  }
  std::vector<Patch> patches;
  for (std::vector<Facet>& side : sides)
    if (!side.empty()) split(side, kHalvings, patches);
  return patches;
}

bool DamageTracker::same(const FrameInputs& s) const {
  const FrameInputs& was = setting_;
  if (!sameView(was.view, s.view) || was.width != s.width || was.height != s.height ||
      was.meshes != s.meshes || was.bounds.center != s.bounds.center || was.bounds.radius != s.bounds.radius)
    return false;
  if (was.section.has_value() != s.section.has_value() || was.ground.has_value() != s.ground.has_value())
    return false;
  if (s.section && (was.section->normal != s.section->normal || was.section->offset != s.section->offset))
    return false;
  return !s.ground || (was.ground->height == s.ground->height && was.ground->cell == s.ground->cell);
}

void DamageTracker::add(const PixelRect& part, bool sharp) {
  if (part.empty()) return;
  if (sharp) {
    parts_.push_back(part);
    return;
  }
  for (int row = (part.top - pixels_.all().top) / kTile; row * kTile < part.bottom - pixels_.all().top; ++row)
    for (int column = (part.left - pixels_.all().left) / kTile;
         column * kTile < part.right - pixels_.all().left; ++column)
      stale_[tileAt(row, column)] = true;
}

/// True where something moved.
bool DamageTracker::addMoves(const std::vector<PlacedMesh>& meshes) {
  bool any = false;
  for (std::size_t k = 0; k < std::max(meshes.size(), meshes_.size()); ++k) {
    const PlacedMesh* const was = k < meshes_.size() ? &meshes_[k] : nullptr;
    const PlacedMesh* const is = k < meshes.size() ? &meshes[k] : nullptr;
    if (was != nullptr && is != nullptr && sameLooks(*was, *is)) {
      if (was->model == is->model) continue;
      const Corners a = cornersOf(was->box, was->model), b = cornersOf(is->box, is->model);
      bool unseen = true;
      for (std::size_t c = 0; c < a.size(); ++c) {
        const Eigen::Vector3d p = pixels_(a[c]), q = pixels_(b[c]);
        unseen = unseen && (p.head<2>() / p.z() - q.head<2>() / q.z()).norm() < kUnseen;
      }
      if (unseen) continue;
    }
    PixelRect part;
    if (was != nullptr) part = pixels_.around(cornersOf(was->box, was->model));
    const PixelRect now = is == nullptr ? PixelRect() : pixels_.around(cornersOf(is->box, is->model));
    if (part.intersects(now)) {
      add(round(part, now), true);
    } else {
      add(part, true);
      add(now, true);
    }
    any = true;
    if (was != nullptr && is != nullptr) meshes_[k] = *is;
  }
  return any;
}

/// Of the shadow of a caster with these corners.
PixelRect DamageTracker::shadowOn(const PlacedMesh& mesh, const Patch& patch,
                                  std::span<const Eigen::Vector3d> caster, const Eigen::Vector3d& toward,
                                  double blur) const {
  const Eigen::Vector3d normal = mesh.model.topLeftCorner<3, 3>() * patch.normal;
  const Corners place = cornersOf(wider(patch.box, blur), mesh.model);
  if (!patch.normal.isZero()) {
    const Eigen::Vector3d toEye = setting_.view.X_WC.p - place.front();
    if (normal.dot(toward) <= 0 || normal.dot(toEye) < -4 * blur) return {};
  }
  const auto on = meeting(boxRound(caster), -toward, boxRound(place));
  if (!on) return {};
  std::array<Eigen::Vector3d, 16> swept;
  for (std::size_t c = 0; c < caster.size(); ++c) {
    swept[2 * c] = caster[c] - (*on)[0] * toward;
    swept[2 * c + 1] = caster[c] - (*on)[1] * toward;
  }
  return intersection(pixels_.around(swept), pixels_.around(place));
}

/// On the ground, and on what lies on the way of the light.
void DamageTracker::addShadow(const MovedShadows::One& shadow, const SkyLight& light, double blur,
                              bool sharp) {
  const Eigen::Vector3d& toward = light.toward;
  for (const Eigen::AlignedBox3d& piece : piecesOf(wider(meshes_[shadow.mesh].box, blur))) {
    const std::array<Corners, 2> casters{cornersOf(piece, shadow.before), cornersOf(piece, shadow.after)};
    if (setting_.ground) {
      PixelRect part;
      for (Corners corners : casters) {
        for (Eigen::Vector3d& p : corners) p -= (p.z() - setting_.ground->height) / toward.z() * toward;
        part = round(part, pixels_.around(corners));
      }
      add(part, sharp);
    }
    for (std::size_t k = 0; k < meshes_.size(); ++k) {
      if (k == shadow.mesh || meshes_[k].patches == nullptr || meshRects_[k].empty()) continue;
      PixelRect part;
      for (const Corners& corners : casters) {
        if (!meeting(boxRound(corners), -toward, worldBoxes_[k])) continue;
        for (const Patch& patch : *meshes_[k].patches)
          part = round(part, shadowOn(meshes_[k], patch, corners, toward, blur));
      }
      add(part, sharp);
    }
  }
}

/// Some of what is drawn in turns, from the row of tiles on whose turn it is.
void DamageTracker::selectStaleTiles(double most) {
  double area = 0;
  for (int row = 0; row < tilesDown_ && area < most; ++row) {
    const int at = turn_;
    turn_ = (turn_ + 1) % tilesDown_;
    int first = tilesAcross_, last = -1;
    for (int column = 0; column < tilesAcross_; ++column) {
      const std::size_t tile = tileAt(at, column);
      if (!stale_[tile]) continue;
      first = std::min(first, column);
      last = column;
      stale_[tile] = false;
    }
    if (last < 0) continue;
    const PixelRect part =
        intersection({pixels_.all().left + first * kTile, pixels_.all().top + at * kTile,
                      pixels_.all().left + (last + 1) * kTile, pixels_.all().top + (at + 1) * kTile},
                     pixels_.all());
    add(part, true);
    area += part.area();
  }
}

double DamageTracker::costOf(const PixelRect& part) const {
  double indices = 0;
  for (std::size_t k = 0; k < meshRects_.size(); ++k)
    if (meshRects_[k].intersects(part)) indices += meshes_[k].indices;
  return kPartCost + kPixelCost * part.area() + kIndexCost * indices;
}

/// Parts become one as long as that is cheaper.
void DamageTracker::merge() {
  // What lies much in another part, or beside it without a gap, goes first: that needs no costs.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < parts_.size(); ++a)
      for (std::size_t b = parts_.size(); --b > a;) {
        const PixelRect both = round(parts_[a], parts_[b]);
        if (both.area() > parts_[a].area() + parts_[b].area()) continue;
        parts_[a] = both;
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(b));
        changed = true;
      }
  }
  std::vector<double> costs;
  for (const PixelRect& part : parts_) costs.push_back(costOf(part));
  while (parts_.size() > 1) {
    double best = 0;
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < parts_.size(); ++a)
      for (std::size_t b = a + 1; b < parts_.size(); ++b) {
        const PixelRect both = round(parts_[a], parts_[b]);
        const double apart = costs[a] + costs[b];
        if (kPartCost + kPixelCost * both.area() - apart >= -best) continue;
        const double spared = apart - costOf(both);
        if (spared <= best) continue;
        best = spared;
        first = a;
        second = b;
      }
    if (best <= 0) return;
    parts_[first] = round(parts_[first], parts_[second]);
    costs[first] = costOf(parts_[first]);
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(second));
    costs.erase(costs.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

void DamageTracker::markAllDrawn() {
  stale_.assign(static_cast<std::size_t>(tilesAcross_) * static_cast<std::size_t>(tilesDown_), false);
  staleTiles_ = 0;
  finalRedraw_ = false;
}

void DamageTracker::take(const FrameInputs& setting, std::vector<PlacedMesh> meshes,
                         const MovedShadows& shadows) {
  all_ = !valid_ || !same(setting);
  valid_ = true;
  parts_.clear();
  setting_ = setting;
  pixels_ = PixelMap(setting.view, setting.width, setting.height);
  tilesAcross_ = (pixels_.all().right - pixels_.all().left + kTile - 1) / kTile;
  tilesDown_ = (pixels_.all().bottom - pixels_.all().top + kTile - 1) / kTile;
  if (all_) markAllDrawn();
  const bool moved = !all_ && addMoves(meshes);
  // Places that were not to be seen moving are kept, so that many small moves become one.
  if (all_ || meshes.size() != meshes_.size()) meshes_ = std::move(meshes);
  meshRects_.clear();
  worldBoxes_.clear();
  for (const PlacedMesh& mesh : meshes_) {
    const Corners corners = cornersOf(mesh.box, mesh.model);
    meshRects_.push_back(pixels_.around(corners));
    worldBoxes_.push_back(wider(boxRound(corners), shadows.blur));
  }
  if (all_) return;
  for (const MovedShadows::One& shadow : shadows.moved)
    for (std::size_t k = 0; k < shadows.lights.size(); ++k)
      addShadow(shadow, shadows.lights[k], shadows.blur, k < shadows.sharp);
  if (parts_.size() > kMostParts) {
    all_ = true;
    return;
  }
  const bool rests = !moved && shadows.moved.empty();
  const auto count = [&] { return static_cast<int>(std::count(stale_.begin(), stale_.end(), true)); };
  if (rests && finalRedraw_ && count() == 0) {
    stale_.assign(stale_.size(), true);
    finalRedraw_ = false;
  }
  finalRedraw_ = finalRedraw_ || !rests;
  selectStaleTiles((rests ? kRestTurn : kTurn) * pixels_.all().area());
  staleTiles_ = count();
  merge();
}

double DamageTracker::share() const {
  if (all_ || pixels_.all().empty()) return 1;
  double area = 0;
  for (const PixelRect& part : parts_) area += part.area();
  return area / pixels_.all().area();
}

}  // namespace tenon::xr
