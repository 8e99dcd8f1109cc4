// FCL: the least distance of two hierarchies of oriented boxes over the triangles, which are chords of round
// faces.
#include <fcl/fcl.h>

#include "tests/bench/distances/distance_case.h"

namespace tenon::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<Model> modelOf(const physics::BoundarySolid& solid) {
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : solid.triangles)
    triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                           static_cast<std::size_t>(t[2]));
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(solid.vertices, triangles);
  model->endModel();
  return model;
}

class FclDistance final : public DistanceEngine {
 public:
  explicit FclDistance(const DistanceCase& pair) : a_(modelOf(pair.a)), b_(modelOf(pair.b)) {}

  std::optional<double> distance(const physics::Pose& X_AB) override {
    fcl::Transform3d X = fcl::Transform3d::Identity();
    X.linear() = X_AB.q.toRotationMatrix();
    X.translation() = X_AB.p;
    b_.setTransform(X);
    b_.computeAABB();
    fcl::DistanceRequestd request;
    request.enable_nearest_points = true;
    fcl::DistanceResultd result;
    return fcl::distance(&a_, &b_, request, result);
  }

 private:
  fcl::CollisionObjectd a_, b_;
};

}  // namespace

std::unique_ptr<DistanceEngine> makeFclEngine(const DistanceCase& pair) {
  return std::make_unique<FclDistance>(pair);
}

}  // namespace tenon::bench
