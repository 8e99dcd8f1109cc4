// The trammel of Archimedes: joints and the walls of slots together, against the ellipse that it draws.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/scenario/mechanism.h"
#include "tests/support/every_solver.h"

namespace tenon::tests {
namespace {

using physics::SolverName;
using physics::Vector3d;

constexpr double kTurn = 2 * std::numbers::pi;

struct Trammel : testing::TestWithParam<std::tuple<double, double, SolverName>> {
  double clearance = std::get<0>(GetParam()) * 1e-6;
  SceneRun run{shippedScene("trammel", {{"clearance_um", std::get<0>(GetParam())},
                                        {"friction", std::get<1>(GetParam())}}),
               {.dt = 1.0 / 250, .solver = std::get<2>(GetParam())}};

  /// From where the tip would be, with both shuttles in the middle of their slots and the crank at its angle
  /// φ: (80 cos φ, 180 sin φ) mm, on the other side of the first slot's middle.
  double tipError() const {
    const double angle = kTurn * run.world().stepResult().time / 2;
    const Vector3d tip = poseOf(run, "bar") * run.scene.parts[bodyOf(run, "bar").value].features[0].origin;
    return (tip - Vector3d(-0.08 * std::cos(angle), 0.18 * std::sin(angle), 0.024)).norm();
  }
};

/// Each shuttle's hinge leaves the middle of its slot by at most half the clearance, across the slot; the
/// bar, led at its middle, then turns by at most √2 · clearance / 100 mm, and its tip is 130 mm away from
/// there.
TEST_P(Trammel, drawsItsEllipseWithinItsClearance) {
  double tip = 0, overlap = 0, error = 0;
  for (int k = 0; k < 500; ++k) {
    run.run(run.world().options().dt, false);
    tip = std::max(tip, tipError());
    overlap = std::max(overlap, boxOverlap(run));
    for (const physics::JointState& joint : run.world().stepResult().joints)
      error = std::max({error, joint.lengthError, joint.angleError});
  }
  EXPECT_LE(tip, 1.3 * std::numbers::sqrt2 * clearance + 1e-8);
  EXPECT_LE(overlap, 1e-8);
  EXPECT_LE(error, 1e-9);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  RecordProperty("tip_nm", std::to_string(tip * 1e9));
  RecordProperty("overlap_nm", std::to_string(overlap * 1e9));
}

std::string trammelName(const testing::TestParamInfo<Trammel::ParamType>& it) {
  return std::to_string(std::lround(std::get<0>(it.param))) + "_um_friction_" +
         std::to_string(std::lround(100 * std::get<1>(it.param))) + "_" + solverName(std::get<2>(it.param));
}

INSTANTIATE_TEST_SUITE_P(solvers, Trammel,
                         testing::Combine(testing::Values(5.0, 200.0), testing::Values(0.0), everySolver()),
                         trammelName);
INSTANTIATE_TEST_SUITE_P(rough, Trammel,
                         testing::Combine(testing::Values(5.0), testing::Values(0.1),
                                          testing::Values(SolverName::automatic)),
                         trammelName);

}  // namespace
}  // namespace tenon::tests
