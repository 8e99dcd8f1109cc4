// Bullet in the insertion benchmark.
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <btBulletDynamicsCommon.h>

#include "tests/bench/insertion/facets.h"
#include "tests/bench/insertion/insertion_trial.h"

namespace tenon::bench {
namespace {

static_assert(sizeof(btScalar) == 8, "the double-precision build of Bullet");

// Settings, the best found for penetration and push:
// - margin 0 everywhere: any other rounds the sharp edges;
// - sequential impulse, 200 iterations (50 at Bullet's ERP: pushes up to an eighth too low; 1000: two to
//   three times the time for no more); its Dantzig solver fails on so many contacts;
// - no split impulse (with it 100 µm of overlap), ERP 0.8 for positions, no slop;
// - one convex sector for wall and lead-in (facets.h); points of GJK as they come: perturbed ones take
//   seven times as long;
// - two friction directions;
// - the scene's hand as added mass (insertion_trial.h), gyroscopic terms off (10⁻⁸ N m here).
constexpr int kIterations = 200;
constexpr double kErp = 0.8;

constexpr double kLength = 1000;  // Bullet's tolerances are absolute: millimetres, kg and seconds

btVector3 toBullet(const Vector3d& v, double scale) {
  return {v.x() * scale, v.y() * scale, v.z() * scale};
}
btTransform toBullet(const Pose& X) {
  return btTransform(btQuaternion(X.q.x(), X.q.y(), X.q.z(), X.q.w()), toBullet(X.p, kLength));
}
Vector3d fromBullet(const btVector3& v, double scale) {
  return Vector3d(v.x(), v.y(), v.z()) / scale;
}

class BulletEngine final : public InsertionEngine {
 public:
  explicit BulletEngine(const InsertionTrial& trial) : hand_(trial), dt_(trial.dt) {
    world_.setGravity({0, 0, 0});
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_numIterations = kIterations;
    info.m_erp2 = kErp;
    info.m_splitImpulse = 0;
    info.m_linearSlop = 0;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (const Sector& sector : facets(trial.fit)) {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const Vector3d& corner : sector) hull->addPoint(toBullet(corner, kLength), false);
      hull->recalcLocalAabb();
      hull->setMargin(0);
      addBody(0, *hull, {0, 0, 0}, {}, 1);
      shapes_.push_back(std::move(hull));
    }
    const tests::PegAndBore& fit = trial.fit;
    shapes_.push_back(std::make_unique<btCylinderShapeZ>(
        toBullet({fit.pegRadius, fit.pegRadius, fit.pegLength / 2}, kLength)));
    shapes_.back()->setMargin(0);
    peg_ = addBody(hand_.mass(), *shapes_.back(), toBullet(hand_.inertia(), kLength * kLength),
                   trial.targets.front(), trial.friction);
    peg_->setActivationState(DISABLE_DEACTIVATION);
    peg_->setFlags(0);
  }
  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletEngine(const BulletEngine&) = delete;
  BulletEngine& operator=(const BulletEngine&) = delete;

  void prepare(int k) override {
    const Vector6d wrench = hand_.wrench(k, peg());
    peg_->clearForces();
    peg_->applyCentralForce(toBullet(wrench.head<3>(), kLength));
    peg_->applyTorque(toBullet(wrench.tail<3>(), kLength * kLength));
  }
  void step() override { world_.stepSimulation(dt_, 0, dt_); }
  PegState peg() const override {
    const btTransform& X = peg_->getWorldTransform();
    const btQuaternion q = X.getRotation();
    PegState state;
    state.X_WC = {physics::Quaterniond(q.w(), q.x(), q.y(), q.z()).normalized(),
                  fromBullet(X.getOrigin(), kLength)};
    state.v = fromBullet(peg_->getLinearVelocity(), kLength);
    state.omega = fromBullet(peg_->getAngularVelocity(), 1);
    return state;
  }

 private:
  btRigidBody* addBody(double mass, btCollisionShape& shape, const btVector3& inertia, const Pose& X_WB,
                       double friction) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform = toBullet(X_WB);
    info.m_friction = friction;  // Bullet multiplies the two bodies'
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setDamping(0, 0);
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  ImplicitHand hand_;
  double dt_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btConvexShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  btRigidBody* peg_ = nullptr;
};

}  // namespace

std::string bulletName() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

std::unique_ptr<InsertionEngine> makeBullet(const InsertionTrial& trial) {
  return std::make_unique<BulletEngine>(trial);
}

}  // namespace tenon::bench
