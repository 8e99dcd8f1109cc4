// See islands.h.
#include "physics/contact/islands.h"

namespace tenon::physics {

void Islands::build(const std::vector<bool>& dynamic, std::span<const BodyPair> pairs) {
  const int count = static_cast<int>(dynamic.size());
  sets_.reset(count);
  island_.assign(count, -1);
  size_.clear();
  for (const BodyPair& pair : pairs) {
    if (dynamic[pair.i.value] && dynamic[pair.j.value]) sets_.join(pair.i.value, pair.j.value);
  }
  // Bodies of pairs get their root's island; the others have none.
  for (const BodyPair& pair : pairs)
    for (const BodyId body : {pair.i, pair.j})
      if (dynamic[body.value]) island_[sets_.root(body.value)] = 0;
  for (int i = 0; i < count; ++i)
    if (island_[i] == 0 && sets_.root(i) == i) {
      island_[i] = static_cast<int>(size_.size());
      size_.push_back(0);
    }
  for (int i = 0; i < count; ++i) {
    if (!dynamic[i]) continue;
    island_[i] = island_[sets_.root(i)];
    if (island_[i] >= 0) ++size_[island_[i]];
  }
}

}  // namespace tenon::physics
