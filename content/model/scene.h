// A scene as plain data: complete, in SI units, and checked before any world exists. Whatever can be
// wrong with a scene file has been found by the time one of these is in hand.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/body/body_state.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/geometry/shape.h"
#include "physics/hand/hand_parameters.h"
#include "physics/joint/joint.h"
#include "physics/math/pose.h"

namespace tenon::content {

using physics::Pose;
using physics::Vector3d;

struct DisplayMesh;  // parts/display_mesh.h
struct MeshShape;    // scene/read_mesh.h

struct Material {
  std::string name;
  double density = 0;  ///< [kg/m³]
};

/// What two materials do to each other. Unlisted pairs: smooth and rigid, no bounce.
struct MaterialPair {
  int a = -1, b = -1;                                          ///< indices into Scene::materials, a ≤ b
  double friction = 0;                                         ///< Coulomb's μ
  double restitution = 0;                                      ///< 0…1
  double stiffness = std::numeric_limits<double>::infinity();  ///< as physics::SurfacePair's [N/m]
};

/// A named line on a part, such as a screw's tip: a point and the way it goes into a hole.
struct AxisFeature {
  std::string name;
  Vector3d origin = Vector3d::Zero();      ///< in the part's frame [m]
  Vector3d direction = Vector3d::UnitZ();  ///< unit, in the part's frame; points out of the part
};

struct Part {
  std::string name;
  int entry = -1;     ///< of the file's "parts", counted from 0; those of one "count" share it
  int material = -1;  ///< index into Scene::materials; −1: none given
  physics::MotionType motion = physics::MotionType::dynamic;
  physics::Shape shape;               ///< in the part's frame
  physics::MassProperties mass;       ///< from shape and density, or as given
  Pose X_WP;                          ///< start pose
  Vector3d v = Vector3d::Zero();      ///< start velocity [m/s]
  Vector3d omega = Vector3d::Zero();  ///< start angular velocity [rad/s]
  std::vector<AxisFeature> features;
  std::string libraryName;                ///< of a part of the library ("ISO 4762 M8x30"); else empty
  std::shared_ptr<const MeshShape> mesh;  ///< where the shape comes from a mesh file
  std::shared_ptr<const DisplayMesh> displayMesh;  ///< what it looks like; none: its shape
  std::optional<std::array<double, 3>> color;      ///< sRGB, 0…1
};

/// What holds a part to another one, or to the world. Its frames are on each other at the start, but for a
/// thread that its screw is brought to.
struct Joint {
  std::string name;
  physics::JointKind kind = physics::JointKind::fixed;
  int part = -1;                      ///< index into Scene::parts
  int to = -1;                        ///< index into Scene::parts; −1: the world
  Pose X_PA;                          ///< in the frame of `to`, or the world
  Pose X_PB;                          ///< in the frame of `part`
  double pitch = 0;                   ///< as physics::JointDescription's [m]
  double diameter = 0;                ///< of a thread: nominal diameter d [m]; 0: not known, so no friction
  physics::JointRange angle, travel;  ///< likewise [rad], [m]
  bool collides = false;
  std::optional<physics::ScrewEntry> entry;  ///< likewise
  std::string hole, feature;                 ///< of a thread with an entry: of `to`, and of `part`
};

/// A fit that has been laid on a goal's nominal pair: how much hole and part were made larger in diameter.
struct Fit {
  std::string text;                             ///< "H7/g6", or "25 µm"
  double nominal = 0;                           ///< diameter of both [m]
  double holeDeviation = 0, partDeviation = 0;  ///< laid on them [m]
  double minClearance = 0, maxClearance = 0;    ///< that the fit allows [m]; negative: interference

  double clearance() const { return holeDeviation - partDeviation; }  ///< diametral [m]
};

/// A part belongs in a hole.
struct Goal {
  std::string name;        ///< empty: none given
  std::vector<int> after;  ///< indices into Scene::goals: these come before
  std::optional<Fit> fit;
  int part = -1;              ///< index into Scene::parts
  int feature = -1;           ///< index into that part's features: the end that goes in
  int into = -1;              ///< index into Scene::parts
  std::string hole;           ///< name of a hole of `into`
  Pose X_IH;                  ///< mouth of the hole in the frame of `into`: +z out of the hole
  double depth = 0;           ///< how far the feature's origin shall be below the mouth plane [m]
  double depthTolerance = 0;  ///< [m]
  double tiltTolerance = 0;   ///< [rad]
  double timeLimit = 0;       ///< from the start [s]
  int screwJoint = -1;        ///< index into Scene::joints: the thread that shall be tight; −1: none
};

/// What a way-point's pose is the pose of.
enum class WaypointFrame {
  hand,  ///< the hand itself
  part,  ///< the part the hand holds, by the part's own frame; the hand follows rigidly
};

/// One line of a hand's script. Between way-points the pose goes straight, at constant speed, and
/// turns about one axis.
struct Waypoint {
  double time = 0;          ///< [s], not decreasing
  std::optional<Pose> X_W;  ///< pose in world; none: stay
  WaypointFrame frame = WaypointFrame::hand;
  int grab = -1;         ///< on arrival, close on this part (index)
  bool release = false;  ///< on arrival, let go
  /// On the way there the pose turns by this rotation vector, in the world, which may be many turns [rad];
  /// zero: the shorter way round.
  Vector3d rotationVector = Vector3d::Zero();
};

/// Default of Hand::reach [m]: a person's hand closes on what is this near.
inline constexpr double kHandReach = 0.05;

struct Hand {
  std::string name;  ///< "left" or "right"
  physics::HandParameters parameters;
  Pose X_WH;  ///< where it starts
  /// Largest distance from the hand's origin to the bounds of a part that its script grabs [m]. A grab from
  /// further away takes place, with a warning.
  double reach = kHandReach;
  std::vector<Waypoint> script;
};

/// A number that a scene leaves open: `--set NAME=VALUE`.
struct Parameter {
  std::string name;
  std::string unit;
  std::string description;
  double defaultValue = 0;  ///< the default
  double minimum = 0, maximum = 0;
  bool isInteger = false;  ///< takes whole numbers alone
  double value = 0;        ///< what this scene was read with
};

struct Scene {
  std::string file;  ///< as given by the user
  std::string name;  ///< file name without folder and ending
  std::string title;
  std::string unit;               ///< of the file's lengths: "mm", "m", "in"
  Vector3d gravity{0, 0, -9.81};  ///< [m/s²]
  double duration = 0;            ///< suggested run [s]
  double rate = 1000;             ///< suggested rate [Hz]
  std::vector<Material> materials;
  std::vector<MaterialPair> pairs;
  std::vector<Part> parts;
  std::vector<Joint> joints;
  std::vector<Goal> goals;
  std::vector<Hand> hands;
  std::vector<Parameter> parameters;
};

/// What the materials of two parts do to each other, as the scene lists it; smooth and rigid where it does
/// not.
MaterialPair materialPairOf(const Scene& scene, const Part& a, const Part& b);

/// Coulomb's μ of a thread: that of its two parts' materials, of a joint to the world that of the part's
/// material with itself; 0 where the thread's diameter is not known, and of other joints.
double threadFrictionOf(const Scene& scene, const Joint& joint);

}  // namespace tenon::content
