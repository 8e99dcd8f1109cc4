// See bad_products.h.
#include "bad_products.h"

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_Plane.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shell.hxx>
#include <TopoDS_Vertex.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Ax2.hxx>
#include <gp_Circ.hxx>
#include <gp_Pln.hxx>

#include <cmath>

#include "step_document.h"

void mixedProducts(Document& document) {
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(10, 20, 30).Shape();
  const gp_Ax2 axis(gp_Pnt(5, 10, -1), gp::DZ());
  document.add(BRepAlgoAPI_Cut(block, BRepPrimAPI_MakeCylinder(axis, 3, 32).Shape()).Shape(), "good");
  document.add(BRepPrimAPI_MakeBox(gp_Pnt(1.1e7, 0, 0), 10, 10, 10).Shape(), "far");
  document.add(BRepPrimAPI_MakeBox(2e6, 10, 10).Shape(), "long");
  const gp_Pln plane(gp_Pnt(100, 0, 0), gp::DZ());
  document.add(BRepBuilderAPI_MakeFace(plane, 0, 20, 0, 20).Face(), "sheet");
  document.add(BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 50), gp_Pnt(10, 0, 50)).Edge(), "sketch");
}

TopoDS_Shape torus(const std::vector<double>& sizes) {
  return BRepPrimAPI_MakeTorus(sizes.at(0), sizes.at(1)).Shape();
}

void roundedPin(const std::vector<double>& sizes, Document& document) {
  const double radius = sizes.at(0) / 2;
  const TopoDS_Shape pin = BRepPrimAPI_MakeCylinder(radius, sizes.at(1)).Shape();
  BRepFilletAPI_MakeFillet fillet(pin);
  for (TopExp_Explorer at(pin, TopAbs_EDGE); at.More(); at.Next()) {
    const TopoDS_Edge& edge = TopoDS::Edge(at.Current());
    const bool isLow = BRep_Tool::Pnt(TopExp::FirstVertex(edge)).Z() < 1e-9 &&
                       BRep_Tool::Pnt(TopExp::LastVertex(edge)).Z() < 1e-9;
    if (isLow && !fillet.Contour(edge)) fillet.Add(0.65 * radius, edge);
  }
  document.withoutParameterCurves();
  document.add(fillet.Shape(), "rounded-pin");
}

namespace {

/// The faces of a box and another one.
TopoDS_Shell boxAnd(const TopoDS_Shape& box, const TopoDS_Face& face) {
  TopoDS_Shell shell;
  BRep_Builder builder;
  builder.MakeShell(shell);
  for (TopExp_Explorer at(box, TopAbs_FACE); at.More(); at.Next()) builder.Add(shell, at.Current());
  builder.Add(shell, face);
  return shell;
}

TopoDS_Face faceOn(const Handle(Geom_Surface) & surface, const std::vector<TopoDS_Shape>& edges) {
  TopoDS_Face face;
  TopoDS_Wire wire;
  BRep_Builder builder;
  builder.MakeWire(wire);
  for (const TopoDS_Shape& edge : edges) builder.Add(wire, edge);
  builder.MakeFace(face, surface, 1e-7);
  builder.Add(face, wire);
  return face;
}

}  // namespace

void boxWithEmptyFace(Document& document) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 20, 30).Shape();
  const TopoDS_Edge edge = TopoDS::Edge(TopExp_Explorer(box, TopAbs_EDGE).Current());
  const TopoDS_Vertex from = TopExp::FirstVertex(edge), to = TopExp::LastVertex(edge);
  const TopoDS_Edge back = BRepBuilderAPI_MakeEdge(from, to).Edge();
  const gp_Vec along(BRep_Tool::Pnt(from), BRep_Tool::Pnt(to));
  const gp_Pln plane(BRep_Tool::Pnt(from), gp_Dir(along.Crossed(gp_Vec(3, 5, 2))));
  document.withoutParameterCurves();
  document.add(boxAnd(box, faceOn(new Geom_Plane(plane),
                                  {edge.Oriented(TopAbs_FORWARD), back.Oriented(TopAbs_REVERSED)})),
               "box with an empty face");
}

void boxWithEndlessFace(Document& document) {
  const gp_Ax2 axis(gp_Pnt(0, 0, 40), gp::DZ());
  const TopoDS_Edge border = BRepBuilderAPI_MakeEdge(gp_Circ(axis, 5)).Edge();
  document.withoutParameterCurves();
  document.add(boxAnd(BRepPrimAPI_MakeBox(10, 20, 30).Shape(),
                      faceOn(new Geom_CylindricalSurface(gp_Ax3(axis), 5), {border})),
               "box with an endless face");
}

TopoDS_Shape ringWithRod(const std::vector<double>& sizes) {
  const double inside = sizes.at(1), rod = sizes.at(2), height = sizes.at(3), beyond = sizes.at(4);
  const double out = inside - rod - sizes.at(5), around = sizes.at(6);
  const gp_Ax2 below(gp_Pnt(0, 0, -1), gp::DZ()),
      beside(gp_Pnt(out * std::cos(around), out * std::sin(around), -beyond), gp::DZ());
  TopoDS_Compound both;
  BRep_Builder builder;
  builder.MakeCompound(both);
  builder.Add(both, BRepAlgoAPI_Cut(BRepPrimAPI_MakeCylinder(sizes.at(0), height).Shape(),
                                    BRepPrimAPI_MakeCylinder(below, inside, height + 2).Shape())
                        .Shape());
  builder.Add(both, BRepPrimAPI_MakeCylinder(beside, rod, height + 2 * beyond).Shape());
  return both;
}
