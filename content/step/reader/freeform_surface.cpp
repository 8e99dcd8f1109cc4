// See freeform_surface.h.
#include "content/step/reader/freeform_surface.h"

#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <GeomConvert.hxx>
#include <GeomConvert_BSplineSurfaceToBezierSurface.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Standard_Failure.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TopoDS_Face.hxx>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "content/step/reader/meters.h"

namespace tenon::content {
namespace {

using physics::Vector3d;
using physics::brep::BezierPatch;

/// Borders that are this close are one [mm]: CAD systems write closed surfaces with rounded poles.
constexpr double kClosed = 1e-4;
/// Part of a turn that may be missing in a whole one [-]: the face's own border says where it ends.
constexpr double kWholeTurn = 1e-3;
/// Rounding of parameters, relative to their range [-].
constexpr double kSameParameter = 1e-9;

/// `isTurned`: u and v exchanged.
BezierPatch patchOf(const Geom_BezierSurface& surface, bool isTurned) {
  BezierPatch patch;
  patch.degree = {isTurned ? surface.VDegree() : surface.UDegree(),
                  isTurned ? surface.UDegree() : surface.VDegree()};
  for (int i = 0; i <= patch.degree[0]; ++i)
    for (int k = 0; k <= patch.degree[1]; ++k) {
      const int row = 1 + (isTurned ? k : i), column = 1 + (isTurned ? i : k);
      const double weight = surface.Weight(row, column);
      Eigen::Vector4d q;
      q << weight * inMeters(surface.Pole(row, column).XYZ()), weight;
      patch.points.push_back(q);
    }
  return patch;
}

/// True if the borders at the ends of u (else of v) are the same curve.
bool isClosed(const Geom_BSplineSurface& surface, bool inU) {
  const int along = inU ? surface.NbVPoles() : surface.NbUPoles(),
            last = inU ? surface.NbUPoles() : surface.NbVPoles();
  for (int k = 1; k <= along; ++k) {
    const gp_Pnt a = inU ? surface.Pole(1, k) : surface.Pole(k, 1),
                 b = inU ? surface.Pole(last, k) : surface.Pole(k, last);
    if (a.Distance(b) > kClosed) return false;
  }
  return true;
}

std::vector<BezierPatch> patchesOf(const Handle(Geom_BSplineSurface) & spline, bool isTurned,
                                   bool isPeriodic) {
  GeomConvert_BSplineSurfaceToBezierSurface parts(spline);
  const int rows = parts.NbUPatches(), columns = parts.NbVPatches();
  TColStd_Array1OfReal u(1, rows + 1), v(1, columns + 1);
  parts.UKnots(u);
  parts.VKnots(v);
  // A turn of 2π where it is closed.
  const TColStd_Array1OfReal& first = isTurned ? v : u;
  const double from = first.First(), scale = isPeriodic ? 2 * std::numbers::pi / (first.Last() - from) : 1;
  const auto turned = [&](double t) { return isPeriodic ? scale * (t - from) : t; };
  std::vector<BezierPatch> patches;
  for (int i = 1; i <= rows; ++i)
    for (int k = 1; k <= columns; ++k) {
      BezierPatch patch = patchOf(*parts.Patch(i, k), isTurned);
      const std::array<double, 2> inU{u(i), u(i + 1)}, inV{v(k), v(k + 1)};
      const auto &one = isTurned ? inV : inU, &other = isTurned ? inU : inV;
      patch.low = {turned(one[0]), other[0]};
      patch.high = {turned(one[1]), other[1]};
      patches.push_back(std::move(patch));
    }
  return patches;
}

/// The parameters that a face may use: u from the first to the second, v from the third to the fourth. A
/// whole turn of a closed surface begins where the surface does.
std::array<double, 4> boundsOf(const TopoDS_Face& face, const Geom_Surface& surface) {
  std::array<double, 4> used{}, all{};
  BRepTools::UVBounds(face, used[0], used[1], used[2], used[3]);
  surface.Bounds(all[0], all[1], all[2], all[3]);
  const auto* spline = dynamic_cast<const Geom_BSplineSurface*>(&surface);
  for (std::size_t k = 0; k < 4; k += 2) {
    const bool isPeriodic = k == 0 ? surface.IsUPeriodic() : surface.IsVPeriodic();
    const bool isTurn = isPeriodic || (spline != nullptr && isClosed(*spline, k == 0));
    const double length = all[k + 1] - all[k];
    if (isTurn && used[k + 1] - used[k] > (1 - kWholeTurn) * length) {
      used[k] = all[k];
      used[k + 1] = all[k + 1];
    } else if (!isPeriodic) {
      used[k] = std::max(used[k], all[k]);
      used[k + 1] = std::min(used[k + 1], all[k + 1]);
    }
  }
  return used;
}

/// That part of a surface as B-splines without a period; exactly, unless it is an offset surface.
Handle(Geom_BSplineSurface)
    splineOf(const Handle(Geom_Surface) & surface, const std::array<double, 4>& bounds) {
  const Handle(Geom_BSplineSurface) own = Handle(Geom_BSplineSurface)::DownCast(surface);
  if (own.IsNull()) {
    const Handle(Geom_RectangularTrimmedSurface) part =
        new Geom_RectangularTrimmedSurface(surface, bounds[0], bounds[1], bounds[2], bounds[3]);
    return GeomConvert::SurfaceToBSplineSurface(part);
  }
  const Handle(Geom_BSplineSurface) spline = Handle(Geom_BSplineSurface)::DownCast(own->Copy());
  std::array<double, 4> all{};
  spline->Bounds(all[0], all[1], all[2], all[3]);
  const auto isWhole = [&](std::size_t k) {
    return bounds[k + 1] - bounds[k] > (1 - kSameParameter) * (all[k + 1] - all[k]);
  };
  if (!isWhole(0) || !isWhole(2)) spline->CheckAndSegment(bounds[0], bounds[1], bounds[2], bounds[3]);
  if (spline->IsUPeriodic()) spline->SetUNotPeriodic();
  if (spline->IsVPeriodic()) spline->SetVNotPeriodic();
  return spline;
}

/// Parameters are not compared: a conversion may change them.
bool isOn(const physics::brep::FreeformSurface& form, const Geom_Surface& surface,
          const std::array<double, 4>& bounds) {
  constexpr int kSamples = 9;
  for (int i = 0; i <= kSamples; ++i)
    for (int k = 0; k <= kSamples; ++k) {
      const Vector3d p = inMeters(surface
                                      .Value(bounds[0] + (bounds[1] - bounds[0]) * i / kSamples,
                                             bounds[2] + (bounds[3] - bounds[2]) * k / kSamples)
                                      .XYZ());
      if (!((form.footOf(p).at.p - p).norm() <= kFreeformDeviation)) return false;
    }
  return true;
}

}  // namespace

std::shared_ptr<const physics::brep::FreeformSurface> freeformOf(const TopoDS_Face& face) {
  try {
    TopLoc_Location place;
    Handle(Geom_Surface) surface = BRep_Tool::Surface(face, place);
    if (surface.IsNull()) return nullptr;
    if (!place.IsIdentity())
      surface = Handle(Geom_Surface)::DownCast(surface->Transformed(place.Transformation()));
    const std::array<double, 4> bounds = boundsOf(face, *surface);
    const Handle(Geom_BSplineSurface) spline = splineOf(surface, bounds);
    if (spline.IsNull()) return nullptr;
    const bool inU = isClosed(*spline, true), inV = isClosed(*spline, false);
    if (inU && inV) return nullptr;
    auto form = std::make_shared<const physics::brep::FreeformSurface>(patchesOf(spline, inV, inU || inV),
                                                                       inU || inV);
    return isOn(*form, *surface, bounds) ? form : nullptr;
  } catch (const Standard_Failure&) {
    return nullptr;
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

}  // namespace tenon::content
