// See swept_volume.h.
#include "runtime/sweep/swept_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>

#include "content/input/input_error.h"
#include "content/parts/display_mesh.h"
#include "runtime/sweep/offset_surface.h"
#include "runtime/sweep/triangle_check.h"

namespace tenon::runtime {

namespace {

using content::TriangleMesh;
using physics::Vector3d;

/// Shares of the error: tolerance of distances, level of the surface, finest cells.
constexpr double kTolerance = 0.1, kLevel = 0.5, kFinest = 1.0 / 32;
/// Largest gap of distances, of the error.
constexpr double kMaxGap = 0.3;
/// Cells of the first division, along each axis, and most of them.
constexpr int kFirstCells = 32, kMostFirstCells = 128;
/// Points closer than this are one [m].
constexpr double kSamePoint = 1e-9;

/// Solid angle of a triangle seen from the origin, positive if seen from inside (A. Van Oosterom and
/// J. Strackee, The solid angle of a plane triangle, IEEE Transactions on Biomedical Engineering 30, 1983).
double solidAngle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

bool isInside(const TriangleMesh& mesh, const Vector3d& p) {
  double angle = 0;
  const auto at = [&](int k) { return Vector3d(mesh.vertices[static_cast<std::size_t>(k)] - p); };
  for (const auto& t : mesh.triangles) angle += solidAngle(at(t[0]), at(t[1]), at(t[2]));
  return angle > 2 * std::numbers::pi;
}

double volumeInside(const TriangleMesh& mesh) {
  double volume = 0;
  const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(k)]; };
  for (const auto& t : mesh.triangles) volume += at(t[0]).dot(at(t[1]).cross(at(t[2]))) / 6;
  return volume;
}

/// A point of each connected piece of the shape, on its surface, in its frame.
std::vector<Vector3d> pointsOfPieces(const physics::Shape& shape) {
  const content::DisplayMesh mesh = content::displayMeshOf(shape);
  std::map<std::array<long long, 3>, std::size_t> first;
  std::vector<std::size_t> piece(mesh.positions.size());
  std::iota(piece.begin(), piece.end(), std::size_t{0});
  const auto root = [&](std::size_t k) {
    while (piece[k] != k) k = piece[k] = piece[piece[k]];
    return k;
  };
  for (std::size_t k = 0; k < piece.size(); ++k) {
    std::array<long long, 3> cell{};
    for (std::size_t i = 0; i < 3; ++i)
      cell[i] = std::llround(mesh.positions[k][static_cast<Eigen::Index>(i)] / kSamePoint);
    piece[root(k)] = root(first.try_emplace(cell, k).first->second);
  }
  for (const auto& t : mesh.triangles)
    for (const std::size_t i : {1u, 2u}) piece[root(t[i])] = root(t[0]);
  std::vector<Vector3d> points;
  for (std::size_t k = 0; k < piece.size(); ++k)
    if (root(k) == k) points.push_back(mesh.positions[k]);
  return points;
}

class VolumeBuilder {
 public:
  VolumeBuilder(const physics::Shape& shape, const PartPath& path, const SweptVolumeSettings& settings)
      : settings_(settings), error_(settings.error) {
    const PartPath still = withoutSpin(shape, path);
    for (int k = 0; k < std::max(1, settings.threads); ++k)
      distances_.push_back(std::make_unique<SweptDistance>(shape, still, kTolerance * error_));
    // After a jump the volume need not be connected with that before.
    if (const double gap = distances_.front()->gap(); gap > kMaxGap * error_)
      throw content::InputError(
          "--error", fmt::format("{:g}", error_ * 1e3),
          fmt::format("is too small for the facets of the part, which deviate by {:.3g} mm", gap * 1e3),
          fmt::format("give at least {:.2g}", std::ceil(gap / kMaxGap * 1e4) / 10));
    const std::vector<Vector3d> points = pointsOfPieces(shape);
    for (std::size_t k = 0; k < path.poses().size(); ++k)
      if (k == 0 || path.jumpsTo(k))
        for (const Vector3d& p : points) pieces_.push_back(path.poses()[k] * p);
  }

  SweptVolume run() {
    for (int cells = kFirstCells;; cells *= 2) {
      SweptVolume swept = attempt(cells);
      const auto isIn = [&](const Vector3d& p) { return isInside(swept.mesh, p); };
      if (!swept.isComplete || std::all_of(pieces_.begin(), pieces_.end(), isIn)) return swept;
      // A piece of the part is smaller than the cells.
      if (2 * cells > kMostFirstCells) fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw content::InputError("--error", fmt::format("{:g}", error_ * 1e3),
                              "is not reached: no closed surface is as near to the swept volume",
                              "give a larger error");
  }

  SweptVolume attempt(int cells) {
    TriangleCheck::Distances distances;
    for (const auto& distance : distances_) distances.push_back(distance.get());
    TriangleCheck check(distances, settings_.pathDeviation, error_ - settings_.pathDeviation);
    OffsetSurface surface(*distances_.front(), kLevel * error_, kFinest * error_);
    settings_.progress("swept volume: first cells");
    surface.refineTo(surface.size() / cells);
    for (;;) {
      OffsetSurface::Surface found = surface.extract();
      settings_.progress(fmt::format("swept volume: {} triangles to prove", found.mesh.triangles.size()));
      const std::vector<int> failed = check.failures(found.mesh, settings_.stop);
      const bool stopped = settings_.stop();
      if (failed.empty() || stopped) {
        const double volume = volumeInside(found.mesh);
        return {std::move(found.mesh), volume, !stopped};
      }
      if (!refine(surface, found, failed)) fail();
    }
  }

  /// Divides the cells of these triangles; false if all of them are the smallest.
  static bool refine(OffsetSurface& surface, const OffsetSurface::Surface& found,
                     const std::vector<int>& triangles) {
    std::vector<int> cells;
    for (const int triangle : triangles)
      for (const int vertex : found.mesh.triangles[static_cast<std::size_t>(triangle)])
        cells.push_back(found.cells[static_cast<std::size_t>(vertex)]);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    bool any = false;
    for (const int cell : cells) any = surface.divide(cell) || any;
    return any;
  }

  const SweptVolumeSettings& settings_;
  double error_;
  std::vector<std::unique_ptr<SweptDistance>> distances_;
  std::vector<Vector3d> pieces_;  ///< a point of each, world
};

}  // namespace

SweptVolume sweptVolume(const physics::Shape& shape, const PartPath& path,
                        const SweptVolumeSettings& settings) {
  return VolumeBuilder(shape, path, settings).run();
}

}  // namespace tenon::runtime
