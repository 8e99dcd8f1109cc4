// See spindle_torus.h. With the radius R of the circle and r > R of the tube, the torus meets its axis at the
// height ± √(r² − R²) above its center.
#include "content/step/reader/spindle_torus.h"

#include <Adaptor3d_Curve.hxx>
#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepTools.hxx>
#include <BRepTools_ReShape.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <ElCLib.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Precision.hxx>
#include <ShapeFix_Face.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Iterator.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Ax3.hxx>
#include <gp_Circ.hxx>
#include <gp_Torus.hxx>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "content/step/reader/canonical_surface.h"
#include "content/step/reader/meters.h"
#include "content/step/reader/unreadable_step.h"

namespace tenon::content {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kAngle = 1e-6;   ///< equal parameters [rad]
constexpr double kLength = 1e-6;  ///< equal points [mm]
/// Distance of a spline from the torus that it is [mm].
constexpr double kOnTorus = kCanonicalDeviation * kMillimetersPerMeter;
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
  if (curve->GetType() == GeomAbs_Circle)
    return spindleTorusAbout(surface.AxeOfRevolution(), curve->Circle());
  const CadSurface found = canonicalSurface(surface);  // of a spline
  if (found.kind != CadSurface::Kind::torus) return std::nullopt;
  const gp_Ax1& axis = surface.AxeOfRevolution();
  const Vector3d center = kMillimetersPerMeter * found.origin;
  const gp_Dir x = gp_Ax2(axis.Location(), axis.Direction()).XDirection();
  const gp_Pnt middle(gp_XYZ(center.x(), center.y(), center.z()) +
                      x.XYZ() * (kMillimetersPerMeter * found.radius));
  return spindleTorusAbout(
      axis, gp_Circ(gp_Ax2(middle, x.Crossed(axis.Direction()), x), kMillimetersPerMeter * found.minor));
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

/// The frame of a torus turned about its axis, so that the angle from which its parameter counts is in the
/// middle of the largest one that the borders of a face leave out; empty for whole turns, which have a seam.
std::optional<gp_Ax3> turnedAwayFrom(const TopoDS_Face& face, const gp_Ax3& frame) {
  constexpr int kSamples = 32;  // of an edge
  std::vector<double> angles;
  for (TopExp_Explorer at(face, TopAbs_EDGE); at.More(); at.Next()) {
    const TopoDS_Edge& edge = TopoDS::Edge(at.Current());
    if (BRep_Tool::Degenerated(edge) || BRep_Tool::IsClosed(edge, face)) return std::nullopt;
    const BRepAdaptor_Curve curve(edge);
    for (int k = 0; k <= kSamples; ++k) {
      const double part = static_cast<double>(k) / kSamples;
      const gp_XYZ p =
          curve.Value(curve.FirstParameter() + part * (curve.LastParameter() - curve.FirstParameter()))
              .XYZ() -
          frame.Location().XYZ();
      angles.push_back(std::atan2(p.Dot(frame.YDirection().XYZ()), p.Dot(frame.XDirection().XYZ())));
    }
  }
  std::sort(angles.begin(), angles.end());
  double largest = 0, turn = 0;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const bool isLast = k + 1 == angles.size();
    const double gap = (isLast ? angles.front() + kTurn : angles[k + 1]) - angles[k];
    if (gap > largest) largest = gap, turn = angles[k] + 0.5 * gap;
  }
  return frame.Rotated(gp_Ax1(frame.Location(), frame.Direction()), turn);
}

/// A face on the outer part of a torus that is given as a turned circle, with its borders found again in the
/// parameters of the torus: in those of the turned circle OpenCASCADE confuses the sides of the axis. Empty
/// for the inner part.
std::optional<TopoDS_Face> onTorus(const SpindleTorus& torus, const BRepAdaptor_Surface& surface,
                                   const TopoDS_Face& face) {
  gp_Pnt p;
  gp_Vec du, dv;
  surface.D1(surface.FirstUParameter(), 0.5 * (surface.FirstVParameter() + surface.LastVParameter()), p, du,
             dv);
  const gp_XYZ z = torus.frame.Direction().XYZ(), from = p.XYZ() - torus.frame.Location().XYZ();
  const gp_XYZ outward = from - z * from.Dot(z);
  const double rho = outward.Modulus();
  if (std::abs(std::hypot(rho - torus.major, from.Dot(z)) - torus.minor) > kOnTorus) return std::nullopt;
  const bool isSame = du.Crossed(dv).XYZ().Dot(from - outward * (torus.major / rho)) > 0;
  const auto frame = turnedAwayFrom(face, torus.frame);
  if (!frame) return std::nullopt;
  const BRep_Builder builder;
  TopoDS_Face fresh;
  builder.MakeFace(fresh, new Geom_ToroidalSurface(*frame, torus.major, torus.minor), Precision::Confusion());
  for (TopoDS_Iterator loop(face.Oriented(TopAbs_FORWARD)); loop.More(); loop.Next()) {
    TopoDS_Wire wire;
    builder.MakeWire(wire);
    for (TopoDS_Iterator edge(loop.Value()); edge.More(); edge.Next()) builder.Add(wire, edge.Value());
    builder.Add(fresh, isSame ? wire : wire.Reversed());
  }
  ShapeFix_Face fix(fresh);
  fix.FixOrientationMode() = 0;
  fix.FixAddNaturalBoundMode() = 0;
  fix.Perform();
  fresh = fix.Face();
  if (!BRepCheck_Analyzer(fresh).IsValid()) return std::nullopt;
  fresh.Orientation(isSame == (face.Orientation() != TopAbs_REVERSED) ? TopAbs_FORWARD : TopAbs_REVERSED);
  return fresh;
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
    // Only of circles are the parameters the angles of the tube.
    const bool isAngle =
        surface.GetType() == GeomAbs_Torus || surface.BasisCurve()->GetType() == GeomAbs_Circle;
    if (!isAngle || !crossesAxis(*torus, v0, v1)) {
      if (surface.GetType() != GeomAbs_SurfaceOfRevolution) continue;
      if (const auto outer = onTorus(*torus, surface, face)) {
        replaced.Replace(face, *outer);
        isReplaced = true;
      }
      continue;
    }
    if (u1 - u0 < kTurn - kAngle || v1 - v0 < kTurn - kAngle)
      throw UnreadableStep({"", "has a face on a torus across the axis of the torus, where it crosses itself",
                            "cut the face off at the axis in CAD and export again"});
    replaced.Replace(face, outerPart(*torus, surface, face));
    isReplaced = true;
  }
  return isReplaced ? replaced.Apply(shape) : shape;
}

}  // namespace tenon::content
