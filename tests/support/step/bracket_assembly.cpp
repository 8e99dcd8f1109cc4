// See bracket_assembly.h.
#include "bracket_assembly.h"

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <gp_Ax2.hxx>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace {

constexpr double kBolt = 10;                         ///< diameter of bolts and of the rod
constexpr double kPlate = 20, kFoot = 10;            ///< thickness of the plate and of a bracket
constexpr double kAcross = 17, kNut = 8, kHead = 6;  ///< of nuts and heads
constexpr double kRodHeight = 50;                    ///< above the plate
constexpr double kUpright = 45;                      ///< from the middle of the plate to an upright leg
/// Bolts of a bracket, from the inner face of its upright leg, and across.
constexpr std::array<std::array<double, 2>, 3> kBolts{{{22, -35}, {22, 35}, {40, 0}}};

gp_Trsf translation(double x, double y, double z) {
  gp_Trsf X;
  X.SetTranslation(gp_Vec(x, y, z));
  return X;
}

TopoDS_Shape drilled(const TopoDS_Shape& shape, const gp_Ax2& from, double diameter) {
  return BRepAlgoAPI_Cut(shape, BRepPrimAPI_MakeCylinder(from, diameter / 2, 400).Shape()).Shape();
}

TopoDS_Shape hexagon(double height) {
  BRepBuilderAPI_MakePolygon outline;
  for (int k = 0; k < 6; ++k) {
    const double angle = k * std::numbers::pi / 3, radius = kAcross / std::sqrt(3.0);
    outline.Add(gp_Pnt(radius * std::cos(angle), radius * std::sin(angle), 0));
  }
  outline.Close();
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline.Wire()).Face(), gp_Vec(0, 0, height)).Shape();
}

/// Above z = 0 is the head.
TopoDS_Shape bolt() {
  const double length = kPlate + kFoot + kNut + 3;
  const TopoDS_Shape shank =
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -length), gp::DZ()), kBolt / 2, length).Shape();
  return BRepAlgoAPI_Fuse(shank, hexagon(kHead)).Shape();
}

/// The foot is on z = 0, the upright leg ends at x = 0, on the side of negative x.
TopoDS_Shape lBracket(double hole) {
  TopoDS_Shape part = BRepAlgoAPI_Fuse(BRepPrimAPI_MakeBox(gp_Pnt(-kFoot, -50, 0), 60, 100, kFoot).Shape(),
                                       BRepPrimAPI_MakeBox(gp_Pnt(-kFoot, -50, 0), kFoot, 100, 70).Shape())
                          .Shape();
  for (const auto& [x, y] : kBolts) part = drilled(part, gp_Ax2(gp_Pnt(x, y, -1), gp::DZ()), hole);
  return drilled(part, gp_Ax2(gp_Pnt(-20, 0, kRodHeight), gp::DX()), hole);
}

}  // namespace

void bracketAssembly(Document& document, const std::vector<double>& numbers) {
  const double hole = kBolt + numbers.at(0);
  TopoDS_Shape plate = BRepPrimAPI_MakeBox(gp_Pnt(-110, -75, -kPlate), 220, 150, kPlate).Shape();
  for (const double side : {-1.0, 1.0})
    for (const auto& [x, y] : kBolts)
      plate = drilled(plate, gp_Ax2(gp_Pnt(side * (kUpright + x), side * y, -50), gp::DZ()), hole);
  const double rodLength = 2 * (kUpright + kNut + 5);
  const TDF_Label plateLabel = document.add(plate, "plate"),
                  bracketLabel = document.add(lBracket(hole), "l-bracket"),
                  boltLabel = document.add(bolt(), "bolt"),
                  nutLabel =
                      document.add(drilled(hexagon(kNut), gp_Ax2(gp_Pnt(0, 0, -1), gp::DZ()), hole), "nut"),
                  rodLabel = document.add(BRepPrimAPI_MakeCylinder(kBolt / 2, rodLength).Shape(), "rod");
  const TDF_Label top = document.assembly("as1"), bracketSet = document.assembly("l-bracket-assembly"),
                  fastener = document.assembly("nut-bolt-assembly"),
                  rodSet = document.assembly("rod-assembly");
  document.place(fastener, boltLabel, translation(0, 0, kFoot), "bolt");
  document.place(fastener, nutLabel, translation(0, 0, -kPlate - kNut), "nut");
  document.place(bracketSet, bracketLabel, gp_Trsf(), "l-bracket");
  for (std::size_t k = 0; k < kBolts.size(); ++k)
    document.place(bracketSet, fastener, translation(kBolts[k][0], kBolts[k][1], 0),
                   ("fastener " + std::to_string(k + 1)).c_str());
  gp_Trsf along, turned;
  along.SetRotation(gp::OY(), std::numbers::pi / 2);
  turned.SetRotation(gp::OZ(), std::numbers::pi);
  document.place(rodSet, rodLabel, translation(-rodLength / 2, 0, 0) * along, "rod");
  document.place(rodSet, nutLabel, translation(kUpright, 0, 0) * along, "nut 1");
  document.place(rodSet, nutLabel, translation(-kUpright - kNut, 0, 0) * along, "nut 2");
  document.place(top, plateLabel, gp_Trsf(), "plate");
  document.place(top, bracketSet, translation(kUpright, 0, 0), "bracket 1");
  document.place(top, bracketSet, translation(-kUpright, 0, 0) * turned, "bracket 2");
  document.place(top, rodSet, translation(0, 0, kRodHeight), "rod");
}
