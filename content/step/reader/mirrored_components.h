// Components of an assembly that a STEP file places by a mirror image.
#pragma once

#include <TopoDS_Shape.hxx>

#include <vector>

class STEPControl_Reader;

namespace tenon::content {

/// The shapes of these components in their places, after the transfer of the document. OpenCASCADE ignores
/// the second axis of a mirror image, and places them by a rotation with the other two. Throws UnreadableStep
/// (unreadable_step.h) for a mirror image inside of a part.
std::vector<TopoDS_Shape> mirroredComponents(const STEPControl_Reader& reader);

}  // namespace tenon::content
