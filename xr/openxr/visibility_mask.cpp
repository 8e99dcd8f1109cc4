// See visibility_mask.h.
#include "xr/openxr/visibility_mask.h"

#include <cmath>

namespace tenon::xr {

std::vector<Eigen::Vector2f> hiddenTriangles(const OpenXrSession& session, std::uint32_t view) {
  const XrCalls& xr = session.calls();
  if (!xr.has(XR_KHR_VISIBILITY_MASK_EXTENSION_NAME) || xr.GetVisibilityMaskKHR == nullptr) return {};
  XrVisibilityMaskKHR mask{};
  mask.type = XR_TYPE_VISIBILITY_MASK_KHR;
  const auto get = [&] {
    xr.check(xr.GetVisibilityMaskKHR(session.handle(), session.views().type(), view,
                                     XR_VISIBILITY_MASK_TYPE_HIDDEN_TRIANGLE_MESH_KHR, &mask),
             "xrGetVisibilityMaskKHR");
  };
  get();  // the counts
  std::vector<XrVector2f> vertices(mask.vertexCountOutput);
  std::vector<std::uint32_t> indices(mask.indexCountOutput);
  if (vertices.empty() || indices.empty()) return {};
  mask.vertexCapacityInput = mask.vertexCountOutput;
  mask.vertices = vertices.data();
  mask.indexCapacityInput = mask.indexCountOutput;
  mask.indices = indices.data();
  get();
  std::vector<Eigen::Vector2f> corners;
  for (std::uint32_t k = 0; k + 2 < mask.indexCountOutput; k += 3)
    for (std::uint32_t c = k; c < k + 3; ++c) {
      // A triangle with an invalid corner would hide what is seen.
      if (indices[c] >= vertices.size()) return {};
      const XrVector2f& v = vertices[indices[c]];
      if (!std::isfinite(v.x) || !std::isfinite(v.y)) return {};
      corners.emplace_back(v.x, v.y);
    }
  return corners;
}

}  // namespace tenon::xr
