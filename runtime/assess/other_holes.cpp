// Poses of a part relative to the other holes.
#include "runtime/assess/other_holes.h"

#include <algorithm>

#include "content/model/part_holes.h"
#include "runtime/assess/insertion_fit.h"

namespace tenon::runtime {

OtherHoles::OtherHoles(const content::Scene& scene, const content::Goal& goal) {
  std::vector<Mouth> mouths;
  const content::Part& its = scene.part(goal.part);
  const double length = lengthBehind(its, its.features[static_cast<std::size_t>(goal.feature)]);
  const auto own = content::mouthOf(scene, goal);
  const bool isRound = own && own->isRound;
  for (int k = 0; k < static_cast<int>(scene.parts.size()); ++k) {
    if (k == goal.part) continue;
    const content::Part& part = scene.part(k);
    for (const content::HoleSite& site : content::mouthsOf(part)) {
      if (k == goal.into && site.name == goal.hole) continue;
      if (isRound && site.isFound) continue;
      content::Goal other = goal;
      other.into = k;
      other.hole = site.name;
      other.X_IH = site.X_PH;
      other.pose.reset();
      mouths.push_back({{scene, other}, entryRegionOf(length, site), part.name + "/" + site.name});
    }
  }
  std::stable_partition(mouths.begin(), mouths.end(),
                        [&](const Mouth& m) { return m.view.into().value == goal.into; });
  mouths_ = std::make_shared<const std::vector<Mouth>>(std::move(mouths));
}

std::string OtherHoles::holding(const physics::StepResult& tick) const {
  const auto found = std::find_if(mouths_->begin(), mouths_->end(), [&](const Mouth& m) {
    return m.mouth.isInHole(m.view.insertionPoseAt(tick));
  });
  return found == mouths_->end() ? "" : found->name;
}

}  // namespace tenon::runtime
