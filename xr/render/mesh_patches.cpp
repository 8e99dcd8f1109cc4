// Sorts triangles by the axis they face, then halves each group along its longest side.
#include "xr/render/mesh_patches.h"

#include <algorithm>
#include <array>
#include <span>

namespace tenon::xr {

namespace {

struct Facet {
  Eigen::AlignedBox3d box;
  Eigen::Vector3d normal;
};

/// Halves the facets along the longest side of their box until the box is flat or holds few of them.
void splitFacets(std::span<Facet> facets, int depth, std::vector<Patch>& out) {
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
  splitFacets({facets.begin(), middle}, depth - 1, out);
  splitFacets({middle, facets.end()}, depth - 1, out);
}

}  // namespace

std::vector<Patch> patchesOf(const Mesh& mesh) {
  constexpr int kHalvings = 4;
  std::array<std::vector<Facet>, 6> sides;  // by the signed axis nearest to the normal
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
    if (!side.empty()) splitFacets(side, kHalvings, patches);
  return patches;
}

}  // namespace tenon::xr
