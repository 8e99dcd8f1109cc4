// Faces, edges and corners of teeth.
#include "physics/collision/thread/tooth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon::physics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// Cells of an edge's search, as those of a circle (revolved/circle.h).
constexpr double kCellAngle = kTurn / 16;
/// Rotations of which the series of sine and cosine are exact to rounding [rad].
constexpr double kSmallTurn = 0.25;
/// Edges shorter than this are corners [m].
constexpr double kShortEdge = 1e-9;

HelicoidFace meridianFace(double alpha, double gamma, double rho, double z) {
  const double size = std::hypot(alpha, gamma);
  HelicoidFace face{alpha / size, gamma / size, 0, 0, true};
  face.c = face.alpha * rho + face.gamma * z;
  return face;
}

double crestRadius(const Thread& t) {
  return (t.isInternal ? t.minorDiameter : t.majorDiameter) / 2;
}
double rootRadius(const Thread& t) {
  return (t.isInternal ? t.majorDiameter : t.minorDiameter) / 2;
}

// The flank at the upper (side = 1) or lower end of a tooth whose middle is at z = middle + lead θ / 2π.
HelicoidFace flank(const Thread& t, double middle, double side) {
  const double slope = (t.isInternal ? -1 : 1) * std::tan(t.halfAngle), size = std::hypot(slope, 1.0);
  return {slope / size, side / size, side * t.lead() / kTurn / size,
          (t.pitch / 4 + slope * t.pitchDiameter / 2 + side * middle) / size, true};
}

// Planes and cones of both ends.
void addEnds(const Thread& t, std::vector<HelicoidFace>& faces) {
  const double crest = crestRadius(t);
  for (const bool atHigh : {false, true}) {
    const double side = atHigh ? 1 : -1, z = atHigh ? t.high : t.low;
    faces.push_back(meridianFace(0, side, 0, z));
    const ThreadEnd& cone = t.ends[atHigh ? 1 : 0];
    if (cone.length == 0) continue;
    const double outwards = t.isInternal ? -1 : 1;
    faces.push_back(
        meridianFace(outwards * cone.length, side * outwards * (crest - cone.radius), cone.radius, z));
  }
}

SpiralPoint pointOf(const SpiralEdge& edge, const CylindricalPoint& c, double x, double y) {
  const Vector3d radial(x, y, 0), tangential(-y, x, 0);
  return {c.rho * radial + c.z * Vector3d::UnitZ(),
          edge.dRho * radial + c.rho * edge.dTheta * tangential + edge.dZ * Vector3d::UnitZ(),
          2 * edge.dRho * edge.dTheta * tangential - c.rho * edge.dTheta * edge.dTheta * radial};
}

SpiralPoint pointOf(const SpiralEdge& edge, double tau) {
  const CylindricalPoint c = edge.coordinates(tau);
  return pointOf(edge, c, std::cos(c.theta), std::sin(c.theta));
}

/// Coordinates (ρ, r θ, z) with r of the crests: normals of faces are then (α, −κ/r, γ).
class Unrolled {
 public:
  explicit Unrolled(double radius) : radius_(radius) {}
  Vector3d normal(const HelicoidFace& f) const { return {f.alpha, -f.kappa / radius_, f.gamma}; }
  CylindricalPoint point(const Vector3d& y) const { return {y.x(), y.y() / radius_, y.z()}; }

  /// Adds the edge of faces f and g as far as it lies on the tooth, and its ends.
  void addEdge(std::size_t f, std::size_t g, Tooth& tooth) const {
    const Vector3d nf = normal(tooth.faces[f]), ng = normal(tooth.faces[g]);
    const Vector3d across = nf.cross(ng);
    const double sine = across.norm();
    if (sine < 1e-9) return;
    const Vector3d d = across / sine;
    Matrix3d system;
    system << nf.transpose(), ng.transpose(), d.transpose();
    const Vector3d y0 = system.inverse() * Vector3d(tooth.faces[f].c, tooth.faces[g].c, 0);
    Range range;
    if (!clip(tooth, f, g, y0, d, range)) return;
    const bool isCircle = std::isinf(range.low);
    if (isCircle) range = {0, kTurn * radius_, f, f};
    if (range.high - range.low < kShortEdge) return;
    const CylindricalPoint start = point(y0 + range.low * d);
    SpiralEdge edge{start, d.x(), d.y() / radius_, d.z(), range.high - range.low, f, g, 0, {}};
    const double turned = std::abs(edge.dTheta) * edge.length;
    const int cells = std::max(1, static_cast<int>(std::ceil(turned / kCellAngle - 1e-9)));
    for (int k = 0; k <= cells; ++k) edge.samples.push_back(pointOf(edge, edge.length * k / cells));
    if (!isCircle) {
      addCorner(start, f, g, range.atLow, tooth);
      addCorner(point(y0 + range.high * d), f, g, range.atHigh, tooth);
    }
    tooth.edges.push_back(std::move(edge));
  }

 private:
  struct Range {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    std::size_t atLow = 0, atHigh = 0;  // the face that ends the edge
  };

  bool clip(const Tooth& tooth, std::size_t f, std::size_t g, const Vector3d& y0, const Vector3d& d,
            Range& range) const {
    for (std::size_t h = 0; h < tooth.faces.size(); ++h) {
      if (h == f || h == g) continue;
      const Vector3d n = normal(tooth.faces[h]);
      const double rate = n.dot(d), beyond = n.dot(y0) - tooth.faces[h].c;
      if (std::abs(rate) < 1e-9) {
        if (beyond > 0) return false;
        continue;
      }
      const double end = -beyond / rate;
      if (rate > 0 && end < range.high) range.high = end, range.atHigh = h;
      if (rate < 0 && end > range.low) range.low = end, range.atLow = h;
    }
    return range.high > range.low;
  }

  static void addCorner(const CylindricalPoint& at, std::size_t f, std::size_t g, std::size_t h,
                        Tooth& tooth) {
    if (!tooth.faces[h].hasContacts) return;
    for (const ToothCorner& c : tooth.corners)
      if (std::abs(c.at.rho - at.rho) + std::abs(c.at.z - at.z) + at.rho * std::abs(c.at.theta - at.theta) <
          kShortEdge)
        return;
    tooth.corners.push_back({at, f, g, h, 0});
  }

  double radius_;
};

void addEdges(double crest, Tooth& tooth) {
  tooth.radius = crest;
  const Unrolled unrolled(crest);
  for (std::size_t f = 0; f < tooth.faces.size(); ++f)
    for (std::size_t g = f + 1; g < tooth.faces.size(); ++g)
      if (tooth.faces[f].hasContacts && tooth.faces[g].hasContacts) unrolled.addEdge(f, g, tooth);
}

void setPlainRange(const Thread& t, Tooth& tooth) {
  tooth.plainLow = t.low;
  tooth.plainHigh = t.high;
  tooth.plainRadius = 0.6 * t.majorDiameter;
  tooth.plainDepth = t.pitch / 4;
  for (std::size_t k = kEndFaces; k < tooth.faces.size(); ++k) {
    const HelicoidFace& f = tooth.faces[k];
    const double rho = f.alpha > 0 ? tooth.plainRadius : 0;
    const double z = (f.c - tooth.plainDepth - f.alpha * rho) / f.gamma;
    if (f.gamma > 0)
      tooth.plainHigh = std::min(tooth.plainHigh, z);
    else
      tooth.plainLow = std::max(tooth.plainLow, z);
  }
}

Tooth toothOf(const Thread& t, int start) {
  Tooth tooth;
  tooth.lead = t.lead();
  tooth.middle = start * t.pitch - t.lead() * t.phase / kTurn;
  const double outwards = t.isInternal ? -1 : 1, root = rootRadius(t);
  tooth.halfWidth = t.pitch / 4 + std::tan(t.halfAngle) * std::abs(root - t.pitchDiameter / 2);
  tooth.faces = {flank(t, tooth.middle, 1), flank(t, tooth.middle, -1),
                 meridianFace(outwards, 0, crestRadius(t), 0), meridianFace(-outwards, 0, root, 0)};
  tooth.faces[3].hasContacts = false;
  addEnds(t, tooth.faces);
  tooth.speed = t.majorDiameter / 2 / crestRadius(t);
  setPlainRange(t, tooth);
  addEdges(crestRadius(t), tooth);
  return tooth;
}

// Up to the roots of an external thread; the chamfers cut it only where they are narrower.
Tooth coreOf(const Thread& t) {
  Tooth core;
  core.isCore = true;
  core.faces = {meridianFace(1, 0, rootRadius(t), 0)};
  addEnds(t, core.faces);
  addEdges(crestRadius(t), core);
  return core;
}

}  // namespace

// From the nearest sample, by the rotation from there.
SpiralPoint SpiralEdge::at(double tau) const {
  const CylindricalPoint c = coordinates(tau);
  const double step = cell(), last = static_cast<double>(samples.size() - 1);
  const double nearest = std::clamp(std::floor(tau / step + 0.5), 0.0, last);
  const double turn = dTheta * (tau - nearest * step);
  double x = 0, y = 0;
  if (std::abs(turn) < kSmallTurn) {
    const Vector3d& p = samples[static_cast<std::size_t>(nearest)].p;
    const double rho = start.rho + dRho * nearest * step, s2 = turn * turn;
    const double cosine = 1 - s2 / 2 * (1 - s2 / 12 * (1 - s2 / 30 * (1 - s2 / 56 * (1 - s2 / 90)))),
                 sine = turn * (1 - s2 / 6 * (1 - s2 / 20 * (1 - s2 / 42 * (1 - s2 / 72 * (1 - s2 / 110)))));
    x = (p.x() * cosine - p.y() * sine) / rho;
    y = (p.y() * cosine + p.x() * sine) / rho;
  } else {
    x = std::cos(c.theta);
    y = std::sin(c.theta);
  }
  return pointOf(*this, c, x, y);
}

Vector3d faceNormal(const HelicoidFace& face, const CylindricalPoint& at) {
  return faceNormal(face, at.rho, {std::cos(at.theta), std::sin(at.theta)});
}

Vector3d faceNormal(const HelicoidFace& face, double rho, const Eigen::Vector2d& radial) {
  const Vector3d g = face.gradient(rho);
  return Vector3d(g.x() * radial.x() - g.y() * radial.y(), g.x() * radial.y() + g.y() * radial.x(), g.z())
      .normalized();
}

// |∇F| ≤ √(1 + (L / 2πρ)²), and no point of the way to the face is closer to the axis than the roots less
// `range`.
double ThreadGeometry::largestValue(double range) const {
  const double rho = std::max(minorRadius - range, 0.1 * minorRadius);
  return range * std::hypot(1.0, lead / (kTurn * rho));
}

ThreadGeometry prepareThread(const Thread& thread) {
  ThreadGeometry g;
  g.isInternal = thread.isInternal;
  g.pitch = thread.pitch;
  g.innerRadius = thread.isInternal ? thread.minorDiameter / 2 : 0;
  g.outerRadius = thread.majorDiameter / 2;
  g.minorRadius = thread.minorDiameter / 2;
  g.lead = std::abs(thread.lead());
  g.low = thread.low;
  g.high = thread.high;
  for (int start = 0; start < thread.starts; ++start) g.teeth.push_back(toothOf(thread, start));
  if (!thread.isInternal) g.teeth.push_back(coreOf(thread));
  int face = 0, feature = 0;
  for (Tooth& tooth : g.teeth) {
    tooth.firstFace = face;
    face += static_cast<int>(tooth.faces.size());
    for (SpiralEdge& edge : tooth.edges) edge.feature = feature++;
    for (ToothCorner& corner : tooth.corners) corner.feature = feature++;
  }
  return g;
}

}  // namespace tenon::physics
