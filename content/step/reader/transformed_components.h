// Components of an assembly that a STEP file places by a mirror image or with a scale.
#pragma once

#include <TopoDS_Shape.hxx>

#include <vector>

class STEPControl_Reader;

namespace tenon::content {

/// Scales of components that differ from 1 by less are roundings [-].
inline constexpr double kSameScale = 1e-9;

/// A component in its place, where OpenCASCADE has put it by a rotation and a translation alone.
struct TransformedComponent {
  TopoDS_Shape shape;
  bool isMirrored = false, isScaled = false;
};

/// These components, after the transfer of the document. OpenCASCADE ignores the second axis of a mirror
/// image and the scale. Throws UnreadableStep (unreadable_step.h) for an image or a scale inside of a part.
std::vector<TransformedComponent> transformedComponents(const STEPControl_Reader& reader);

}  // namespace tenon::content
