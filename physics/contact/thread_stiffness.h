// Axial stiffness of screws: an external thread in an internal one, elastic. The parts stay rigid; contacts
// of the loaded flanks, of the head and of a nut with what they clamp are springs. Along the axis they have
// together the stiffness of the screw, so that a tightened screw clamps with a force.
//
// VDI 2230-1 (2015), 5.1.1, with d the nominal diameter, A_N = π d²/4, and A_3 = π d_3²/4 of the minor
// diameter, adds the compliances of
//     head            0.5 d / (E_S A_N), hexagonal; 0.4 d / (E_S A_N), cylindrical      at the head
//     shank           ∫ dz / (E_S A) from the bearing face to the engaged thread        at the head
//     engaged thread  0.5 d / (E_S A_3)                                                 at the flanks
//     nut             0.4 d / (E_M A_N)                                                 at the nut
//     tapped hole     0.33 d / (E_M A_N)                                                at the flanks
// without that of the clamped parts. What has no bearing face, or does not move, adds to the flanks. Two ends
// that press on each other, such as a nut and its locknut, are springs in series; of a body with several
// threads the stiffest end counts, that of the nearest thread.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/collider.h"
#include "physics/contact/press_fit.h"

namespace tenon::physics {

/// An external thread of one body in an internal thread of another, which is a nut or has a tapped hole.
struct ElasticThread {
  /// A piece of the screw along z of E.
  struct Section {
    double low = 0, high = 0;        ///< [m]
    double compliancePerLength = 0;  ///< [1/N]
  };
  BodyPair pair;
  bool externalIsI = false;  ///< the external thread belongs to body i
  Pose X_CE, X_CN;           ///< frames of external and internal thread on their bodies' centers of mass
  Eigen::Vector2d external = Eigen::Vector2d::Zero();  ///< range of the external thread along z of E [m]
  Eigen::Vector2d internal = Eigen::Vector2d::Zero();  ///< range of the internal thread along z of N [m]
  double innerRadius = 0, outerRadius = 0;             ///< between which the flanks meet [m]
  double pitch = 0;                                    ///< [m]
  double headSide = 0;            ///< +1: the head is above the thread along z of E; −1: below; 0: none
  double bearing = 0;             ///< z of the head's bearing face in E [m]
  std::vector<Section> sections;  ///< thread and shank up to the bearing face, in any order
  double headCompliance = 0;      ///< of the head alone [m/N]
  double flankCompliance = 0;     ///< of engaged thread and tapped hole [m/N]
  double nutCompliance = 0;       ///< of the nut [m/N]
  bool isRigid = false;  ///< both parts are: the compliances are those for 1 Pa, only their ratios count
  bool isRound = false;  ///< the bearing face belongs to a solid of revolution only
  bool headMoves = false, nutMoves = false;  ///< forces move the body with the head; that with the nut

  BodyId screw() const { return externalIsI ? pair.i : pair.j; }
  BodyId nut() const { return externalIsI ? pair.j : pair.i; }
};

/// Compliances of the ends of bodies i and j of a contact [m/N]; infinite: no end of a screw or nut.
using EndCompliances = std::array<double, 2>;

/// A thread at two poses of its bodies: which contacts bear its load, and their compliances.
class ThreadLoad {
 public:
  /// `given`: stiffness of the pair [N/m], in place of the one of its parts; infinite: none.
  ThreadLoad(const ElasticThread& thread, const Pose& X_WScrew, const Pose& X_WNut, double given);

  /// False where a thread is rigid, the axes differ, or less than a turn is engaged.
  bool isActive() const { return active_; }
  /// Axial compliance of the screw [m/N].
  double whole() const { return factor_ * (flanks_ + head_ + nut_); }
  /// Removes from the contacts of a pair, and from their compliances, those of flanks and of the bearing face
  /// that pass over both parts: the phases fixed in a part bear the load. Deepest points of faces that are
  /// nearly parallel would move from trial to trial. Of a tilted screw those are kept that lie deeper than
  /// all fixed phases of their side. `isExact`: the other body is, see hasFixedPhases().
  void removePassing(bool isExact, ContactSet& contacts, std::vector<double>& compliances) const;
  /// Sets the compliances of the flanks that bear load, by index.
  void shareFlanks(const ContactSet& contacts, std::vector<double>& compliances) const;
  /// Sets those of the bearing face and of the nut, of any pair with the screw or the nut, where they are
  /// less.
  void shareEnds(const ContactSet& contacts, std::vector<EndCompliances>& ends) const;

 private:
  /// Components along the axis of the normals of a contact of two flanks, under the head, and of the nut's
  /// faces; 0 for all others.
  double alongFlank(const Contact& contact) const;
  double alongHead(const Contact& contact) const;
  double alongNut(const Contact& contact) const;
  /// By sign along the axis, − first: least separation of the fixed phases of flanks [m]; infinite: none.
  std::array<double, 2> deepestPhases(const ContactSet& contacts) const;

  const ElasticThread* thread_;
  Pose X_EW_, X_NW_;
  Vector3d axis_ = Vector3d::UnitZ();                // z of E, in the world
  Eigen::Vector2d range_ = Eigen::Vector2d::Zero();  // of the engaged thread along z of E [m]
  bool active_ = false;
  double factor_ = 1, flanks_ = 0, head_ = 0, nut_ = 0;  // compliances [m/N]
};

/// True if all contacts of a shape with a solid of revolution are those of revolved/.
bool hasFixedPhases(const Shape& shape);

/// A body of a pair, as elastic threads see it.
struct ThreadPart {
  FitPart part;
  bool moves = false;  ///< forces move it
};

/// Appends the pairs of an external thread of one part and an internal one of the other, of equal lead.
void findElasticThreads(BodyPair pair, const ThreadPart& i, const ThreadPart& j,
                        std::vector<ElasticThread>& threads);

}  // namespace tenon::physics
