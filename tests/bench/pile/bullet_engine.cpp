// Bullet's own dynamics in the benchmark of piles.
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "tests/bench/pile/pile_trial.h"

namespace tenon::bench {
namespace {

static_assert(sizeof(btScalar) == 8, "the double-precision build of Bullet");

// Settings:
// - usual: as delivered, which is 10 iterations and split impulse;
// - tight: those of the insertion benchmark: 200 iterations, no split impulse, ERP 0.8, no slop;
// - both: margin 0 (any other rounds the edges), millimetres (Bullet's tolerances are absolute and made for
//   lengths about 1), no sleep (the time of a resting pile is measured), two friction directions.
constexpr int kIterations = 200;
constexpr double kErp = 0.8;
constexpr double kLength = 1000;

btVector3 toBullet(const Vector3d& v, double scale) {
  return {v.x() * scale, v.y() * scale, v.z() * scale};
}

btTransform toBullet(const Pose& X) {
  return btTransform(btQuaternion(X.q.x(), X.q.y(), X.q.z(), X.q.w()), toBullet(X.p, kLength));
}

class BulletEngine final : public PileEngine {
 public:
  BulletEngine(const PileTrial& trial, Effort effort) : dt_(trial.dt), friction_(std::sqrt(trial.friction)) {
    world_.setGravity(toBullet(trial.scene.gravity, kLength));
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    if (effort == Effort::tight) {
      info.m_numIterations = kIterations;
      info.m_erp2 = kErp;
      info.m_splitImpulse = 0;
      info.m_linearSlop = 0;
    }
    for (const std::size_t k : trial.walls)
      add(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0), 0, trial.part(k).X_WP);
    for (const std::size_t k : trial.boxes)
      boxes_.push_back(add(std::make_unique<btBoxShape>(toBullet(trial.halfExtents(k), kLength)),
                           trial.part(k).mass.mass, trial.part(k).X_WP));
  }
  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletEngine(const BulletEngine&) = delete;
  BulletEngine& operator=(const BulletEngine&) = delete;

  void step() override { world_.stepSimulation(dt_, 0, dt_); }
  void poses(std::span<Pose> X_WB) const override {
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
      const btTransform& X = boxes_[k]->getWorldTransform();
      const btQuaternion q = X.getRotation();
      const btVector3& p = X.getOrigin();
      X_WB[k] = {physics::Quaterniond(q.w(), q.x(), q.y(), q.z()).normalized(),
                 Vector3d(p.x(), p.y(), p.z()) / kLength};
    }
  }

 private:
  btRigidBody* add(std::unique_ptr<btCollisionShape> shape, double mass, const Pose& X_WB) {
    shape->setMargin(0);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = toBullet(X_WB);
    info.m_friction = friction_;  // Bullet multiplies the two bodies'
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    shapes_.push_back(std::move(shape));
    btRigidBody* body = bodies_.back().get();
    body->setDamping(0, 0);
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body);
    return body;
  }

  double dt_, friction_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> boxes_;
};

}  // namespace

std::string bulletName() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

std::unique_ptr<PileEngine> makeBullet(const PileTrial& trial, Effort effort) {
  return std::make_unique<BulletEngine>(trial, effort);
}

}  // namespace tenon::bench
