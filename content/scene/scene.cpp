// Questions to a scene: see scene.h.
#include "content/scene/scene.h"

#include <algorithm>

namespace tenon::content {

MaterialPair surfacesOf(const Scene& scene, const Part& a, const Part& b) {
  MaterialPair none;
  none.a = std::min(a.material, b.material);
  none.b = std::max(a.material, b.material);
  for (const MaterialPair& pair : scene.pairs)
    if (pair.a == none.a && pair.b == none.b) return pair;
  return none;
}

}  // namespace tenon::content
