// Press fits: a cylinder in a narrower bore, both elastic. The parts stay rigid and overlap; the contacts of
// the two cylinders are springs whose stiffness is that of the engaged length.
//
// Thick-walled cylinders (G. Lamé 1852; K.-H. Decker, Maschinenelemente): an interference i of diameters
// presses a shaft with bore d_i into a hub of diameter D with
//     p = i / (d C),   C = ((D² + d²)/(D² − d²) + ν_hub)/E_hub + ((d² + d_i²)/(d² − d_i²) − ν_shaft)/E_shaft.
// On the area π d L, with the radial overlap i/2, that is the stiffness 2π L/C of all contacts together.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/collider.h"
#include "physics/contact/surfaces.h"

namespace tenon::physics {

/// A cylinder of one body and a bore of another that is narrower.
struct PressFit {
  BodyPair pair;
  bool shaftIsI = false;  ///< the cylinder belongs to body i
  Pose X_CS, X_CB;        ///< frames of cylinder and bore on their bodies' centers of mass; z: the axis
  Eigen::Vector2d shaft = Eigen::Vector2d::Zero();  ///< range of the cylinder along z of S [m]
  Eigen::Vector2d bore = Eigen::Vector2d::Zero();   ///< range of the bore along z of B [m]
  double radius = 0;                                ///< of the cylinder [m]
  double stiffnessPerLength = 0;                    ///< 2π/C [N/m²]
};

/// A fit at two poses: which contacts belong to it, and their stiffness.
class Engagement {
 public:
  Engagement(const PressFit& fit, const Pose& X_WI, const Pose& X_WJ);

  /// Length on which the cylinder is in the bore [m]; negative: how far it is before it.
  double length() const { return range_.y() - range_.x(); }
  /// False where it is neither in the bore nor about to enter.
  bool isActive() const { return active_; }
  /// Of all its contacts together [N/m].
  double stiffness() const;
  /// True for a contact between the two walls, or of a wall with the other's lead-in.
  bool includes(const Contact& contact) const;

 private:
  const PressFit* fit_;
  Pose X_WS_;
  Eigen::Vector2d range_ = Eigen::Vector2d::Zero();  // along z of S
  bool active_ = false;
};

/// A part of a pair, as press fits see it.
struct FitPart {
  const Shape* shape = nullptr;
  Vector3d p_CP = Vector3d::Zero();  ///< origin of the part's frame from the center of mass [m]
  Elasticity material;
};

/// Appends the fits of all cylinders of one part with narrower bores of the other, by at most a hundredth of
/// the diameter. None where both are rigid.
void findPressFits(BodyPair pair, const FitPart& i, const FitPart& j, std::vector<PressFit>& fits);

}  // namespace tenon::physics
