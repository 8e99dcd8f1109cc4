// See random_assembly.h.
#include "tests/support/random_assembly.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace tenon::tests {

namespace {

using Eigen::AlignedBox3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

Vector2d middleOf(const AlignedBox3d& box) {
  return box.center().head<2>();
}

/// Overlap of a circle and a rectangle: radius plus the signed distance into the rectangle.
double circleInRectangle(const Vector2d& center, double radius, const AlignedBox3d& box) {
  const Vector2d inside = (center - box.min().head<2>()).cwiseMin(box.max().head<2>() - center);
  if (inside.minCoeff() >= 0) return radius + inside.minCoeff();
  return radius - (-inside).cwiseMax(0).norm();
}

double overlapAcross(const AssemblyElement& a, const Vector2d& shift, const AssemblyElement& b) {
  if (a.pegRadius > 0 && b.pegRadius > 0)
    return a.pegRadius + b.pegRadius - (middleOf(a.box) + shift - middleOf(b.box)).norm();
  if (a.pegRadius == 0 && b.pegRadius == 0) {
    const Vector2d low = a.box.min().head<2>() + shift, high = a.box.max().head<2>() + shift;
    return (high.cwiseMin(b.box.max().head<2>()) - low.cwiseMax(b.box.min().head<2>())).minCoeff();
  }
  const AssemblyElement& peg = a.pegRadius > 0 ? a : b;
  const AssemblyElement& block = a.pegRadius > 0 ? b : a;
  const Vector2d center = middleOf(peg.box) + (a.pegRadius > 0 ? shift : Vector2d(-shift));
  const double solid = circleInRectangle(center, peg.pegRadius, block.box);
  if (block.holeRadius == 0) return solid;
  return std::min(solid, (center - middleOf(block.box)).norm() + peg.pegRadius - block.holeRadius);
}

class AssemblyGenerator {
 public:
  explicit AssemblyGenerator(std::uint32_t seed) : random_(seed) {}

  RandomAssembly run(int count) {
    const Vector3d half(0.06, 0.06, 0.005);
    assembly_.parts.push_back({AlignedBox3d(-half, half), 0, 0});
    assembly_.insertions.emplace_back(0, 0, -1);
    while (static_cast<int>(assembly_.parts.size()) < count)
      if (!(uniform(0, 1) < 0.3 && addPeg())) addBox();
    return std::move(assembly_);
  }

 private:
  double uniform(double low, double high) {
    // As random_() gives the same numbers everywhere, and a distribution need not.
    return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
  }
  std::size_t index(std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(uniform(0, static_cast<double>(count))));
  }

  void addBox() {
    static const std::array<Vector3d, 5> kDirections{
        Vector3d(0, 0, -1), Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, -1, 0)};
    const Vector3d d = uniform(0, 1) < 0.5 ? kDirections[0] : kDirections[index(5)];
    const Vector3d half(uniform(0.006, 0.02), uniform(0.006, 0.02), uniform(0.006, 0.02));
    const AlignedBox3d& target = assembly_.parts[index(assembly_.parts.size())].box;
    Vector3d center = target.center();
    for (int k = 0; k < 3; ++k) center[k] += uniform(-0.5, 0.5) * target.sizes()[k];
    const AssemblyElement* met = nullptr;
    const double stop = slide(half, center, d, met);
    if (met == nullptr) return;
    center += (stop - center.dot(d)) * d;
    // Before the corners of a peg's bounds it would not touch the peg.
    const AssemblyElement box{AlignedBox3d(center - half, center + half), 0, 0};
    if (met->pegRadius > 0 && (d.z() == 0 || overlapAcross(box, Vector2d::Zero(), *met) <= 0)) return;
    const double hole = std::min({0.004, 0.5 * half.x(), 0.5 * half.y()});
    assembly_.parts.push_back(
        {AlignedBox3d(center - half, center + half), 0, uniform(0, 1) < 0.5 ? hole : 0});
    assembly_.insertions.push_back(d);
  }

  /// The coordinate along d at which a box that comes from afar first meets the bounds of a part, `met`;
  /// null: none.
  double slide(const Vector3d& half, const Vector3d& center, const Vector3d& d,
               const AssemblyElement*& met) const {
    double stop = std::numeric_limits<double>::infinity();
    for (const AssemblyElement& part : assembly_.parts) {
      bool meets = true;
      for (int k = 0; k < 3; ++k)
        if (d[k] == 0)
          meets = meets && std::abs(part.box.center()[k] - center[k]) < 0.5 * part.box.sizes()[k] + half[k];
      const double reach = (0.5 * part.box.sizes() + half).dot(d.cwiseAbs());
      const double at = part.box.center().dot(d) - reach;
      if (!meets || at >= stop) continue;
      stop = at;
      met = &part;
    }
    return stop;
  }

  /// A peg from above into a hole that nothing covers; false if the chosen part has none.
  bool addPeg() {
    const AssemblyElement& block = assembly_.parts[index(assembly_.parts.size())];
    if (block.holeRadius == 0) return false;
    AssemblyElement peg;
    peg.pegRadius = block.holeRadius - uniform(5e-5, 2e-4);
    const double height = block.box.sizes().z(), low = block.box.max().z() - uniform(0.5, 1) * height;
    const Vector2d middle = middleOf(block.box);
    const Vector3d half(peg.pegRadius, peg.pegRadius, 0.5 * uniform(1, 2) * height);
    peg.box = AlignedBox3d(Vector3d(middle.x(), middle.y(), low + half.z()) - half,
                           Vector3d(middle.x(), middle.y(), low + half.z()) + half);
    for (const AssemblyElement& part : assembly_.parts)
      if (part.box.max().z() > low && overlapAcross(peg, Vector2d::Zero(), part) > 0) return false;
    assembly_.parts.push_back(peg);
    assembly_.insertions.emplace_back(0, 0, -1);
    return true;
  }

  std::mt19937 random_;
  RandomAssembly assembly_;
};

}  // namespace

RandomAssembly randomAssembly(std::uint32_t seed, int count) {
  return AssemblyGenerator(seed).run(count);
}

double overlapOf(const AssemblyElement& a, const Vector3d& shift, const AssemblyElement& b) {
  const double along = std::min(a.box.max().z() + shift.z(), b.box.max().z()) -
                       std::max(a.box.min().z() + shift.z(), b.box.min().z());
  return std::max(0.0, std::min(along, overlapAcross(a, shift.head<2>(), b)));
}

}  // namespace tenon::tests
