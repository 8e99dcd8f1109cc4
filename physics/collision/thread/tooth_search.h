// Contact search between the edges and corners of one thread and the other thread.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/revolved/circle.h"
#include "physics/collision/revolved/pair_search.h"
#include "physics/collision/thread/edge_cells.h"

namespace tenon::physics {

/// One direction of a query: edges and corners of `own` against `other`, in the frame of `other`.
class ToothSearch {
 public:
  /// X_FO: frame of `other` in that of the contacts. `edgesToo`: also edge against edge, once a pair.
  ToothSearch(const ThreadGeometry& own, const ThreadGeometry& other, const RigidTransform& X_OtherOwn,
              const RigidTransform& X_FO, Owner owner, double range, std::vector<SurfaceContact>& contacts);

  /// Adds the contacts of all edges and corners of `own`.
  void run(bool edgesToo);
  /// Adds the deepest point of an edge inside the other thread, found by run(), if there is one.
  void addDeepest();

 private:
  struct EdgeNormals {
    Vector3d before, after;  // of an edge's faces, in the frame of `other`
  };
  /// A cell of an edge, against a tooth.
  struct Target {
    const Tooth& own;
    const SpiralEdge& edge;
    const Tooth& tooth;
    EdgeCell cell;
    std::size_t index;        // of the cell
    FaceValues &begin, &end;  // of `tooth`
  };

  /// The foot on a face and the slope of the distance at the end of a cell, where the next one begins.
  struct EndSlope {
    const EdgeSample* at = nullptr;
    int turn = 0;
    HelicoidFoot foot;
    Slope slope;
  };

  bool isWithinBounds(const Vector3d& p, double margin) const;
  /// Samples of an edge that can be within `margin` of the other thread by their heights: first, past last.
  std::array<std::size_t, 2> samplesBetween(const SpiralEdge& edge, double margin) const;
  EdgeSample sampleAt(const SpiralEdge& edge, double tau, double theta) const;
  void searchEdge(const Tooth& tooth, const SpiralEdge& edge, bool edgesToo);
  void searchCells(const Tooth& tooth, const SpiralEdge& edge, const Tooth& theirs,
                   std::array<std::size_t, 2> used, bool edgesToo);
  void againstFaces(const Target& target, const ToothBounds& bounds);
  /// False if the distance is constant along the cell.
  bool minimaOn(const Target& target, std::size_t face, int turn, HelicoidFoot& footOfBegin);
  void fixedPhase(const Target& target, std::size_t face, int turn, bool isConstant, HelicoidFoot& foot);
  /// `values`: of the tooth's faces at the sample.
  void recordInside(const Tooth& tooth, const EdgeSample& s, FaceValues& values, int turn);
  /// True if the foot of a point on a face is on the tooth, within the range.
  bool isOnTooth(const Tooth& on, std::size_t face, const CylindricalPoint& at,
                 const HelicoidFoot& foot) const;
  void addOnFace(const Target& target, std::size_t face, int turn, const EdgeSample& s,
                 const HelicoidFoot& foot, std::uint32_t kind);
  void againstEdges(const Target& target, const ToothBounds& bounds);
  void edgePair(const Target& target, const SpiralEdge& theirs, int turn);
  bool addEdgePair(const Target& target, const SpiralEdge& theirs, int turn, double tau, double sigma);
  void searchCorner(const Tooth& tooth, const ToothCorner& corner);
  EdgeNormals normalsOf(const Tooth& tooth, const SpiralEdge& edge, double rho,
                        const Eigen::Vector2d& radial) const;
  void add(const Vector3d& p, const Vector3d& normal, double distance, std::uint32_t code);

  const ThreadGeometry& own_;
  const ThreadGeometry& other_;
  const RigidTransform X_OE_;  // own thread in the frame of the other
  const AxisView view_;
  const RigidTransform X_FO_;
  const Owner owner_;
  const double range_;
  const double reach_;  // largest F of a face of `other` within the range [m]
  const double depth_;  // overlap up to which feature contacts are listed [m]
  std::vector<SurfaceContact>& contacts_;
  std::vector<EdgeSample>& samples_;
  std::array<EndSlope, kMaxFaces> endSlopes_{};  // by face
  SurfaceContact deepest_{};
};

}  // namespace tenon::physics
