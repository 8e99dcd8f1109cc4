// Assemblies of parts that mate, one inside the other, for tests.
#pragma once

#include <string>
#include <vector>

#include "step_document.h"

/// True for "pocket-pair", "slot-pair", "d-pair", "keyed-pair", "spline-pair", "dovetail-pair", "cover-pair",
/// "flat-pair", "ledge-pair" and "tongue-pair", and with a third part "plates-pair" and "roof-pair".
bool isMatedPair(const std::string& kind);

/// Adds the parts, named "base", "mate" and "other". `sizes`: the clearance [mm], by which the opening of the
/// base is larger than the mate, or the pins of the base are smaller than the holes.
void addMatedPair(const std::string& kind, const std::vector<double>& sizes, Document& document);

/// A block 40 × 40 × 20 with a pocket 15 deep on the end of a bar 10 × 10 × 400 along its own x, which is
/// heavier. Neither frame is parallel to that of the assembly, nor to the other one.
void addTiltedPair(double clearance, Document& document);
