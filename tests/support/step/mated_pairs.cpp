// See mated_pairs.h.
#include "mated_pairs.h"

#include <gp_Trsf.hxx>

#include <map>
#include <numbers>

#include "mating_parts.h"

namespace {

using Sizes = std::vector<double>;

/// Kinds and sizes of the parts, as in mating_parts.cpp, and the heights of the mate and of a third part.
struct MatedPair {
  const char* base;
  Sizes baseSizes;
  const char* mate;
  Sizes mateSizes;
  double z;
  const char* other = nullptr;
  Sizes otherSizes{};
  double otherZ = 0;
};

/// With the clearance `c`.
std::map<std::string, MatedPair> pairsWith(double c) {
  return {{"pocket-pair", {"pocket", {10 + c, 10 + c, 15}, "bar", {10, 10, 30}, -15}},
          {"slot-pair", {"pocket", {20 + c, 4 + c, 21}, "bar", {20, 4, 40}, -25}},
          {"d-pair", {"d-knob", {6 + c, 2 + c / 2, 10}, "d-shaft", {6, 2, 25, 0.5}, -10}},
          {"keyed-pair", {"keyed-hub", {10 + c, 3 + c, 6 + c}, "keyed-shaft", {10, 60, 0.5, 3, 6}, -25}},
          {"spline-pair", {"spline-hub", {7.1, 9 + c, 6, 4 + c, 20}, "spline-shaft", {7, 9, 6, 4, 30}, -15}},
          {"dovetail-pair", {"dovetail-block", {6 + c, 9 + c, 6 + c, 30}, "dovetail", {6, 9, 6, 30}, -25}},
          {"cover-pair", {"housing", {5 - c, 10, 1}, "cover", {5}, 0}},
          {"flat-pair", {"pocket", {10, 10, 15}, "bar", {30, 30, 5}, 0}},
          {"ledge-pair", {"ledge", {10 + c, 6}, "bar", {10, 10, 17}, -15}},
          {"tongue-pair", {"pocket", {6 + c, 50, 10}, "bar", {6, 30, 10}, -4}},
          {"plates-pair",
           {"pocket", {10 + c, 10 + c, 21}, "bar", {10, 10, 50}, -22, "pocket", {10 + c, 10 + c, 21}, 20}},
          {"roof-pair", {"pocket", {10 + c, 10 + c, 15}, "bar", {10, 10, 30}, -15, "bar", {40, 40, 5}, 30}}};
}

}  // namespace

bool isMatedPair(const std::string& kind) {
  return pairsWith(0).contains(kind);
}

void addTiltedPair(double clearance, Document& document) {
  gp_Trsf turn, shift, upright, aside;
  turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(1, 2, 3)), 2.4);
  shift.SetTranslation(gp_Vec(11, -7, 3));
  upright.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 1, 0)), -std::numbers::pi / 2);
  aside.SetTranslation(gp_Vec(5, 0, 185));
  const double width = 10 + clearance;
  const TDF_Label base = document.add(matingParts().at("pocket")({width, width, 15}), "base"),
                  mate = document.add(matingParts().at("bar")({400, 10, 10}), "mate"),
                  top = document.assembly("pair");
  document.place(top, base, shift * turn, "base");
  document.place(top, mate, shift * turn * aside * upright, "mate");
}

void addMatedPair(const std::string& kind, const std::vector<double>& sizes, Document& document) {
  const MatedPair pair = pairsWith(sizes.at(0)).at(kind);
  gp_Trsf up;
  up.SetTranslation(gp_Vec(0, 0, pair.z));
  const TDF_Label base = document.add(matingParts().at(pair.base)(pair.baseSizes), "base"),
                  mate = document.add(matingParts().at(pair.mate)(pair.mateSizes), "mate"),
                  top = document.assembly("pair");
  document.place(top, base, gp_Trsf(), "base");
  document.place(top, mate, up, "mate");
  if (pair.other == nullptr) return;
  up.SetTranslation(gp_Vec(0, 0, pair.otherZ));
  document.place(top, document.add(matingParts().at(pair.other)(pair.otherSizes), "other"), up, "other");
}
