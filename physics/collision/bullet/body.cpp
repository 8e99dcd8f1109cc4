// Builds collision bodies, recursively for compounds.
#include "physics/collision/bullet/body.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

namespace tenon::physics::bullet {
namespace {

// Limits from the bits of a contact's feature, see FeatureId in feature_id.h.
constexpr std::size_t kMaxConvexParts = 1 << 14;
constexpr std::size_t kMaxEdges = 1 << 15;

void addConvexParts(const Shape& shape, const Pose& X_CS, Body& body) {
  std::vector<ConvexPart> convexParts = convexPartsOf(shape, X_CS);
  const int offset = static_cast<int>(body.convexParts.size());
  for (ConvexPart& convexPart : convexParts)
    for (int& neighbor : convexPart.neighbors) neighbor += offset;
  std::move(convexParts.begin(), convexParts.end(), std::back_inserter(body.convexParts));
}

/// Smallest side of the bounding box of these convex parts of `shape` in its own frame [m], of a ring also
/// its wall. The teeth of an internal thread have the wall of the part around them: a screw must not pass
/// one in a step, and half of its pitch is less.
double thicknessOf(const Shape& shape, const Pose& X_CS, std::span<const ConvexPart> convexParts) {
  double thickness = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d d = X_CS.q * Vector3d::Unit(axis);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ConvexPart& convexPart : convexParts) {
      high = std::max(high, supportValue(convexPart, d));
      low = std::min(low, -supportValue(convexPart, -d));
    }
    thickness = std::min(thickness, high - low);
  }
  const auto* solid = std::get_if<SolidOfRevolution>(&shape);
  if (!solid || !isRing(*solid)) return thickness;
  if (solid->thread) return std::min(thickness, solid->thread->pitch);
  const auto [inner, outer] = std::minmax_element(solid->profile.begin(), solid->profile.end(),
                                                  [](const auto& a, const auto& b) { return a.y() < b.y(); });
  return std::min(thickness, outer->y() - inner->y());
}

void addElement(const Shape& shape, const Pose& X_CS, Body& body) {
  Element element(shape);
  element.first = body.convexParts.size();
  addConvexParts(shape, X_CS, body);
  element.last = body.convexParts.size();
  if (!element.isHalfSpace())
    body.thickness = std::min(body.thickness,
                              thicknessOf(shape, X_CS, std::span(body.convexParts).subspan(element.first)));
  body.hasHalfSpace = body.hasHalfSpace || element.isHalfSpace();
  const auto* solid = std::get_if<SolidOfRevolution>(&shape);
  const auto* block = std::get_if<BlockWithHoles>(&shape);
  body.isNonConvex = body.isNonConvex || (solid && isRing(*solid)) || (block && !block->cavities.empty()) ||
                     std::holds_alternative<BoundarySolid>(shape);
  element.X_CE = {X_CS.q.toRotationMatrix(), X_CS.p};
  for (ConvexPart& convexPart : boundingPartsOf(shape, X_CS)) {
    if (element.isHalfSpace()) continue;
    include(element.bounds, convexPart.bounds);
    body.boundingParts.push_back(std::move(convexPart));
  }
  include(body.bounds, element.bounds);
  body.elements.push_back(std::move(element));
}

void addShape(const Shape& shape, const Pose& X_CS, Body& body) {
  const auto* compound = std::get_if<Compound>(&shape);
  if (!compound) return addElement(shape, X_CS, body);
  for (const PlacedShape& child : compound->children) addShape(child.shape, X_CS * child.X_PS, body);
}

}  // namespace

Body makeBody(const Shape& shape, const Pose& X_CP, bool canMove) {
  Body body;
  body.canMove = canMove;
  addShape(shape, X_CP, body);
  if (body.convexParts.size() >= kMaxConvexParts)
    throw std::invalid_argument("the body has more than 16383 convex parts");
  for (const ConvexPart& convexPart : body.convexParts) {
    if (convexPart.polytope.edges.size() >= kMaxEdges)
      throw std::invalid_argument("the hull has more than 32767 edges");
    body.radius = std::max(body.radius, radiusOf(convexPart));
  }
  assert((!body.hasHalfSpace || !canMove) && "a half-space cannot move");
  return body;
}

}  // namespace tenon::physics::bullet
