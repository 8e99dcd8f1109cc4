// A scene as plain data: complete, in SI units, and checked. Every error of a scene file is reported before a
// Scene exists.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/model/hole_sites.h"
#include "physics/body/body_state.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/geometry/shape.h"
#include "physics/contact/surfaces.h"
#include "physics/hand/hand_parameters.h"
#include "physics/joint/driver.h"
#include "physics/joint/joint.h"
#include "physics/math/pose.h"

namespace tenon::content {

using physics::Pose;
using physics::Vector3d;

struct DisplayMesh;  // model/display_mesh.h
struct MeshShape;    // reader/read_mesh.h: import data, opaque here

struct Material {
  std::string name;
  double density = 0;                ///< [kg/m³]
  physics::Elasticity elasticity{};  ///< of press fits; rigid unless given
};

/// Contact properties of two materials. Default for unlisted pairs: frictionless, rigid, no restitution.
struct MaterialPair {
  int a = -1, b = -1;                                          ///< indices into Scene::materials, a ≤ b
  double friction = 0;                                         ///< Coulomb's μ
  double restitution = 0;                                      ///< 0…1
  double stiffness = std::numeric_limits<double>::infinity();  ///< as in physics::SurfacePair [N/m]
};

/// A named axis on a part, such as the tip of a screw: a point and the insertion direction.
struct AxisFeature {
  std::string name;
  Vector3d origin = Vector3d::Zero();      ///< in the part's frame [m]
  Vector3d direction = Vector3d::UnitZ();  ///< unit, in the part's frame; points out of the part
  bool isFound = false;                    ///< the end of a bar, named by its file alone
};

/// A force fixed to a part that a key of the preview switches on.
struct Thruster {
  std::string name;
  char key = 0;                          ///< one of kThrusterKeys
  Vector3d position = Vector3d::Zero();  ///< of its point, in the part's frame [m]
  Vector3d force = Vector3d::Zero();     ///< [N]
  bool inWorldAxes = false;              ///< axes of `force`: the world's; otherwise the part's
};

/// A hexagon of a library part by which a driver turns it.
struct Hexagon {
  std::string name;           ///< "drive" of a screw, "top" and "bottom" of a nut
  Pose X_PH;                  ///< as in physics::HexagonDescription
  physics::HexagonSize size;  ///< likewise
  double depth = 0;           ///< likewise [m]
};

/// What makes a library part a driver: a key or a wrench socket.
struct Driver {
  Pose X_PT;                                                     ///< as in physics::DriverDescription
  physics::HexagonSize size;                                     ///< likewise
  double torqueLimit = std::numeric_limits<double>::infinity();  ///< [N m]
  bool ratchet = false;
};

/// Keys of thrusters: those without another use in the preview.
inline constexpr std::array<const char*, 16> kThrusterKeys{"A", "D", "E", "I", "J", "K", "L", "Q",
                                                           "U", "V", "2", "4", "5", "6", "8", "9"};

struct Part {
  std::string name;
  int fileEntry = -1;  ///< index into "parts" of the file; equal for all parts of one "count"
  int material = -1;   ///< index into Scene::materials; −1: none
  physics::MotionType motion = physics::MotionType::dynamic;
  physics::Shape shape;               ///< in the part's frame
  physics::MassProperties mass;       ///< from shape and density, or as given
  Pose X_WP;                          ///< start pose
  Vector3d v = Vector3d::Zero();      ///< start velocity [m/s]
  Vector3d omega = Vector3d::Zero();  ///< start angular velocity [rad/s]
  std::vector<AxisFeature> features;
  std::vector<HoleSite>
      sockets;  ///< openings that the scene declares, or found in the file; of any cross-section
  std::vector<Thruster> thrusters;
  std::vector<Hexagon> hexagons;          ///< of a screw or a nut of the library
  std::optional<Driver> driver;           ///< of a tool of the library
  std::string libraryName;                ///< designation of a library part ("ISO 4762 M8x30"); else empty
  std::shared_ptr<const MeshShape> mesh;  ///< null unless the shape comes from a mesh or STEP file
  std::shared_ptr<const DisplayMesh> displayMesh;  ///< null: the shape itself is displayed
  std::optional<std::array<double, 3>> color;      ///< sRGB, 0…1
};

/// A joint between a part and another one, or the world. Its two frames coincide at the start.
struct Joint {
  std::string name;
  physics::JointKind kind = physics::JointKind::fixed;
  int part = -1;                      ///< index into Scene::parts
  int to = -1;                        ///< index into Scene::parts; −1: the world
  Pose X_PA;                          ///< in the frame of `to`, or the world
  Pose X_PB;                          ///< in the frame of `part`
  double pitch = 0;                   ///< as in physics::JointDescription [m]
  double diameter = 0;                ///< nominal thread diameter d [m]; 0: unknown, so no friction
  physics::JointRange angle, travel;  ///< limits [rad], [m]
  bool collides = false;
};

/// What a nominal size is measured on.
enum class FitSize {
  diameter,  ///< a cylinder
  width,     ///< two parallel opposite planes
  across     ///< the extent of all walls across a plane without an opposite one: a flat, a dovetail's flank
};

/// Deviations of one nominal size of a goal without a round hole.
struct FittedSize {
  FitSize kind = FitSize::width;
  double nominal = 0;                             ///< [m]
  double innerDeviation = 0, outerDeviation = 0;  ///< of the opening's size, and of what is in it [m]
};

/// A fit that has been applied to the hole and the part of a goal: deviations of the two diameters. Of a goal
/// without a round hole, those of the size with the least clearance; the inner size is the hole's.
struct Fit {
  std::string text;                             ///< "H7/g6", or "25 µm"
  double nominal = 0;                           ///< common nominal diameter, or size [m]
  double holeDeviation = 0, partDeviation = 0;  ///< of the diameters [m]
  double minClearance = 0, maxClearance = 0;    ///< limits of the fit [m]; negative: interference
  std::vector<FittedSize> sizes;  ///< of a goal without a round hole, each once, the least clearance first

  double clearance() const { return holeDeviation - partDeviation; }  ///< of the size [m]
};

/// The place of a part in the frame of the part `into` of its goal, reached along a straight way.
struct GoalPose {
  Pose X_IP;
  double across = 0;  ///< tolerance of the position across the way [m]
};

/// A part to be inserted into a hole.
struct Goal {
  std::string name;        ///< empty: none
  std::vector<int> after;  ///< indices into Scene::goals that must be reached first
  std::optional<Fit> fit;
  int part = -1;                   ///< index into Scene::parts
  int feature = -1;                ///< index into that part's features: the end to be inserted
  int into = -1;                   ///< index into Scene::parts
  std::string hole;                ///< name of a hole of `into`
  Pose X_IH;                       ///< mouth of the hole in the frame of `into`: +z out of the hole
  double depth = 0;                ///< of the feature's origin below the mouth plane [m]
  double depthTolerance = 0;       ///< [m]
  double tiltTolerance = 0;        ///< [rad]
  double timeLimit = 0;            ///< from the start [s]
  double preload = 0, torque = 0;  ///< of such a thread, at least [N], [N m]
  double proofLoad = 0;            ///< preload beyond which it is stripped [N]; 0: any is carried
  double turns = 0;                ///< complete turns of a thread to be started; 0: the depth counts
  std::optional<GoalPose> pose;    ///< the place that the part shall reach; without one: the hole
};

/// The body that the pose of a waypoint refers to.
enum class WaypointFrame {
  hand,  ///< the hand
  part,  ///< the grasped part, in the part's own frame; the hand follows rigidly
};

/// One line of a hand's script. Between waypoints the position moves on a straight line at constant speed,
/// and the orientation rotates about one axis.
struct Waypoint {
  double time = 0;          ///< [s], not decreasing
  std::optional<Pose> X_W;  ///< pose in the world; empty: no motion
  WaypointFrame frame = WaypointFrame::hand;
  int grab = -1;         ///< part to grasp on arrival (index); −1: none
  bool release = false;  ///< release the part on arrival
  /// Rotation vector of the motion to this waypoint, in the world; may be several turns [rad]. Zero: the
  /// shortest rotation.
  Vector3d rotationVector = Vector3d::Zero();
  int entry = -1;  ///< index into "script" of the file, of which several waypoints may come; −1: of no file
};

/// Default of Hand::reach [m], about the reach of closing fingers.
inline constexpr double kHandReach = 0.05;

struct Hand {
  std::string name;  ///< "left", "right", or "fixture 1" of one that holds a part in its place
  physics::HandParameters parameters;
  Pose X_WH;  ///< start pose
  /// Largest distance from the hand's origin to the bounds of a part that its script grasps [m]. A grasp from
  /// further away is executed, with a warning.
  double reach = kHandReach;
  std::vector<Waypoint> script;
};

/// A number of a scene that the user can set: `--set NAME=VALUE`.
struct Parameter {
  std::string name;
  std::string unit;
  std::string description;
  double defaultValue = 0;  ///< value without --set
  double minimum = 0, maximum = 0;
  bool isInteger = false;  ///< only integers are accepted
  double value = 0;        ///< value in this scene
};

/// Two parts that overlap as drawn, and are moved apart before the first step.
struct SettledOverlap {
  int a = -1, b = -1;  ///< indices into Scene::parts
  double depth = 0;    ///< as drawn [m]
};

struct Scene {
  std::string file;  ///< as given by the user
  std::string name;  ///< file name without folder and extension
  std::string title;
  std::string unit;                              ///< of the lengths in the file: "mm", "m", "in"
  Vector3d gravity{0, 0, -9.81};                 ///< [m/s²]
  double linearDamping = 0, angularDamping = 0;  ///< as in physics::Dynamics [1/s]
  double duration = 0;                           ///< suggested duration of a run [s]
  double rate = 1000;                            ///< suggested step rate [Hz]
  std::vector<Material> materials;
  std::vector<MaterialPair> pairs;
  std::vector<Part> parts;
  std::vector<Joint> joints;
  std::vector<Goal> goals;
  std::vector<Hand> hands;
  std::vector<Parameter> parameters;
  std::vector<SettledOverlap> settled;

  /// The part of this index in `parts`.
  Part& part(int index) { return parts[static_cast<std::size_t>(index)]; }
  const Part& part(int index) const { return parts[static_cast<std::size_t>(index)]; }
};

/// The thrusters of all parts, in the order of their physics::ThrusterIds.
std::vector<const Thruster*> thrustersOf(const Scene& scene);

/// Contact properties of the materials of two parts; the default of MaterialPair if the scene does not list
/// them.
MaterialPair materialPairOf(const Scene& scene, const Part& a, const Part& b);

/// True if the parts can be pressed into each other: their pair has a stiffness, or one of their materials is
/// elastic.
bool canBePressed(const Scene& scene, const Part& a, const Part& b);

/// Coulomb's μ of a helical joint: that of the materials of its two parts; for a joint to the world, that of
/// the part's material with itself. 0 if the thread diameter is unknown, and for other joints.
double threadFrictionOf(const Scene& scene, const Joint& joint);

}  // namespace tenon::content
