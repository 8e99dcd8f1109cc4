// Tenon: all contacts within the range, of which the least distance counts.
#include <algorithm>

#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "tests/bench/distances/distance_case.h"

namespace tenon::bench {
namespace {

class TenonDistance final : public DistanceEngine {
 public:
  explicit TenonDistance(const DistanceCase& pair)
      : a_(physics::brep::solidOf(pair.a)), b_(physics::brep::solidOf(pair.b)), range_(pair.range) {}

  std::optional<double> distance(const physics::Pose& X_AB) override {
    found_.clear();
    physics::brep::findSolidContacts(b_, a_, X_AB, range_, found_);
    std::optional<double> least;
    for (const physics::brep::SolidContact& contact : found_)
      least = std::min(least.value_or(contact.separation), contact.separation);
    return least;
  }

 private:
  physics::brep::Solid a_, b_;
  double range_;
  std::vector<physics::brep::SolidContact> found_;
};

}  // namespace

std::unique_ptr<DistanceEngine> makeTenonEngine(const DistanceCase& pair) {
  return std::make_unique<TenonDistance>(pair);
}

}  // namespace tenon::bench
