// Triangles by BRepMesh, surfaces by BRepAdaptor, mass by BRepGProp. OpenCASCADE uses millimeters here.
#include "content/step/reader/face_mesh.h"

#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Poly_Triangulation.hxx>
#include <ShapeUpgrade_ShapeDivideClosed.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Face.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "content/input/limits.h"
#include "content/step/reader/canonical_surface.h"
#include "content/step/reader/failed_faces.h"
#include "content/step/reader/freeform_surface.h"
#include "content/step/reader/meters.h"
#include "content/step/reader/spindle_torus.h"
#include "content/step/reader/unreadable_step.h"

namespace tenon::content {
namespace {

/// Largest deviation of facets from their surface, relative to the shape's extent [-].
constexpr double kDeflectionRatio = 1e-3;
/// Largest angle of a facet: 32 facets per circle [rad].
constexpr double kMaxFacetTurn = 0.2;
/// Deviation of facets from free-form surfaces, which collide as facets where their faces cannot be trimmed
/// [m], and the number of facets up to which it is kept.
constexpr double kFreeDeviation = 8e-6;
constexpr int kMaxFreeFacets = 50'000;
/// The same of surfaces of which only the facets are available [m].
constexpr double kFacetDeviation = 0.8e-6;

Vector3d unit(const gp_Dir& direction) {
  return Vector3d(direction.X(), direction.Y(), direction.Z()).normalized();
}

CadSurface surfaceAbout(const gp_Ax1& axis, CadSurface::Kind kind) {
  CadSurface s;
  s.kind = kind;
  s.origin = inMeters(axis.Location().XYZ());
  s.axis = unit(axis.Direction());
  return s;
}

/// A point of the surface of a face, in the middle of the parameters that the face has [m].
Vector3d middleOf(const TopoDS_Face& face) {
  const BRepAdaptor_Surface surface(face, true);
  const double u = 0.5 * (surface.FirstUParameter() + surface.LastUParameter()),
               v = 0.5 * (surface.FirstVParameter() + surface.LastVParameter());
  return inMeters(surface.Value(u, v).XYZ());
}

/// A cone by its nappe at `p`, where its radius is positive: a face may lie beyond the tip from where the
/// file gives the radius.
CadSurface nappeAt(CadSurface cone, const Vector3d& p) {
  const double height = (p - cone.origin).dot(cone.axis), radius = cone.radius + cone.slope * height;
  if (radius >= 0) return cone;
  cone.origin += height * cone.axis;
  cone.radius = -radius;
  cone.slope = -cone.slope;
  return cone;
}

CadSurface surfaceOf(const TopoDS_Face& face) {
  using Kind = CadSurface::Kind;
  const BRepAdaptor_Surface surface(face, false);
  switch (surface.GetType()) {
    case GeomAbs_Plane:
      return surfaceAbout(surface.Plane().Axis(), Kind::plane);
    case GeomAbs_Cylinder: {
      CadSurface s = surfaceAbout(surface.Cylinder().Axis(), Kind::cylinder);
      s.radius = surface.Cylinder().Radius() / kMillimetersPerMeter;
      return s;
    }
    case GeomAbs_Cone: {
      CadSurface s = surfaceAbout(surface.Cone().Axis(), Kind::cone);
      s.radius = surface.Cone().RefRadius() / kMillimetersPerMeter;
      s.slope = std::tan(surface.Cone().SemiAngle());
      return nappeAt(s, middleOf(face));
    }
    case GeomAbs_Sphere: {
      CadSurface s = surfaceAbout(surface.Sphere().Position().Axis(), Kind::sphere);
      s.radius = surface.Sphere().Radius() / kMillimetersPerMeter;
      return s;
    }
    case GeomAbs_Torus: {
      CadSurface s = surfaceAbout(surface.Torus().Axis(), Kind::torus);
      s.radius = surface.Torus().MajorRadius() / kMillimetersPerMeter;
      s.minor = surface.Torus().MinorRadius() / kMillimetersPerMeter;
      // Of a tube that is thicker than its circle is wide, the inner part is nearer to the far side of the
      // circle.
      if (s.minor > s.radius) {
        const Vector3d w = middleOf(face) - s.origin;
        const double height = w.dot(s.axis), rho = (w - height * s.axis).norm();
        if (std::abs(std::hypot(rho - s.radius, height) - s.minor) > 1e-3 * s.radius) {
          s.kind = Kind::revolved;
          s.freeform = freeformOf(face);
        }
      }
      return s;
    }
    default:
      break;
  }
  CadSurface s = canonicalSurface(surface);
  if (s.kind != Kind::other) return s;
  if (surface.GetType() == GeomAbs_SurfaceOfRevolution)
    s = surfaceAbout(surface.AxeOfRevolution(), Kind::revolved);
  s.freeform = freeformOf(face);
  if (s.freeform && s.kind == Kind::other) s.kind = Kind::freeform;
  return s;
}

/// Edges that two triangles of a face share; beyond the others the surface may not belong to the face.
using InnerEdges = std::set<std::pair<int, int>>;
InnerEdges innerEdgesOf(const Poly_Triangulation& mesh) {
  InnerEdges seen, inner;
  for (int t = 1; t <= mesh.NbTriangles(); ++t) {
    int k[3];
    mesh.Triangle(t).Get(k[0], k[1], k[2]);
    for (int i = 0; i < 3; ++i) {
      const std::pair<int, int> edge = std::minmax(k[i], k[(i + 1) % 3]);
      if (!seen.insert(edge).second) inner.insert(edge);
    }
  }
  return inner;
}

/// Adds the points of the surface above the centroid of a triangle and the middles of its inner edges, and
/// raises the deviation of the surface to their distance from the triangle.
void addSurfacePoints(const BRepAdaptor_Surface& surface, const Poly_Triangulation& mesh,
                      const InnerEdges& inner, const TopLoc_Location& place, const Poly_Triangle& triangle,
                      StepProduct& product) {
  int k[3];
  triangle.Get(k[0], k[1], k[2]);
  const auto at = [&](int i) { return mesh.Node(k[i % 3]).Transformed(place.Transformation()).XYZ(); };
  const auto uv = [&](int i) { return mesh.UVNode(k[i % 3]).XY(); };
  double& deviation = product.faces.surfaces.back().deviation;
  const auto add = [&](const gp_XY& parameters, const gp_XYZ& point, bool isInside) {
    const gp_XYZ exact = surface.Value(parameters.X(), parameters.Y()).XYZ();
    deviation = std::max(deviation, (exact - point).Modulus() / kMillimetersPerMeter);
    if (isInside)
      product.faces.points.push_back({inMeters(exact), static_cast<int>(product.mesh.triangles.size()) - 1});
  };
  add((uv(0) + uv(1) + uv(2)) / 3, (at(0) + at(1) + at(2)) / 3, true);
  for (int i = 0; i < 3; ++i)
    add((uv(i) + uv(i + 1)) / 2, (at(i) + at(i + 1)) / 2, inner.contains(std::minmax(k[i], k[(i + 1) % 3])));
}

void addTriangles(const TopoDS_Face& face, const CadSurface& its, const Poly_Triangulation& mesh,
                  const TopLoc_Location& place, StepProduct& product) {
  const int surface = static_cast<int>(product.faces.surfaces.size());
  product.faces.surfaces.push_back(its);
  const bool curved = product.faces.surfaces.back().kind != CadSurface::Kind::plane && mesh.HasUVNodes();
  const InnerEdges inner = curved ? innerEdgesOf(mesh) : InnerEdges{};
  const BRepAdaptor_Surface adaptor(face, false);
  const int first = static_cast<int>(product.mesh.vertices.size()) - 1;  // nodes count from 1
  for (int k = 1; k <= mesh.NbNodes(); ++k)
    product.mesh.vertices.push_back(inMeters(mesh.Node(k).Transformed(place.Transformation()).XYZ()));
  for (int k = 1; k <= mesh.NbTriangles(); ++k) {
    int a = 0, b = 0, c = 0;
    mesh.Triangle(k).Get(a, b, c);
    if (face.Orientation() == TopAbs_REVERSED) std::swap(b, c);
    product.mesh.triangles.push_back({first + a, first + b, first + c});
    product.faces.surfaceOf.push_back(surface);
    if (curved) addSurfacePoints(adaptor, mesh, inner, place, mesh.Triangle(k), product);
  }
}

/// Bounds of the exact surfaces, to a nanometer; false if there are none.
bool measureBounds(const TopoDS_Shape& shape, CadFaces& faces) {
  Bnd_Box box;
  BRepBndLib::AddOptimal(shape, box, false, false);
  if (box.IsVoid() || box.IsOpen()) return false;
  box.SetGap(0);
  faces.low = inMeters(box.CornerMin().XYZ());
  faces.high = inMeters(box.CornerMax().XYZ());
  return true;
}

int count(const TopoDS_Shape& shape, TopAbs_ShapeEnum what, TopAbs_ShapeEnum within = TopAbs_SHAPE) {
  int n = 0;
  for (TopExp_Explorer at(shape, what, within); at.More(); at.Next()) ++n;
  return n;
}

/// Mass properties of the exact solid; mass 0 if a face does not belong to a solid.
physics::MassProperties solidOf(const TopoDS_Shape& shape) {
  physics::MassProperties zero;
  zero.mass = 0;
  if (count(shape, TopAbs_SOLID) == 0 || count(shape, TopAbs_FACE, TopAbs_SOLID) > 0) return zero;
  GProp_GProps mass;
  BRepGProp::VolumeProperties(shape, mass, 1e-9, false, true);
  physics::MassProperties solid;
  solid.mass = mass.Mass() / 1e9;
  solid.center = inMeters(mass.CentreOfMass().XYZ());
  const gp_Mat inertia = mass.MatrixOfInertia();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      solid.inertia(row, column) = inertia(row + 1, column + 1) / 1e15;
  const bool isValid =
      solid.mass > 0 && std::isfinite(solid.mass) && solid.center.allFinite() && solid.inertia.allFinite();
  return isValid ? solid : zero;
}

[[noreturn]] void reject(const std::string& problem, const std::string& remedy) {
  throw UnreadableStep({"", problem, remedy});
}

/// Largest distance of a facet's middle, or of that of its sides, from the surface of its face [mm].
double facetDeviation(const TopoDS_Face& face, const Poly_Triangulation& mesh, const TopLoc_Location& place) {
  const BRepAdaptor_Surface surface(face, false);
  double largest = 0;
  for (int t = 1; t <= mesh.NbTriangles(); ++t) {
    int k[3];
    mesh.Triangle(t).Get(k[0], k[1], k[2]);
    const auto at = [&](int i) { return mesh.Node(k[i % 3]).Transformed(place.Transformation()).XYZ(); };
    const auto uv = [&](int i) { return mesh.UVNode(k[i % 3]).XY(); };
    const auto measure = [&](const gp_XY& parameters, const gp_XYZ& point) {
      const gp_XYZ exact = surface.Value(parameters.X(), parameters.Y()).XYZ();
      largest = std::max(largest, (exact - point).Modulus());
    };
    measure((uv(0) + uv(1) + uv(2)) / 3, (at(0) + at(1) + at(2)) / 3);
    for (int i = 0; i < 3; ++i) measure((uv(i) + uv(i + 1)) / 2, (at(i) + at(i + 1)) / 2);
  }
  return largest;
}

TopoDS_Compound compoundOf(const std::vector<TopoDS_Face>& faces) {
  TopoDS_Compound all;
  BRep_Builder builder;
  builder.MakeCompound(all);
  for (const TopoDS_Face& face : faces) builder.Add(all, face);
  return all;
}

/// Facets of faces that collide as facets, or may: so fine that they are within `wanted` [m] of their
/// surfaces, or as fine as kMaxFreeFacets allow. They take over the points on common edges with faces that
/// are `meshed`, and the other faces take over theirs.
void meshFreeFaces(const std::vector<TopoDS_Face>& faces, const std::vector<TopoDS_Face>& meshed,
                   double coarse, double wanted) {
  constexpr int kRefinements = 6;
  if (faces.empty()) return;
  const TopoDS_Compound own = compoundOf(faces);
  std::vector<TopoDS_Face> both = meshed;
  both.insert(both.end(), faces.begin(), faces.end());
  const TopoDS_Compound all = compoundOf(both);
  wanted *= kMillimetersPerMeter;
  double deflection = std::min(coarse, wanted), turn = kMaxFacetTurn;
  bool isCoarsened = false;
  for (int pass = 0; pass < kRefinements; ++pass) {
    BRepTools::Clean(own);
    const BRepMesh_IncrementalMesh mesher(all, deflection, false, turn, false);
    double deviation = 0;
    int facets = 0;
    for (const TopoDS_Face& face : faces) {
      TopLoc_Location place;
      const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
      if (mesh.IsNull()) continue;
      facets += mesh->NbTriangles();
      if (mesh->HasUVNodes()) deviation = std::max(deviation, facetDeviation(face, *mesh, place));
    }
    const bool isTooMany = facets > kMaxFreeFacets;
    if (isTooMany ? deflection >= coarse : isCoarsened || deviation <= wanted) return;
    isCoarsened = isTooMany;
    // Deviations are proportional to the deflection, or to the square of the angle.
    const double ratio = isTooMany ? 1 : std::max(0.25, 0.8 * wanted / deviation);
    const double excess = static_cast<double>(facets) / kMaxFreeFacets;
    deflection = isTooMany ? std::min(coarse, std::max(2.0, excess) * deflection) : ratio * deflection;
    turn *= std::sqrt(ratio);
  }
}

/// Triangles and surfaces of the faces of a shape; returns the faces with an area that have no triangles.
/// Those without an area are left out and listed.
std::vector<TopoDS_Face> addFaces(const TopoDS_Shape& shape, double deflection, StepProduct& product) {
  std::vector<CadSurface> surfaces;
  std::vector<TopoDS_Face> freeFaces, facetFaces;
  for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
    surfaces.push_back(surfaceOf(TopoDS::Face(at.Current())));
    const auto surface = surfaceOfCad(surfaces.back());
    if (!surface)
      facetFaces.push_back(TopoDS::Face(at.Current()));
    else if (surface->kind == physics::SurfaceKind::freeform)
      freeFaces.push_back(TopoDS::Face(at.Current()));
  }
  meshFreeFaces(facetFaces, {}, deflection, kFacetDeviation);
  meshFreeFaces(freeFaces, facetFaces, deflection, kFreeDeviation);
  const BRepMesh_IncrementalMesh mesher(shape, deflection, false, kMaxFacetTurn, false);
  int faces = 0;
  std::vector<TopoDS_Face> failed;
  for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next(), ++faces) {
    const TopoDS_Face& face = TopoDS::Face(at.Current());
    TopLoc_Location place;
    const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
    if (mesh.IsNull() || mesh->NbTriangles() == 0) {
      if (hasNoArea(face))
        product.emptyFaces.push_back(middleOfBorder(face).value_or(physics::Vector3d::Zero()));
      else
        failed.push_back(face);
      continue;
    }
    if (product.mesh.triangles.size() + static_cast<std::size_t>(mesh->NbTriangles()) > kMaxTriangles)
      reject("needs more than 10 million triangles", "export it with fewer details");
    addTriangles(face, surfaces[static_cast<std::size_t>(faces)], *mesh, place, product);
  }
  return failed;
}

void checkSize(const StepProduct& product) {
  for (const Vector3d& p : product.mesh.vertices)
    if (!(p.cwiseAbs().maxCoeff() <= kMaxPosition))
      reject("has coordinates above 10 km or not finite", "move it near the origin in CAD and export again");
}

}  // namespace

void meshFaces(const TopoDS_Shape& given, StepProduct& product) {
  const TopoDS_Shape shape = withoutInnerTori(given);
  const bool bounded = measureBounds(shape, product.faces);
  const double extent = (product.faces.high - product.faces.low).maxCoeff();
  if (count(shape, TopAbs_FACE) == 0 || !bounded || !(extent > 0))
    reject("has no solid and no surface", "export its solid, not its wires or sketches");
  if (!(extent <= kMaxSize)) reject("is longer than 1 km", "check its unit in CAD and export again");
  const double deflection = kDeflectionRatio * extent * kMillimetersPerMeter;
  std::vector<TopoDS_Face> failed = addFaces(shape, deflection, product);
  if (!failed.empty()) {
    // Of some whole turns of cones OpenCASCADE makes no triangles, but of their halves.
    ShapeUpgrade_ShapeDivideClosed halves(shape);
    halves.Perform();
    const TopoDS_Shape divided = halves.Result();
    if (!divided.IsNull() && count(divided, TopAbs_FACE) > count(shape, TopAbs_FACE)) {
      BRepTools::Clean(divided);
      product.mesh = {};
      product.emptyFaces.clear();
      product.faces.surfaces.clear();
      product.faces.surfaceOf.clear();
      product.faces.points.clear();
      if (addFaces(divided, deflection, product).empty()) failed.clear();
    }
  }
  if (!failed.empty())
    reject("has " + std::to_string(failed.size()) + (failed.size() == 1 ? " face of " : " faces of ") +
               std::to_string(count(shape, TopAbs_FACE)) + " that cannot be triangulated" + placesOf(failed),
           "repair the part in CAD and export it again");
  checkSize(product);
  product.faces.solid = solidOf(shape);
}

}  // namespace tenon::content
