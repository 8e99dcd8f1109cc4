// What a world is made of: constant after the set-up.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "physics/collision/collider.h"
#include "physics/contact/press_fit.h"
#include "physics/contact/surfaces.h"
#include "physics/contact/thread_stiffness.h"
#include "physics/hand/hand_parameters.h"
#include "physics/joint/joint_equations.h"
#include "physics/step/world_data.h"
#include "physics/step/world_state.h"

namespace tenon::physics {

/// The constants of one body.
struct Body {
  BodyDescription description;
  Vector3d p_CP = Vector3d::Zero();  ///< origin of the part's frame from the center of mass, part's axes [m]
  double mass = 0;                   ///< [kg], 0 unless dynamic
  Matrix3d inertia = Matrix3d::Zero();  ///< about the center of mass, part's axes [kg m²]
};

/// A hexagon of a screw, its frame relative to the body's center of mass.
struct PlacedHexagon {
  HexagonDescription description;
  Pose X_CH;
};

/// A driver, its tip relative to the body's center of mass.
struct PlacedDriver {
  DriverDescription description;
  Pose X_CT;
};

/// Bodies, hands, joints and options. A step reads it and writes nothing but the elastic fits, before the
/// first one.
struct WorldModel {
  WorldOptions options;
  std::unique_ptr<Collider> collider;
  std::vector<Body> bodies;
  std::vector<bool> dynamic;         ///< by body
  std::vector<MaterialId> material;  ///< by body
  std::vector<double> radius;        ///< by body, about its center of mass [m]
  /// By body [m]; infinite for half-spaces, and for all bodies with baraff: their motion is not swept.
  std::vector<double> thickness;
  std::vector<HandParameters> handParameters;
  std::vector<PlacedJoint> joints;
  std::vector<ThrusterDescription> thrusters;
  std::vector<PlacedHexagon> hexagons;
  std::vector<PlacedDriver> drivers;
  double minThickness = std::numeric_limits<double>::infinity();  ///< smallest thickness of a body [m]
  SurfaceTable surfaces;
  std::vector<PressFit> pressFits;            ///< of all pairs of elastic bodies, ordered by pair
  std::vector<ElasticThread> elasticThreads;  ///< of all pairs with threads, ordered by pair
  std::vector<char> hasFixedPhases;           ///< by body, see thread_stiffness.h
  bool hasPressFits = false;                  ///< these are complete, from the first step on
  std::vector<BodyPair> collisionFilter;  ///< pairs without contacts, because a joint connects them; sorted
  std::shared_ptr<const WorldState> initial;  ///< state at time 0, to which Reset returns
};

/// State of a body at rest with its part frame at X_WP.
BodyState restingAt(const Body& body, const Pose& X_WP);

}  // namespace tenon::physics
