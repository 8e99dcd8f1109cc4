// Parts that are no good ones, drawn with OpenCASCADE. Lengths in millimeters.
#pragma once

#include <TopoDS_Shape.hxx>

#include <vector>

class Document;

/// Products of one file: a block with a hole, a box 11 km away, a box 2 km long, a sheet, and a sketch.
void mixedProducts(Document& document);

/// A torus by the radii of its circle and its tube. It crosses itself where the second one is larger.
TopoDS_Shape torus(const std::vector<double>& sizes);
