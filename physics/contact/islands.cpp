// See islands.h.
#include "physics/contact/islands.h"

#include <algorithm>
#include <numeric>

namespace tenon::physics {

int Islands::root(int i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void Islands::build(const std::vector<bool>& dynamic, std::span<const BodyPair> pairs) {
  const int count = static_cast<int>(dynamic.size());
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0);
  island_.assign(count, -1);
  size_.clear();
  for (const BodyPair& pair : pairs) {
    if (!dynamic[pair.i.value] || !dynamic[pair.j.value]) continue;
    const int a = root(pair.i.value);
    const int b = root(pair.j.value);
    parent_[std::max(a, b)] = std::min(a, b);  // the root is the lowest body
  }
  // Bodies of pairs get their root's island; the others have none.
  for (const BodyPair& pair : pairs)
    for (const BodyId body : {pair.i, pair.j})
      if (dynamic[body.value]) island_[root(body.value)] = 0;
  for (int i = 0; i < count; ++i)
    if (island_[i] == 0 && parent_[i] == i) {
      island_[i] = static_cast<int>(size_.size());
      size_.push_back(0);
    }
  for (int i = 0; i < count; ++i) {
    if (!dynamic[i]) continue;
    island_[i] = island_[root(i)];
    if (island_[i] >= 0) ++size_[island_[i]];
  }
}

}  // namespace tenon::physics
