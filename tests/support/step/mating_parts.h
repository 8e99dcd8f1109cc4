// Parts that mate without a round pin in a round hole, drawn with OpenCASCADE. Lengths in
// millimeters.
#pragma once

#include <TopoDS_Shape.hxx>

#include <map>
#include <string>
#include <vector>

/// Draws a part from its sizes, which mating_parts.cpp lists.
using PartMaker = TopoDS_Shape (*)(const std::vector<double>& sizes);

/// By the name of the part.
const std::map<std::string, PartMaker>& matingParts();
