// Writes STEP files for tests, with OpenCASCADE: make_step KIND FILE UNIT [NUMBER…], lengths in millimetres.
// A program of its own, so that no test waits for the library to load.
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFill.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepLib.hxx>
#include <BRepOffsetAPI_ThruSections.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRep_Builder.hxx>
#include <Geom2d_Line.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_Controller.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <gp_Ax2.hxx>
#include <gp_Elips.hxx>
#include <gp_Lin2d.hxx>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "bad_products.h"
#include "bracket_assembly.h"
#include "mated_pairs.h"
#include "mating_parts.h"
#include "step_document.h"

namespace {

using Numbers = std::vector<double>;

gp_Ax2 upAt(double x, double y, double z) {
  return {gp_Pnt(x, y, z), gp::DZ()};
}

/// The edges of a shape that lie at height z, to a builder of fillets or chamfers.
void eachEdgeAt(const TopoDS_Shape& shape, double z, const std::function<void(const TopoDS_Edge&)>& take) {
  for (TopExp_Explorer at(shape, TopAbs_EDGE); at.More(); at.Next()) {
    bool all = true;
    for (TopExp_Explorer end(at.Current(), TopAbs_VERTEX); end.More(); end.Next())
      all = all && std::abs(BRep_Tool::Pnt(TopoDS::Vertex(end.Current())).Z() - z) < 1e-9;
    if (all) take(TopoDS::Edge(at.Current()));
  }
}

/// Diameter, length, chamfer at its tip, which is the origin; the chamfer is the kernel's.
TopoDS_Shape peg(const Numbers& n) {
  const TopoDS_Shape cylinder = BRepPrimAPI_MakeCylinder(n.at(0) / 2, n.at(1)).Shape();
  BRepFilletAPI_MakeChamfer chamfer(cylinder);
  bool once = false;  // an edge is seen from both of its faces
  eachEdgeAt(cylinder, 0, [&](const TopoDS_Edge& edge) {
    if (!once) chamfer.Add(n.at(2), edge);
    once = true;
  });
  return chamfer.Shape();
}

/// A block 60 × 60 × 20 whose upper face is at z = 0, with a bore from there: diameter, depth, lead-in.
TopoDS_Shape bored(const Numbers& n) {
  TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-30, -30, -20), 60, 60, 20).Shape();
  block = BRepAlgoAPI_Cut(block, BRepPrimAPI_MakeCylinder(upAt(0, 0, -n.at(1)), n.at(0) / 2, n.at(1)).Shape())
              .Shape();
  if (n.at(2) == 0) return block;
  const TopoDS_Shape leadIn =
      BRepPrimAPI_MakeCone(upAt(0, 0, -n.at(2)), n.at(0) / 2, n.at(0) / 2 + n.at(2), n.at(2)).Shape();
  return BRepAlgoAPI_Cut(block, leadIn).Shape();
}

/// A shank Ø 8 × 30 below the origin, a head Ø 13 × 8 above it, a fillet of 0.4 between them.
TopoDS_Shape filletedBolt(const Numbers&) {
  const TopoDS_Shape shank = BRepPrimAPI_MakeCylinder(upAt(0, 0, -30), 4, 30).Shape();
  const TopoDS_Shape whole = BRepAlgoAPI_Fuse(shank, BRepPrimAPI_MakeCylinder(6.5, 8).Shape()).Shape();
  BRepFilletAPI_MakeFillet fillet(whole);
  eachEdgeAt(whole, 0, [&](const TopoDS_Edge& edge) {
    for (TopExp_Explorer end(edge, TopAbs_VERTEX); end.More(); end.Next()) {
      const gp_Pnt p = BRep_Tool::Pnt(TopoDS::Vertex(end.Current()));
      if (std::hypot(p.X(), p.Y()) < 5 && !fillet.Contour(edge)) fillet.Add(0.4, edge);
    }
  });
  return fillet.Shape();
}

/// A ring: diameters outside and inside, height, and the fillets of its outer rims.
TopoDS_Shape bushing(const Numbers& n) {
  const TopoDS_Shape ring =
      BRepAlgoAPI_Cut(BRepPrimAPI_MakeCylinder(n.at(0) / 2, n.at(2)).Shape(),
                      BRepPrimAPI_MakeCylinder(upAt(0, 0, -1), n.at(1) / 2, n.at(2) + 2).Shape())
          .Shape();
  BRepFilletAPI_MakeFillet fillet(ring);
  for (const double z : {0.0, n.at(2)})
    eachEdgeAt(ring, z, [&](const TopoDS_Edge& edge) {
      for (TopExp_Explorer end(edge, TopAbs_VERTEX); end.More(); end.Next()) {
        const gp_Pnt p = BRep_Tool::Pnt(TopoDS::Vertex(end.Current()));
        if (std::hypot(p.X(), p.Y()) > n.at(0) / 2 - 1e-6 && !fillet.Contour(edge)) fillet.Add(n.at(3), edge);
      }
    });
  return fillet.Shape();
}

/// A plate 40 × 30 × 8 on z = 0 with an elliptic hole, 10 × 6, which nothing turns into.
TopoDS_Shape ellipse(const Numbers&) {
  const TopoDS_Shape plate = BRepPrimAPI_MakeBox(gp_Pnt(-20, -15, 0), 40, 30, 8).Shape();
  const TopoDS_Edge rim = BRepBuilderAPI_MakeEdge(gp_Elips(upAt(0, 0, -1), 10, 6)).Edge();
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(rim).Wire()).Face();
  return BRepAlgoAPI_Cut(plate, BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, 10)).Shape()).Shape();
}

/// A cam: an ellipse with these half axes and height on z = 0, whose upper rim is rounded by a radius.
TopoDS_Shape cam(const Numbers& n) {
  const TopoDS_Edge rim = BRepBuilderAPI_MakeEdge(gp_Elips(upAt(0, 0, 0), n.at(0), n.at(1))).Edge();
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(rim).Wire()).Face();
  const TopoDS_Shape prism = BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, n.at(2))).Shape();
  BRepFilletAPI_MakeFillet fillet(prism);
  eachEdgeAt(prism, n.at(2), [&](const TopoDS_Edge& edge) {
    if (!fillet.Contour(edge)) fillet.Add(n.at(3), edge);
  });
  return fillet.Shape();
}

/// A rod about z, cut obliquely: diameter, length of its axis, and the angle between axis and cut in degrees.
TopoDS_Shape oblique(const Numbers& n) {
  const double angle = n.at(2) * std::numbers::pi / 180, size = 10 * n.at(1);
  const gp_Dir normal(std::cos(angle), 0, std::sin(angle));
  const gp_Pnt corner(n.at(1) * gp_Vec(gp::DZ()).XYZ());
  const gp_Ax2 cut(corner.Translated(gp_Vec(gp_Dir(std::sin(angle), 0, -std::cos(angle))) * -size / 2)
                       .Translated(gp_Vec(gp::DY()) * -size / 2),
                   normal, gp_Dir(std::sin(angle), 0, -std::cos(angle)));
  return BRepAlgoAPI_Cut(BRepPrimAPI_MakeCylinder(n.at(0) / 2, 2 * n.at(1)).Shape(),
                         BRepPrimAPI_MakeBox(cut, size, size, size).Shape())
      .Shape();
}

/// A barrel about z, wider in its middle: the radius and height of its middle, and the radius of its bulge. A
/// radius larger than the first one gives the inner part of a torus that crosses itself, one between its half
/// and it the outer part; in two halves, as CAD systems write them.
TopoDS_Shape barrel(const Numbers& n) {
  const double top = n.at(1) / 2, bulge = n.at(2), angle = std::asin(top / bulge);
  const Handle(Geom_ToroidalSurface) torus =
      new Geom_ToroidalSurface(gp_Ax3(upAt(0, 0, 0)), std::abs(bulge - n.at(0)), bulge);
  const double middle = bulge > n.at(0) ? std::numbers::pi : 0;
  BRepBuilderAPI_Sewing sewing;
  for (const double from : {0.0, std::numbers::pi})
    sewing.Add(
        BRepBuilderAPI_MakeFace(torus, from, from + std::numbers::pi, middle - angle, middle + angle, 1e-6)
            .Face());
  for (const double z : {-top, top}) {
    const gp_Circ rim(upAt(0, 0, z), n.at(0) - bulge * (1 - std::cos(angle)));
    sewing.Add(
        BRepBuilderAPI_MakeFace(
            BRepBuilderAPI_MakeWire(
                BRepBuilderAPI_MakeEdge(rim, gp_Pnt(rim.Radius(), 0, z), gp_Pnt(-rim.Radius(), 0, z)).Edge(),
                BRepBuilderAPI_MakeEdge(rim, gp_Pnt(-rim.Radius(), 0, z), gp_Pnt(rim.Radius(), 0, z)).Edge())
                .Wire())
            .Face());
  }
  sewing.Perform();
  TopoDS_Solid solid = BRepBuilderAPI_MakeSolid(TopoDS::Shell(sewing.SewedShape())).Solid();
  BRepLib::OrientClosedSolid(solid);
  return solid;
}

/// A tent over an ellipse 10 x 6: its tip at this height has no normal.
TopoDS_Shape tent(const Numbers& n) {
  const TopoDS_Edge rim = BRepBuilderAPI_MakeEdge(gp_Elips(upAt(0, 0, 0), 10, 6)).Edge();
  BRepOffsetAPI_ThruSections loft(true);
  loft.AddWire(BRepBuilderAPI_MakeWire(rim).Wire());
  loft.AddVertex(BRepBuilderAPI_MakeVertex(gp_Pnt(0, 0, n.at(0))).Vertex());
  return loft.Shape();
}

/// An L: two legs 40 long, 10 thick, 20 wide; a through hole Ø 6 in each.
TopoDS_Shape bracket(const Numbers&) {
  TopoDS_Shape part =
      BRepAlgoAPI_Fuse(BRepPrimAPI_MakeBox(40, 20, 10).Shape(), BRepPrimAPI_MakeBox(10, 20, 40).Shape())
          .Shape();
  part = BRepAlgoAPI_Cut(part, BRepPrimAPI_MakeCylinder(upAt(28, 10, -1), 3, 20).Shape()).Shape();
  const gp_Ax2 across(gp_Pnt(-1, 10, 28), gp::DX());
  return BRepAlgoAPI_Cut(part, BRepPrimAPI_MakeCylinder(across, 3, 20).Shape()).Shape();
}

/// The same surfaces as splines.
TopoDS_Shape splinePeg(const Numbers& n) {
  return BRepBuilderAPI_NurbsConvert(peg(n), true).Shape();
}

/// The casting with fillets of mating_parts.h, its surfaces as splines.
TopoDS_Shape splineCasting(const Numbers& n) {
  return BRepBuilderAPI_NurbsConvert(matingParts().at("casting")(n), true).Shape();
}

/// A tube without its ends.
TopoDS_Shape shell(const Numbers&) {
  for (TopExp_Explorer at(BRepPrimAPI_MakeCylinder(4, 20).Shape(), TopAbs_FACE); at.More(); at.Next())
    if (BRep_Tool::Surface(TopoDS::Face(at.Current()))->IsUPeriodic()) return at.Current();
  return {};
}

TopoDS_Shape wire(const Numbers&) {
  return BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Circ(upAt(0, 0, 0), 4)).Edge()).Shape();
}

/// The peg, its axis along (1, 2, 3), its tip at (10, 20, 30).
TopoDS_Shape leaning(const Numbers& n) {
  gp_Trsf X;
  X.SetTransformation(gp_Ax3(gp_Pnt(10, 20, 30), gp_Dir(1, 2, 3)), gp_Ax3());
  return BRepBuilderAPI_Transform(peg(n), X, true).Shape();
}

TopoDS_Shape huge(const Numbers& n) {
  return BRepPrimAPI_MakeBox(n.at(0), n.at(0), n.at(0)).Shape();
}

/// A helix about z through (radius, 0, z) over an angle from 0 [rad], as an edge on a cylinder.
TopoDS_Edge helix(double radius, double z, double pitch, double angle) {
  const Handle(Geom_CylindricalSurface) cylinder = new Geom_CylindricalSurface(gp_Ax3(gp::XOY()), radius);
  const double turn = 2 * std::numbers::pi, length = std::hypot(turn, pitch);
  const Handle(Geom2d_Line) line = new Geom2d_Line(gp_Pnt2d(0, z), gp_Dir2d(turn, pitch));
  TopoDS_Edge edge = BRepBuilderAPI_MakeEdge(line, cylinder, 0, angle / turn * length).Edge();
  BRepLib::BuildCurves3d(edge);
  return edge;
}

/// A tooth of 0 < z < length with ruled splines between helices as its flanks, from `inner` out to `crest`:
/// its middle is at z = 0 at the angle 0. `slope`: of its flanks, with half of the pitch at `middle`.
TopoDS_Shape tooth(double inner, double middle, double crest, double slope, double pitch, double length) {
  const double turns = std::ceil(length / pitch) + 3, angle = 2 * std::numbers::pi * turns, low = -2 * pitch;
  const auto edge = [&](double radius, double side) {
    return helix(radius, low + side * (pitch / 4 - slope * (radius - middle)), pitch, angle);
  };
  // In order around the section.
  const std::vector<TopoDS_Edge> edges{edge(inner, -1), edge(crest, -1), edge(crest, 1), edge(inner, 1)};
  BRepBuilderAPI_Sewing sewing(1e-4);
  for (std::size_t k = 0; k < 4; ++k) sewing.Add(BRepFill::Face(edges[k], edges[(k + 1) % 4]));
  for (const double at : {0.0, angle}) {
    BRepBuilderAPI_MakePolygon outline;
    for (const auto& [radius, side] : {std::pair(inner, -1), {crest, -1}, {crest, 1}, {inner, 1}})
      outline.Add(gp_Pnt(radius * std::cos(at), radius * std::sin(at),
                         low + side * (pitch / 4 - slope * (radius - middle)) + pitch * turns * at / angle));
    outline.Close();
    sewing.Add(BRepBuilderAPI_MakeFace(outline.Wire()).Face());
  }
  sewing.Perform();
  TopoDS_Solid solid = BRepBuilderAPI_MakeSolid(TopoDS::Shell(sewing.SewedShape())).Solid();
  BRepLib::OrientClosedSolid(solid);
  return BRepAlgoAPI_Common(solid, BRepPrimAPI_MakeCylinder(2 * crest, length).Shape()).Shape();
}

/// `shape`, or its mirror image, with left-handed threads.
TopoDS_Shape handed(const TopoDS_Shape& shape, bool isLeft) {
  if (!isLeft) return shape;
  gp_Trsf mirror;
  mirror.SetMirror(gp_Ax2(gp::Origin(), gp::DY()));
  return BRepBuilderAPI_Transform(shape, mirror, true).Shape();
}

/// Diameter, pitch, length, angle of the flanks [deg], 1 for a left-handed thread: a screw whose tip is the
/// origin, with a round head above the thread. Its tooth is a solid of its own that begins inside of the
/// core.
TopoDS_Shape screw(const Numbers& n) {
  const double crest = n.at(0) / 2, pitch = n.at(1), length = n.at(2);
  const double slope = std::tan(n.at(3) / 2 * std::numbers::pi / 180);
  const double middle = crest - 0.32476 * pitch, root = crest - 0.61343 * pitch;
  const TopoDS_Shape head = BRepPrimAPI_MakeCylinder(upAt(0, 0, length), 1.6 * crest, crest).Shape();
  const TopoDS_Shape core = BRepAlgoAPI_Fuse(BRepPrimAPI_MakeCylinder(root, length).Shape(), head).Shape();
  TopoDS_Compound both;
  BRep_Builder builder;
  builder.MakeCompound(both);
  builder.Add(both, core);
  builder.Add(both, tooth(root - 0.1 * pitch, middle, crest, slope, pitch, length));
  return handed(both, n.at(4) != 0);
}

/// Diameter, pitch, length, 1 for a left-handed thread: a round nut with its thread through it, whose groove
/// is at z = 0 at the angle 0.
TopoDS_Shape nut(const Numbers& n) {
  const double root = n.at(0) / 2, pitch = n.at(1), length = n.at(2);
  const double middle = root - 0.32476 * pitch, crest = root - 0.54127 * pitch;
  const TopoDS_Shape ring =
      BRepAlgoAPI_Cut(BRepPrimAPI_MakeCylinder(1.6 * root, length).Shape(),
                      BRepPrimAPI_MakeCylinder(upAt(0, 0, -1), crest, length + 2).Shape())
          .Shape();
  const double slope = 1 / std::sqrt(3.0);
  const TopoDS_Shape groove = tooth(crest - 0.1 * pitch, middle, root, slope, pitch, length);
  return handed(BRepAlgoAPI_Cut(ring, groove).Shape(), n.at(3) != 0);
}

gp_Trsf at(double x, double y, double z) {
  gp_Trsf X;
  X.SetTranslation(gp_Vec(x, y, z));
  return X;
}

/// A plate with two through holes Ø 9, two bolts Ø 8 in them, a sub-assembly, with heads `lift` above it or,
/// where a second number is 1, below it and upside down; a third one is the diameter of the holes; a pin Ø 5
/// somewhere else, unless a fourth one is 1.
void assembly(Document& document, const Numbers& n) {
  const double hole = n.size() > 2 ? n.at(2) : 9;
  TopoDS_Shape plate = BRepPrimAPI_MakeBox(gp_Pnt(-40, -20, -12), 80, 40, 12).Shape();
  for (const double x : {-25.0, 25.0})
    plate = BRepAlgoAPI_Cut(plate, BRepPrimAPI_MakeCylinder(upAt(x, 0, -13), hole / 2, 14).Shape()).Shape();
  const TDF_Label plateLabel = document.add(plate, "plate"),
                  boltLabel = document.add(filletedBolt({}), "bolt M8");
  const TDF_Label pinLabel = document.add(BRepPrimAPI_MakeCylinder(2.5, 20).Shape(), "pin");
  document.color(plateLabel, 0.2, 0.4, 0.6);
  document.color(boltLabel, 1, 0.5, 0);
  document.material(boltLabel, "brass", 8.5);
  const TDF_Label top = document.assembly("bench"), pair = document.assembly("fasteners");
  document.place(pair, boltLabel, at(0, 0, 0), "left bolt");
  document.place(pair, boltLabel, at(50, 0, 0), "NAUO7");
  gp_Trsf turned;
  turned.SetRotation(gp::OZ(), std::numbers::pi / 2);
  document.place(top, plateLabel, at(0, 0, 0), "base");
  gp_Trsf over;
  over.SetRotation(gp::OX(), std::numbers::pi);
  document.place(top, pair,
                 n.size() < 2 || n.at(1) == 0 ? at(-25, 0, n.at(0)) : at(-25, 0, -12 - n.at(0)) * over,
                 "group");
  if (n.size() < 4 || n.at(3) == 0) document.place(top, pinLabel, at(0, 100, 0) * turned, "");
}

[[noreturn]] void fail(const std::string& problem) {
  std::fprintf(stderr, "make_step: %s\n", problem.c_str());
  std::_Exit(2);
}

double numberOf(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  if (end == text || *end != 0) fail(std::string(text) + " is no number: give lengths in millimeters");
  return number;
}

void add(const std::string& kind, const Numbers& numbers, Document& document) {
  static const std::map<std::string, PartMaker> kParts{
      {"peg", peg},         {"bored", bored},     {"bolt", filletedBolt}, {"bushing", bushing},
      {"ellipse", ellipse}, {"bracket", bracket}, {"splines", splinePeg}, {"spline-casting", splineCasting},
      {"shell", shell},     {"cam", cam},         {"tent", tent},         {"barrel", barrel},
      {"wire", wire},       {"leaning", leaning}, {"huge", huge},         {"screw", screw},
      {"nut", nut},         {"torus", torus},     {"oblique", oblique},   {"ring-with-rod", ringWithRod}};
  if (kind == "assembly") return assembly(document, numbers);
  if (kind == "bracket-assembly") return bracketAssembly(document, numbers);
  if (kind == "mixed") return mixedProducts(document);
  if (kind == "rounded-pin") return roundedPin(numbers, document);
  if (kind == "empty-face") return boxWithEmptyFace(document);
  if (kind == "endless-face") return boxWithEndlessFace(document);
  if (kind == "tilted-pair") return addTiltedPair(numbers.at(0), document);
  if (isMatedPair(kind)) return addMatedPair(kind, numbers, document);
  const auto& parts = kParts.contains(kind) ? kParts : matingParts();
  const auto part = parts.find(kind);
  if (part == parts.end())
    fail("there is no kind " + kind + ": make_step.cpp, mated_pairs.cpp and mating_parts.cpp list them");
  document.add(part->second(numbers), kind.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) fail("usage: make_step KIND FILE UNIT [NUMBER...], with UNIT MM, M or INCH");
  const std::string kind = argv[1], file = argv[2], unit = argv[3];
  Numbers numbers;
  for (int k = 4; k < argc; ++k) numbers.push_back(numberOf(argv[k]));
  STEPCAFControl_Controller::Init();
  Interface_Static::SetCVal("write.step.unit", unit.c_str());
  Document document;
  try {
    add(kind, numbers, document);
  } catch (const std::out_of_range&) {
    fail(kind + " needs more than " + std::to_string(numbers.size()) +
         " numbers: the comment above its function lists them");
  } catch (const Standard_Failure& failure) {
    fail(kind + " cannot be drawn with these numbers: " + failure.GetMessageString());
  }
  const bool written = document.write(file.c_str());
  if (!written) std::fprintf(stderr, "make_step: %s cannot be written\n", file.c_str());
  std::_Exit(written ? 0 : 1);  // what the library never frees is not looked for
}
