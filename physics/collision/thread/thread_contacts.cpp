// Contacts of a pair of threads: both directions, sorted.
#include "physics/collision/thread/thread_contacts.h"

#include <algorithm>

#include "physics/collision/thread/tooth_search.h"

namespace tenon::physics {

void threadContacts(const ThreadGeometry& a, const ThreadGeometry& b, const Pose& X_BA, double range,
                    std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const RigidTransform X{X_BA.q.toRotationMatrix(), X_BA.p};
  ToothSearch edgesOfA(a, b, X, {}, Owner::kA, range, contacts);
  edgesOfA.run(true);
  ToothSearch edgesOfB(b, a, X.inverse(), X, Owner::kB, range, contacts);
  edgesOfB.run(false);
  const auto begin = [&] { return contacts.begin() + static_cast<std::ptrdiff_t>(first); };
  if (std::none_of(begin(), contacts.end(), [](const SurfaceContact& c) { return c.separation < 0; })) {
    edgesOfA.addDeepest();
    edgesOfB.addDeepest();
  }
  std::sort(begin(), contacts.end(), [](const SurfaceContact& x, const SurfaceContact& y) {
    return x.feature != y.feature ? x.feature < y.feature : x.separation < y.separation;
  });
  // Two minima in one cell: the deeper one.
  contacts.erase(
      std::unique(begin(), contacts.end(),
                  [](const SurfaceContact& x, const SurfaceContact& y) { return x.feature == y.feature; }),
      contacts.end());
}

}  // namespace tenon::physics
