// btDbvtBroadphase; its pairs are filtered by an exact test.
#include "physics/collision/bullet/broadphase.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>

#include <algorithm>
#include <cstdint>

#include "physics/collision/bullet/bullet_scale.h"

namespace tenon::physics::bullet {
namespace {

// Bullet's client pointers store the body index plus one.
void* tag(std::size_t index) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(index + 1));
}
std::int32_t indexOf(const btBroadphaseProxy* proxy) {
  return static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(proxy->m_clientObject)) - 1;
}

}  // namespace

struct Broadphase::Implementation {
  struct Entry {
    bool canMove = false, isBounded = false;
    btBroadphaseProxy* proxy = nullptr;  // created with the first bounds
  };
  btDbvtBroadphase tree;
  std::vector<Entry> entries;

  void place(std::size_t index, const Bounds& bounds) {
    Entry& entry = entries[index];
    const btVector3 low = toBullet(bounds.low), high = toBullet(bounds.high);
    if (entry.proxy) return tree.setAabb(entry.proxy, low, high, nullptr);
    const int group = entry.canMove ? btBroadphaseProxy::DefaultFilter : btBroadphaseProxy::StaticFilter;
    const int mask = entry.canMove ? btBroadphaseProxy::AllFilter : btBroadphaseProxy::DefaultFilter;
    entry.proxy = tree.createProxy(low, high, CUSTOM_CONVEX_SHAPE_TYPE, tag(index), group, mask, nullptr);
  }
};

Broadphase::Broadphase() : implementation_(std::make_unique<Implementation>()) {}

Broadphase::~Broadphase() {
  for (auto& entry : implementation_->entries) {
    if (entry.proxy) implementation_->tree.destroyProxy(entry.proxy, nullptr);
  }
}

void Broadphase::add(bool canMove, bool isBounded) {
  implementation_->entries.push_back({canMove, isBounded, nullptr});
}

void Broadphase::findPairs(const std::vector<Bounds>& bounds, std::vector<BodyPair>& pairs) {
  pairs.clear();
  auto& entries = implementation_->entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k].isBounded) implementation_->place(k, bounds[k]);
  }
  implementation_->tree.calculateOverlappingPairs(nullptr);
  const btBroadphasePairArray& found =
      implementation_->tree.getOverlappingPairCache()->getOverlappingPairArray();
  for (int k = 0; k < found.size(); ++k) {
    const std::int32_t a = indexOf(found[k].m_pProxy0), b = indexOf(found[k].m_pProxy1);
    if (!overlap(bounds[static_cast<std::size_t>(a)], bounds[static_cast<std::size_t>(b)])) continue;
    pairs.push_back({BodyId{std::min(a, b)}, BodyId{std::max(a, b)}});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace tenon::physics::bullet
