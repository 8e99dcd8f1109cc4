// See mating_parts.h. Parts to be inserted have their tip at z = 0 and stand above it; their sockets open at
// z = 0 and lie below it.
#include "mating_parts.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRep_Tool.hxx>
#include <GeomAPI_Interpolate.hxx>
#include <Geom_BSplineCurve.hxx>
#include <TColgp_HArray1OfPnt.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <gp_Ax2.hxx>

#include <cmath>
#include <numbers>
#include <utility>

namespace {

using Sizes = std::vector<double>;
using Outline = std::vector<std::pair<double, double>>;

constexpr double kTurn = 2 * std::numbers::pi;

gp_Ax2 upFrom(double x, double y, double z) {
  return {gp_Pnt(x, y, z), gp::DZ()};
}

TopoDS_Shape box(double x0, double x1, double y0, double y1, double z0, double z1) {
  return BRepPrimAPI_MakeBox(gp_Pnt(x0, y0, z0), gp_Pnt(x1, y1, z1)).Shape();
}

TopoDS_Shape cylinder(double x, double y, double z0, double z1, double diameter) {
  return BRepPrimAPI_MakeCylinder(upFrom(x, y, z0), diameter / 2, z1 - z0).Shape();
}

TopoDS_Shape cut(const TopoDS_Shape& from, const TopoDS_Shape& what) {
  return BRepAlgoAPI_Cut(from, what).Shape();
}

TopoDS_Shape fuse(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Fuse(a, b).Shape();
}

/// A cylinder on z from 0 with a chamfer of 45° at its lower end.
TopoDS_Shape pin(double x, double y, double z0, double z1, double diameter, double chamfer) {
  const double r = diameter / 2;
  return fuse(BRepPrimAPI_MakeCone(upFrom(x, y, z0), r - chamfer, r, chamfer).Shape(),
              cylinder(x, y, z0 + chamfer, z1, diameter));
}

/// The same with the chamfer at the upper end.
TopoDS_Shape stud(double x, double y, double z0, double z1, double diameter, double chamfer) {
  const double r = diameter / 2;
  return fuse(cylinder(x, y, z0, z1 - chamfer, diameter),
              BRepPrimAPI_MakeCone(upFrom(x, y, z1 - chamfer), r, r - chamfer, chamfer).Shape());
}

/// An outline in (x, y) from z0 to z1.
TopoDS_Shape prism(const Outline& outline, double z0, double z1) {
  BRepBuilderAPI_MakePolygon polygon;
  for (const auto& [x, y] : outline) polygon.Add(gp_Pnt(x, y, z0));
  polygon.Close();
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(polygon.Wire()).Face();
  return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, z1 - z0)).Shape();
}

/// Diameter, distance of the flat from the axis, length, chamfer.
TopoDS_Shape dShaft(const Sizes& n) {
  return cut(pin(0, 0, 0, n.at(2), n.at(0), n.at(3)),
             box(n.at(1), n.at(0), -n.at(0), n.at(0), -1, n.at(2) + 1));
}

/// Diameter of the bore, distance of its flat, depth: in a knob Ø 20 × 15.
TopoDS_Shape dKnob(const Sizes& n) {
  const TopoDS_Shape bore =
      cut(cylinder(0, 0, -n.at(2), 1, n.at(0)), box(n.at(1), n.at(0), -n.at(0), n.at(0), -n.at(2) - 1, 2));
  return cut(cylinder(0, 0, -15, 0, 20), bore);
}

/// Side, length from z = 0 up.
TopoDS_Shape squarePeg(const Sizes& n) {
  const double a = n.at(0) / 2;
  return box(-a, a, -a, a, 0, n.at(1));
}

/// Side and depth of a pocket in a block 40 × 40 × 20.
TopoDS_Shape squareSocket(const Sizes& n) {
  const double a = n.at(0) / 2;
  return cut(box(-20, 20, -20, 20, -20, 0), box(-a, a, -a, a, -n.at(1), 1));
}

/// Diameter, length, chamfer, width of the key, its height above the axis; the key begins 5 above the tip.
TopoDS_Shape keyedShaft(const Sizes& n) {
  return fuse(pin(0, 0, 0, n.at(1), n.at(0), n.at(2)),
              box(0, n.at(4), -n.at(3) / 2, n.at(3) / 2, 5, n.at(1)));
}

/// Diameter of the bore, width of the keyway, its height above the axis: in a hub Ø 30 × 20.
TopoDS_Shape keyedHub(const Sizes& n) {
  const TopoDS_Shape hub = cut(cylinder(0, 0, -20, 0, 30), cylinder(0, 0, -21, 1, n.at(0)));
  return cut(hub, box(0, n.at(2), -n.at(1) / 2, n.at(1) / 2, -21, 1));
}

/// A core of radius `root` with `teeth` straight teeth of this width up to radius `tip`.
TopoDS_Shape splines(double root, double tip, int teeth, double width, double z0, double z1) {
  TopoDS_Shape all = cylinder(0, 0, z0, z1, 2 * root);
  for (int k = 0; k < teeth; ++k) {
    const double c = std::cos(kTurn * k / teeth), s = std::sin(kTurn * k / teeth), w = width / 2,
                 far = tip + 1;
    all = fuse(all, prism({{w * s, -w * c},
                           {far * c + w * s, far * s - w * c},
                           {far * c - w * s, far * s + w * c},
                           {-w * s, w * c}},
                          z0, z1));
  }
  return BRepAlgoAPI_Common(all, cylinder(0, 0, z0, z1, 2 * tip)).Shape();
}

/// Root radius, tip radius, number of teeth, their width, length.
TopoDS_Shape splineShaft(const Sizes& n) {
  return splines(n.at(0), n.at(1), static_cast<int>(n.at(2)), n.at(3), 0, n.at(4));
}

/// The same of the opening: in a hub Ø 40 of this length.
TopoDS_Shape splineHub(const Sizes& n) {
  return cut(cylinder(0, 0, -n.at(4), 0, 40),
             splines(n.at(0), n.at(1), static_cast<int>(n.at(2)), n.at(3), -n.at(4) - 1, 1));
}

/// Module, teeth, width, bore, backlash: a spur gear of 20° whose flanks are chords of involutes, a tooth on
/// x.
TopoDS_Shape gear(const Sizes& n) {
  const double teeth = n.at(1), pitch = n.at(0) * teeth / 2, base = pitch * std::cos(20 * kTurn / 360);
  const double tip = pitch + n.at(0), root = pitch - 1.25 * n.at(0);
  const auto involute = [&](double r) {
    const double a = r > base ? std::acos(base / r) : 0;
    return std::tan(a) - a;
  };
  const double half = kTurn / (4 * teeth) - n.at(4) / (4 * pitch);  // of a tooth, at the pitch circle
  Outline outline;
  const auto add = [&](double r, double angle) {
    outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
  };
  constexpr int kChords = 8;
  for (int k = 0; k < static_cast<int>(teeth); ++k) {
    const double middle = kTurn * k / teeth;
    const auto flank = [&](double r) { return half + involute(pitch) - involute(std::max(r, base)); };
    add(root, middle - flank(base));
    for (int j = 0; j <= kChords; ++j) {
      const double r = base + (tip - base) * j / kChords;
      add(r, middle - flank(r));
    }
    for (int j = kChords; j >= 0; --j) {
      const double r = base + (tip - base) * j / kChords;
      add(r, middle + flank(r));
    }
    add(root, middle + flank(base));
  }
  return cut(prism(outline, 0, n.at(2)), cylinder(0, 0, -1, n.at(2) + 1, n.at(3)));
}

/// The same with involute flanks, as splines through points of them.
TopoDS_Shape involuteGear(const Sizes& n) {
  const double teeth = n.at(1), pitch = n.at(0) * teeth / 2, base = pitch * std::cos(20 * kTurn / 360);
  const double tip = pitch + n.at(0), root = pitch - 1.25 * n.at(0);
  const double half = kTurn / (4 * teeth) - n.at(4) / (4 * pitch);  // of a tooth, at the pitch circle
  const auto unrolled = [](double a) { return std::tan(a) - a; };
  const double last = std::acos(base / tip), atPitch = 20 * kTurn / 360;
  const auto pointAt = [](double r, double angle) {
    return gp_Pnt(r * std::cos(angle), r * std::sin(angle), 0);
  };
  BRepBuilderAPI_MakeWire wire;
  const auto line = [&](const gp_Pnt& a, const gp_Pnt& b) { wire.Add(BRepBuilderAPI_MakeEdge(a, b).Edge()); };
  // From the base circle outwards; `side`: 1 for the flank after the middle of the tooth.
  const auto flank = [&](double middle, double side) {
    constexpr int kPoints = 24;
    Handle(TColgp_HArray1OfPnt) points = new TColgp_HArray1OfPnt(1, kPoints);
    for (int j = 0; j < kPoints; ++j) {
      // The radius grows with the square of the parameter at the base circle.
      const double a = last * j / (kPoints - 1);
      points->SetValue(side < 0 ? j + 1 : kPoints - j,
                       pointAt(base / std::cos(a), middle + side * (half + unrolled(atPitch) - unrolled(a))));
    }
    GeomAPI_Interpolate spline(points, false, 1e-7);
    spline.Perform();
    wire.Add(BRepBuilderAPI_MakeEdge(spline.Curve()).Edge());
  };
  const double atBase = half + unrolled(atPitch), atTip = atBase - unrolled(last);
  for (int k = 0; k < static_cast<int>(teeth); ++k) {
    const double middle = kTurn * k / teeth, next = kTurn * (k + 1) / teeth;
    line(pointAt(root, middle - atBase), pointAt(base, middle - atBase));
    flank(middle, -1);
    line(pointAt(tip, middle - atTip), pointAt(tip, middle + atTip));
    flank(middle, 1);
    line(pointAt(base, middle + atBase), pointAt(root, middle + atBase));
    line(pointAt(root, middle + atBase), pointAt(root, next - atBase));
  }
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(wire.Wire()).Face();
  return cut(BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, n.at(2))).Shape(),
             cylinder(0, 0, -1, n.at(2) + 1, n.at(3)));
}

/// Diameter, height, chamfer, distance of a second one along x: posts on a plate 100 × 50 × 5 below z = 0.
TopoDS_Shape posts(const Sizes& n) {
  return fuse(fuse(box(-25, 75, -25, 25, -5, 0), stud(0, 0, -1, n.at(1), n.at(0), n.at(2))),
              stud(n.at(3), 0, -1, n.at(1), n.at(0), n.at(2)));
}

/// Width, distance of the centers of its round ends along x, depth: a slot in a block 60 x 30 x 10 below z =
/// 0.
TopoDS_Shape slot(const Sizes& n) {
  const double w = n.at(0) / 2, far = n.at(1) / 2, bottom = -n.at(2);
  const TopoDS_Shape tool = fuse(box(-far, far, -w, w, bottom, 1), fuse(cylinder(-far, 0, bottom, 1, 2 * w),
                                                                        cylinder(far, 0, bottom, 1, 2 * w)));
  return cut(box(-30, 30, -15, 15, -10, 0), tool);
}

/// Widths along x and y, height.
TopoDS_Shape bar(const Sizes& n) {
  return box(-n.at(0) / 2, n.at(0) / 2, -n.at(1) / 2, n.at(1) / 2, 0, n.at(2));
}

/// Widths along x and y of a rectangular opening, its depth: in a block 40 × 40 × 20 below z = 0.
TopoDS_Shape pocket(const Sizes& n) {
  return cut(box(-20, 20, -20, 20, -20, 0),
             box(-n.at(0) / 2, n.at(0) / 2, -n.at(1) / 2, n.at(1) / 2, -n.at(2), 1));
}

/// Widths of a square pocket 15 deep below z = 0, and of the opening 5 above it, behind a chamber 20 wide: in
/// a block 40 × 40 × 30 up to z = 10.
TopoDS_Shape ledge(const Sizes& n) {
  const auto square = [](double width, double z0, double z1) {
    return box(-width / 2, width / 2, -width / 2, width / 2, z0, z1);
  };
  return cut(cut(cut(square(40, -20, 10), square(n.at(0), -15, 0)), square(20, 0, 5)),
             square(n.at(1), 5, 11));
}

/// Half width at the narrow and at the wide side, height, length.
TopoDS_Shape dovetail(const Sizes& n) {
  return prism({{-n.at(1), 0}, {n.at(1), 0}, {n.at(0), n.at(2)}, {-n.at(0), n.at(2)}}, 0, n.at(3));
}

/// The same of the groove: in a block 40 × 20 of this length.
TopoDS_Shape dovetailBlock(const Sizes& n) {
  const double out = (n.at(1) - n.at(0)) / n.at(2);  // sideways per height
  return cut(box(-20, 20, n.at(2) - 20, n.at(2), -n.at(3), 0),
             prism({{-n.at(1), 0}, {n.at(1), 0}, {n.at(0) - out, n.at(2) + 1}, {-n.at(0) + out, n.at(2) + 1}},
                   -n.at(3) - 1, 1));
}

/// Diameter of two holes 50 apart: in a plate 70 × 40 × 6 above z = 0, with a gasket groove around its
/// middle.
TopoDS_Shape cover(const Sizes& n) {
  const auto track = [](double r) {
    return fuse(box(-12, 12, -r, r, -1, 1),
                fuse(cylinder(-12, 0, -1, 1, 2 * r), cylinder(12, 0, -1, 1, 2 * r)));
  };
  TopoDS_Shape plate = cut(box(-35, 35, -20, 20, 0, 6), cut(track(10), track(8)));
  for (const double x : {-25.0, 25.0}) plate = cut(plate, cylinder(x, 0, -1, 7, n.at(0)));
  return plate;
}

/// Diameter, height and chamfer of two dowels 50 apart: on a block 70 × 40 × 20 below z = 0.
TopoDS_Shape housing(const Sizes& n) {
  TopoDS_Shape all = box(-35, 35, -20, 20, -20, 0);
  for (const double x : {-25.0, 25.0}) all = fuse(all, stud(x, 0, -8, n.at(1), n.at(0), n.at(2)));
  return all;
}

/// Diameter of four holes 26 apart, radius of all outer edges but the lower ones: 40 × 40 × 15 above z = 0.
TopoDS_Shape casting(const Sizes& n) {
  const TopoDS_Shape block = box(-20, 20, -20, 20, 0, 15);
  BRepFilletAPI_MakeFillet fillet(block);
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(block, TopAbs_EDGE, edges);
  for (int k = 1; k <= edges.Extent(); ++k) {
    const TopoDS_Edge edge = TopoDS::Edge(edges(k));
    const double low =
        BRep_Tool::Pnt(TopExp::FirstVertex(edge)).Z() + BRep_Tool::Pnt(TopExp::LastVertex(edge)).Z();
    if (low > 1) fillet.Add(n.at(1), edge);
  }
  TopoDS_Shape all = fillet.Shape();
  for (const double x : {-13.0, 13.0})
    for (const double y : {-13.0, 13.0}) all = cut(all, cylinder(x, y, -1, 16, n.at(0)));
  return all;
}

/// Diameter, height and chamfer of four studs 26 apart: on a plate 60 × 60 × 8 below z = 0.
TopoDS_Shape studs(const Sizes& n) {
  TopoDS_Shape all = box(-30, 30, -30, 30, -8, 0);
  for (const double x : {-13.0, 13.0})
    for (const double y : {-13.0, 13.0}) all = fuse(all, stud(x, y, -4, n.at(1), n.at(0), n.at(2)));
  return all;
}

/// The circles of a shape in the plane of height z with this diameter, rounded.
TopoDS_Shape rounded(const TopoDS_Shape& shape, double z, double diameter, double radius) {
  BRepFilletAPI_MakeFillet fillet(shape);
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(shape, TopAbs_EDGE, edges);
  for (int k = 1; k <= edges.Extent(); ++k) {
    const TopoDS_Edge edge = TopoDS::Edge(edges(k));
    const BRepAdaptor_Curve curve(edge);
    if (curve.GetType() == GeomAbs_Circle && std::abs(curve.Circle().Location().Z() - z) < 1e-6 &&
        std::abs(2 * curve.Circle().Radius() - diameter) < 1e-6)
      fillet.Add(radius, edge);
  }
  return fillet.Shape();
}

/// Diameter, length, radius of its rounded end at z = 0, diameter of a hole across 10 above the other end.
TopoDS_Shape clevisPin(const Sizes& n) {
  const TopoDS_Shape pin = rounded(cylinder(0, 0, 0, n.at(1), n.at(0)), 0, n.at(0), n.at(2));
  const gp_Ax2 across(gp_Pnt(-n.at(0), 0, n.at(1) - 10), gp::DX());
  return cut(pin, BRepPrimAPI_MakeCylinder(across, n.at(3) / 2, 2 * n.at(0)).Shape());
}

/// Diameter of a through hole, radius of its rounded mouth, diameter of a hole across it at z = -10: a block
/// 30 × 30 × 20 below z = 0.
TopoDS_Shape clevis(const Sizes& n) {
  const TopoDS_Shape block =
      rounded(cut(box(-15, 15, -15, 15, -20, 0), cylinder(0, 0, -21, 22, n.at(0))), 0, n.at(0), n.at(1));
  return cut(block, BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-20, 0, -10), gp::DX()), n.at(2) / 2, 40).Shape());
}

/// Diameters of a boss from z = 0 to 12 and of its bore, radius of the boss's roundings: an arm leaves the
/// boss towards +x.
TopoDS_Shape lever(const Sizes& n) {
  const TopoDS_Shape solid = fuse(cylinder(0, 0, 0, 12, n.at(0)), box(0, 40, -4, 4, 4, 8));
  return cut(rounded(rounded(solid, 12, n.at(0), n.at(2)), 0, n.at(0), n.at(2)),
             cylinder(0, 0, -1, 13, n.at(1)));
}

/// Width, thickness, length, height of the lip at its tip: a hook that bends when it snaps in.
TopoDS_Shape snapHook(const Sizes& n) {
  const double w = n.at(0) / 2, lip = n.at(3);
  BRepBuilderAPI_MakePolygon outline;  // in (x, z), the lip towards +x
  for (const auto& [x, z] : Outline{{0, 0},
                                    {n.at(1), 0},
                                    {n.at(1) + lip, 2},
                                    {n.at(1) + lip, 3},
                                    {n.at(1), 3},
                                    {n.at(1), n.at(2)},
                                    {0, n.at(2)}})
    outline.Add(gp_Pnt(x, -w, z));
  outline.Close();
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline.Wire()).Face(), gp_Vec(0, n.at(0), 0)).Shape();
}

/// Width, thickness of the slot: through a plate 40 × 40 × 5 below z = 0; one side of the slot at x = 0.
TopoDS_Shape snapPlate(const Sizes& n) {
  return cut(box(-20, 20, -20, 20, -5, 0), box(0, n.at(1), -n.at(0) / 2, n.at(0) / 2, -6, 1));
}

}  // namespace

const std::map<std::string, PartMaker>& matingParts() {
  static const std::map<std::string, PartMaker> all{{"square-peg", squarePeg},
                                                    {"square-socket", squareSocket},
                                                    {"d-shaft", dShaft},
                                                    {"d-knob", dKnob},
                                                    {"keyed-shaft", keyedShaft},
                                                    {"keyed-hub", keyedHub},
                                                    {"spline-shaft", splineShaft},
                                                    {"spline-hub", splineHub},
                                                    {"gear", gear},
                                                    {"involute-gear", involuteGear},
                                                    {"posts", posts},
                                                    {"slot", slot},
                                                    {"bar", bar},
                                                    {"pocket", pocket},
                                                    {"ledge", ledge},
                                                    {"dovetail", dovetail},
                                                    {"dovetail-block", dovetailBlock},
                                                    {"cover", cover},
                                                    {"housing", housing},
                                                    {"casting", casting},
                                                    {"studs", studs},
                                                    {"clevis-pin", clevisPin},
                                                    {"clevis", clevis},
                                                    {"lever", lever},
                                                    {"snap-hook", snapHook},
                                                    {"snap-plate", snapPlate}};
  return all;
}
