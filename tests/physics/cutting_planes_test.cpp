// Rows kept as cutting planes: with the compliance of their contact, whatever compliance they were solved
// with.
#include "physics/solver/cutting_planes.h"

#include <gtest/gtest.h>

#include "physics/solver/cone_solver.h"
#include "physics/solver/linearized_problem_solver.h"
#include "tests/support/particle.h"

namespace tenon::physics::cutting_planes_test {
namespace {

constexpr double kCompliance = 3e-12;  // of a contact [m/N]

/// Between two walls that are closer to each other than it is wide: no rigid solution.
class Clamped : public tests::Particle {
 public:
  Clamped() : Particle(0.25, 1e-3, Vector3d::Zero(), Vector3d::Zero()) {}

 protected:
  void touch(const Vector3d& p) override {
    addContact(p.z() - 1e-6, Vector3d::UnitZ());
    addContact(-p.z() - 1e-6, -Vector3d::UnitZ());
    for (ContactRow& row : rows) row.compliance = kCompliance;
  }
};

TEST(CuttingPlanes, KeepTheComplianceOfTheContactWhereTheSolverChangedIt) {
  constexpr double kScale = 0.25;  // of the compliances in the problem
  Clamped clamped;
  const std::vector<double> still(6, 0.0);
  clamped.linearize(still);
  for (ContactRow& row : clamped.rows) row.compliance *= kScale;
  LinearizedProblemSolver solver(std::make_unique<ConeSolver>());
  solver.build(clamped, {});
  const LinearReport report = solver.solve();
  ASSERT_TRUE(report.compliant);
  ContactSolution solution;
  solver.writeSolution(clamped, solution);
  ASSERT_EQ(solution.f.size(), 2u);
  ASSERT_GT(solution.f[0], 0);

  clamped.rows.clear();  // neither contact is found
  CuttingPlanes planes;
  ASSERT_TRUE(planes.addTo(clamped, solution, kScale, RetentionPolicy::moved));
  ASSERT_EQ(clamped.rows.size(), 2u);
  for (const ContactRow& row : clamped.rows) EXPECT_NEAR(row.compliance, kCompliance, 1e-9 * kCompliance);
}

TEST(CuttingPlanes, KeepTheComplianceThatASolverRaised) {
  Clamped clamped;
  clamped.linearize(std::vector<double>(6, 0.0));
  ContactSolution solution;
  for (ContactRow& row : clamped.rows) {
    solution.posedCompliance.push_back(row.compliance);
    row.compliance *= 1000;
  }
  solution.solved.swap(clamped.rows);
  solution.f = {1, 1};
  solution.friction.assign(2, Vector3d::Zero());
  CuttingPlanes planes;
  planes.addTo(clamped, solution, 1, RetentionPolicy::moved);
  ASSERT_EQ(clamped.rows.size(), 2u);
  EXPECT_EQ(clamped.rows[0].compliance, kCompliance);
}

}  // namespace
}  // namespace tenon::physics::cutting_planes_test
