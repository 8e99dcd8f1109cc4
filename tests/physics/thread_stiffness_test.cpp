// Compliances of contacts of screws with more than one nut.
#include "physics/contact/thread_stiffness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace tenon::physics::thread_stiffness_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// A screw with a head and two nuts on it: body 0 and bodies 1 (below the head) and 2 (below that).
struct Locknut {
  Locknut() {
    const Thread bolt = basicThread(8e-3, 1.25e-3, false, -30e-3, -2e-3);
    const Thread nut = basicThread(8e-3, 1.25e-3, true, -3.25e-3, 3.25e-3);
    const SolidOfRevolution head{
        {{-2e-3, 0}, {-2e-3, 4e-3}, {0, 4e-3}, {0, 6.5e-3}, {8e-3, 6.5e-3}, {8e-3, 0}}};
    screw = Compound{{{threadedSolid(bolt), {}}, {head, {}}}};
    nuts = Compound{{{threadedSolid(nut), {}}}};
    for (const int nutOf : {1, 2}) {
      const ThreadPart ofScrew{{&screw, Vector3d::Zero(), {210e9, 0.3}}, true};
      const ThreadPart ofNut{{&nuts, Vector3d::Zero(), {210e9, 0.3}}, true};
      findElasticThreads({{0}, {nutOf}}, ofScrew, ofNut, threads);
    }
  }
  ThreadLoad load(int nut) const {
    return {threads[static_cast<std::size_t>(nut - 1)], Pose(),
            Pose::at({0, 0, nut == 1 ? -15e-3 : -21.5e-3}), kNone};
  }
  /// Compliance of a contact along z, of the loads in this order.
  double compliance(BodyId i, BodyId j, double z, const std::vector<int>& order) const {
    Contact contact;
    contact.i = i;
    contact.j = j;
    contact.p = {5e-3, 0, z};
    contact.n = {0, 0, 1};
    std::vector<EndCompliances> ends{{kNone, kNone}};
    for (const int nut : order) load(nut).shareEnds({contact}, ends);
    return (ends[0][0] < kNone ? ends[0][0] : 0) + (ends[0][1] < kNone ? ends[0][1] : 0);
  }

  Shape screw, nuts;
  std::vector<ElasticThread> threads;
};

TEST(ThreadStiffness, TheHeadIsHeldByTheNearestNutInAnyOrder) {
  const Locknut pair;
  ASSERT_EQ(pair.threads.size(), 2u);
  const BodyId screw{0}, plate{3};
  const double near = pair.compliance(plate, screw, 0, {1}), far = pair.compliance(plate, screw, 0, {2});
  EXPECT_GT(near, 0);
  EXPECT_GT(far, 1.3 * near) << "6.5 mm more of the screw are stretched";
  EXPECT_EQ(pair.compliance(plate, screw, 0, {1, 2}), near);
  EXPECT_EQ(pair.compliance(plate, screw, 0, {2, 1}), near);
}

TEST(ThreadStiffness, TwoNutsOnEachOtherAreSpringsInSeries) {
  const Locknut pair;
  const double between = -15e-3 - 3.25e-3;
  const double first = pair.compliance({1}, {2}, between, {1}),
               second = pair.compliance({1}, {2}, between, {2});
  EXPECT_GT(first, 0);
  EXPECT_GT(second, 0);
  EXPECT_DOUBLE_EQ(pair.compliance({1}, {2}, between, {1, 2}), first + second);
  EXPECT_DOUBLE_EQ(pair.compliance({1}, {2}, between, {2, 1}), first + second);
}

}  // namespace
}  // namespace tenon::physics::thread_stiffness_test
