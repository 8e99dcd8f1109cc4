// Contacts of bored blocks with polytopes, capsules and each other against brute force, finite differences
// and symmetry.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/physics/block_pairs.h"

namespace tenon::physics {
namespace {

using test::Contacts;
using test::kEverything;
using test::nearest;
using test::Pairing;
using test::Random;
using test::Way;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShare = 10;
#else
constexpr int kShare = 1;
#endif

const std::vector<Pairing>& pairings() {
  static const std::vector<Pairing> all = test::blockPairings();
  return all;
}

std::string at(const Pose& X) {
  std::ostringstream text;
  text.precision(17);
  text << "q " << X.q.coeffs().transpose() << ", p " << X.p.transpose();
  return text.str();
}

Pose poseNear(const Pairing& pairing, double gap, Random& random) {
  for (;;) {
    Way way = test::wayToBlock(pairing, random);
    if (test::bringNear(pairing, gap, way)) return way.X_KP;
  }
}

class BlockPairs : public testing::TestWithParam<int> {
 protected:
  const Pairing& pairing() const { return pairings()[static_cast<std::size_t>(GetParam())]; }
  unsigned seed(int test) const { return static_cast<unsigned>(100 * test + GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Each, BlockPairs, testing::Range(0, 8));

TEST_P(BlockPairs, LeastDistanceIsThatOfBruteForce) {
  Random random(seed(1));
  double worst = 0;
  for (int k = 0; k < 40 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(1)) + ", pose " + std::to_string(k));
    const Pose X = poseNear(pairing(), std::pow(10, random.between(-7, -2.7)), random);
    const SurfaceContact c = nearest(pairing().contacts(X, kEverything));
    EXPECT_LE(std::abs(pairing().toMoving(X.inverse() * (c.p - 0.5 * c.delta * c.n))), 1e-12);
    EXPECT_LE(std::abs(pairing().toStanding(c.p + 0.5 * c.delta * c.n)), 1e-12);
    const double expected = pairing().separation(X);
    worst = std::max(worst, std::abs(c.delta - expected));
    EXPECT_NEAR(c.delta, expected, 1e-9) << at(X);
  }
  std::ostringstream error;
  error << worst;
  RecordProperty("worst_error_m", error.str());
}

}  // namespace
}  // namespace tenon::physics
