// Tori whose tube is thicker than their circle is wide, so that they cross themselves on their axis.
#pragma once

class TopoDS_Shape;

namespace tenon::content {

/// The shape with the outer part alone of each such torus that is a whole face: its inner part lies inside.
/// OpenCASCADE's mesher does not end on faces with points of the axis in their inside. Throws UnreadableStep
/// (unreadable_step.h) for other faces that cross their axis. Other faces on an outer part that is given as a
/// turned curve are tori afterwards.
TopoDS_Shape withoutInnerTori(const TopoDS_Shape& shape);

}  // namespace tenon::content
