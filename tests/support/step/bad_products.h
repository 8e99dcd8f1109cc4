// Parts that are no good ones, drawn with OpenCASCADE. Lengths in millimeters.
#pragma once

#include <TopoDS_Shape.hxx>

#include <vector>

class Document;

/// Products of one file: a block with a hole, a box 11 km away, a box 2 km long, a sheet, and a sketch.
void mixedProducts(Document& document);

/// A torus by the radii of its circle and its tube. It crosses itself where the second one is larger.
TopoDS_Shape torus(const std::vector<double>& sizes);

/// A pin about z by its diameter and length, whose lower rim is rounded by more than half of its radius. The
/// fillet is written as a spline that turns, and edges without their curves in its parameters.
void roundedPin(const std::vector<double>& sizes, Document& document);

/// A box 10 × 20 × 30 with a further face, along one of its edges and back, which has no area.
void boxWithEmptyFace(Document& document);

/// The same box with a further face on a cylinder about z that has one border, at z = 40, and no end.
void boxWithEndlessFace(Document& document);

/// A ring about z with a rod in its bore, a solid of its own: radii of the ring outside and inside and of the
/// rod, height of the ring, length of the rod beyond it at each end, the least gap between both, and where
/// around z it is [rad].
TopoDS_Shape ringWithRod(const std::vector<double>& sizes);
