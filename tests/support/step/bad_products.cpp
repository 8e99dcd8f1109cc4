// See bad_products.h.
#include "bad_products.h"

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <gp_Ax2.hxx>
#include <gp_Pln.hxx>

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
