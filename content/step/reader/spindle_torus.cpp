// See spindle_torus.h. With the radius R of the circle and r > R of the tube, the torus meets its axis at the
// height ± √(r² − R²) above its center.
#include "content/step/reader/spindle_torus.h"

#include <Adaptor3d_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepTools.hxx>
#include <BRepTools_ReShape.hxx>
#include <ElCLib.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Precision.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <gp_Ax3.hxx>
#include <gp_Circ.hxx>
#include <gp_Torus.hxx>

#include <cmath>
#include <numbers>
#include <optional>

#include "content/step/reader/unreadable_step.h"

namespace tenon::content {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kAngle = 1e-6;     ///< equal parameters [rad]
constexpr double kLength = 1e-6;    ///< equal points [mm]
constexpr double kParallel = 1e-9;  ///< sine of the angle between equal directions [-]

/// A torus by its frame, and by the circle of its tube at u = 0 whose parameter is v.
struct SpindleTorus {
  gp_Ax3 frame;
  double major = 0, minor = 0;  ///< radii R < r [mm]
  gp_Circ tube;

  double poleHeight() const { return std::sqrt(minor * minor - major * major); }
};

std::optional<SpindleTorus> spindleTorusAbout(const gp_Ax1& axis, const gp_Circ& tube) {
  const gp_XYZ z = axis.Direction().XYZ(), center = tube.Location().XYZ(), n = tube.Axis().Direction().XYZ();
  const gp_XYZ foot = axis.Location().XYZ() + z * (center - axis.Location().XYZ()).Dot(z);
  const gp_XYZ outward = center - foot;
  SpindleTorus torus;
  torus.major = outward.Modulus();
  torus.minor = tube.Radius();
  const bool isTorus = std::abs(n.Dot(z)) < kParallel && std::abs(n.Dot(outward)) < kLength;
  if (!isTorus || torus.major < kLength || torus.major > torus.minor - kLength) return std::nullopt;
  torus.frame = gp_Ax3(gp_Pnt(foot), gp_Dir(z), gp_Dir(outward));
  torus.tube = tube;
  return torus;
}

std::optional<SpindleTorus> spindleTorusOf(const BRepAdaptor_Surface& surface) {
  if (surface.GetType() == GeomAbs_Torus) {
    const gp_Torus t = surface.Torus();
    const gp_Dir x = t.XAxis().Direction(), z = t.Axis().Direction();
    const gp_Pnt center(t.Location().XYZ() + x.XYZ() * t.MajorRadius());
    return spindleTorusAbout(gp_Ax1(t.Location(), z),
                             gp_Circ(gp_Ax2(center, x.Crossed(z), x), t.MinorRadius()));
  }
  if (surface.GetType() != GeomAbs_SurfaceOfRevolution) return std::nullopt;
  const Handle(Adaptor3d_Curve) curve = surface.BasisCurve();
  if (curve->GetType() != GeomAbs_Circle) return std::nullopt;
  return spindleTorusAbout(surface.AxeOfRevolution(), curve->Circle());
}

/// True if the tube meets the axis between these parameters.
bool crossesAxis(const SpindleTorus& torus, double low, double high) {
  for (const double side : {-1.0, 1.0}) {
    const gp_XYZ pole =
        torus.frame.Location().XYZ() + torus.frame.Direction().XYZ() * (side * torus.poleHeight());
    double v = ElCLib::Parameter(torus.tube, gp_Pnt(pole));
    v += kTurn * std::ceil((low + kAngle - v) / kTurn);
    if (v < high - kAngle) return true;
  }
  return false;
}

/// The part of the torus that can be seen from outside, with its material where `face` has it.
TopoDS_Face outerPart(const SpindleTorus& torus, const BRepAdaptor_Surface& surface,
                      const TopoDS_Face& face) {
  const double pole = std::numbers::pi - std::acos(torus.major / torus.minor);
  const Handle(Geom_ToroidalSurface) outer = new Geom_ToroidalSurface(torus.frame, torus.major, torus.minor);
  TopoDS_Face part = BRepBuilderAPI_MakeFace(outer, 0, kTurn, -pole, pole, Precision::Confusion()).Face();
  // The normal of the given surface at a point of its outer part.
  const gp_XYZ far = torus.tube.Location().XYZ() + torus.frame.XDirection().XYZ() * torus.minor;
  gp_Pnt p;
  gp_Vec du, dv;
  surface.D1(surface.FirstUParameter(), ElCLib::Parameter(torus.tube, gp_Pnt(far)), p, du, dv);
  const gp_XYZ outward = p.XYZ() - torus.frame.Location().XYZ();
  const bool isOutward = (du.Crossed(dv).XYZ().Dot(outward) > 0) == (face.Orientation() != TopAbs_REVERSED);
  part.Orientation(isOutward ? TopAbs_FORWARD : TopAbs_REVERSED);
  return part;
}

}  // namespace

TopoDS_Shape withoutInnerTori(const TopoDS_Shape& shape) {
  BRepTools_ReShape replaced;
  bool isReplaced = false;
  for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
    const TopoDS_Face& face = TopoDS::Face(at.Current());
    const BRepAdaptor_Surface surface(face, false);
    const auto torus = spindleTorusOf(surface);
    if (!torus) continue;
    double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
    BRepTools::UVBounds(face, u0, u1, v0, v1);
    if (!crossesAxis(*torus, v0, v1)) continue;
    if (u1 - u0 < kTurn - kAngle || v1 - v0 < kTurn - kAngle)
      throw UnreadableStep({"", "has a face on a torus across the axis of the torus, where it crosses itself",
                            "cut the face off at the axis in CAD and export again"});
    replaced.Replace(face, outerPart(*torus, surface, face));
    isReplaced = true;
  }
  return isReplaced ? replaced.Apply(shape) : shape;
}

}  // namespace tenon::content
