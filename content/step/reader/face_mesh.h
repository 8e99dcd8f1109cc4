// Triangulates the faces of an OpenCASCADE shape and extracts their surfaces.
#pragma once

#include "content/step/step_model.h"

class TopoDS_Shape;

namespace tenon::content {

/// Sets mesh and faces of `product` from a shape in millimeters. Facets of a round face span at most 0.2 rad
/// and deviate from the surface by at most a thousandth of the shape's extent. Throws UnreadableStep
/// (unreadable_step.h) and exceptions of OpenCASCADE.
void meshFaces(const TopoDS_Shape& shape, StepProduct& product);

}  // namespace tenon::content
