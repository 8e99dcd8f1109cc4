// The central path: reaches the neighborhood of the solution for many bodies in few factorizations.
#include "physics/solver/central_path.h"

#include <gtest/gtest.h>

#include "physics/math/tolerances.h"
#include "physics/solver/active_set.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kPathSeed = 2611;

TEST(CentralPath, EndsWhereTheActiveSetMethodNeedsFewSteps) {
  std::mt19937 random(kPathSeed);
  CentralPath path;
  ActiveSet activeSet;
  ScaledProblem form;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 24 + 4 * (repeat % 10), random);
    form.build(problem, kRelativeCompliance);
    std::vector<double> y(form.contacts(), 0.0);
    int iterations = 0, settling = 0;
    ASSERT_TRUE(path.follow(form, y, iterations)) << "seed " << kPathSeed << ", repeat " << repeat;
    EXPECT_LE(iterations, 30) << repeat;
    EXPECT_TRUE(activeSet.settle(form, y, kLinearTolerance * form.scale(), 12, settling)) << repeat;
    EXPECT_LE(form.naturalResidual(y), kLinearTolerance * form.scale()) << repeat;
  }
}

TEST(CentralPath, AllocatesNothingOnceReserved) {
  std::mt19937 random(kPathSeed);
  const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 40, random);
  CentralPath path;
  ScaledProblem form;
  form.build(problem, kRelativeCompliance);
  ASSERT_TRUE(form.sparse());
  std::vector<double> y(form.contacts(), 0.0), again(form.contacts(), 0.0);
  int iterations = 0;
  path.follow(form, y, iterations);
  const std::int64_t before = tests::allocationCount();
  path.follow(form, again, iterations);
  EXPECT_EQ(tests::allocationCount(), before);
  EXPECT_EQ(y, again) << "the same problem, the same bytes";
}

}  // namespace
}  // namespace tenon::physics
