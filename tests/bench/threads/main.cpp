// Threads: CPU time of a contact query of M8 x 1.25 engaged over six turns, and of the steps of a nut on a
// bolt.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <vector>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/collision/thread/thread_contacts.h"
#include "physics/world.h"

namespace {

using namespace tenon::physics;

/// CPU time of this thread [µs].
double cpuTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

Thread m8Bolt() {
  Thread t = basicThread(8e-3, 1.25e-3, false, -10e-3, 10e-3);
  for (double* diameter : {&t.majorDiameter, &t.pitchDiameter, &t.minorDiameter}) *diameter -= 28e-6;
  t.ends = {ThreadEnd{3e-3, 1e-3}, ThreadEnd{3e-3, 1e-3}};
  return t;
}

Thread m8Nut() {
  Thread t = basicThread(8e-3, 1.25e-3, true, -3.75e-3, 3.75e-3);
  t.pitchDiameter += 50e-6;
  t.minorDiameter += 100e-6;
  for (ThreadEnd& end : t.ends)
    end = {4.1e-3, (4.1e-3 - t.minorDiameter / 2) * std::tan(std::numbers::pi / 6)};
  return t;
}

double playOf(const Thread& bolt, const Thread& nut) {
  return std::tan(bolt.halfAngle) * (nut.pitchDiameter - bolt.pitchDiameter) / 2;
}

void printQueries() {
  const ThreadGeometry bolt = prepareThread(m8Bolt()), nut = prepareThread(m8Nut());
  fmt::print("query of M8 x 1.25 over six turns, without memory\n");
  fmt::print("{:>10} {:>10} {:>10} {:>10}\n", "tilt", "range", "contacts", "median");
  for (const double tilt : {0.0, 1e-3, 3e-3}) {
    for (const double range : {1e-5, 1e-4}) {
      const Pose X{exponential(Vector3d(tilt, 0, 0)), {0, 0, 0.625e-3 + 5e-6}};
      std::vector<SurfaceContact> found;
      std::vector<double> times;
      for (int k = 0; k < 1000; ++k) {
        found.clear();
        const double start = cpuTime();
        threadContacts(nut, bolt, X, range, found);
        times.push_back(cpuTime() - start);
      }
      std::sort(times.begin(), times.end());
      fmt::print("{:>6.0f} mrad {:>7.0f} µm {:>10} {:>7.0f} µs\n", 1e3 * tilt, 1e6 * range, found.size(),
                 times[times.size() / 2]);
    }
  }
}

void printSteps(double mu, double spin) {
  World world({.dt = 1e-3, .gravity = {0, 0, -9.81}, .allowSleep = false}, makeBulletCollider());
  const MaterialId steel{0};
  world.setSurfaces(steel, steel, {.friction = mu});
  const Thread bolt = m8Bolt(), nut = m8Nut();
  BodyDescription fixed;
  fixed.shape = threadedSolid(bolt);
  fixed.motion = MotionType::fixed;
  fixed.material = steel;
  world.addBody(fixed);
  const double wall = nut.majorDiameter / 2, r = 6.5e-3, z = 3.75e-3;
  BodyDescription body;
  body.material = steel;
  body.shape = Compound{{{threadedSolid(nut), {}},
                         {SolidOfRevolution{{{-z, wall}, {-z, r}, {z, r}, {z, wall}, {-z, wall}}}, {}}}};
  body.mass = {5e-3, Vector3d::Zero(), Vector3d(1.2e-7, 1.2e-7, 1.5e-7).asDiagonal()};
  body.X_WP = Pose::at({0, 0, bolt.pitch / 2 - playOf(bolt, nut)});
  const BodyId id = world.addBody(body);
  HandParameters parameters;
  parameters.stiffness = Vector3d::Constant(1e-3);
  parameters.angularStiffness = Vector3d::Constant(0.2);
  parameters.carriesWeight = false;
  Pose target = body.X_WP;
  const HandId hand = world.addHand(parameters, target);
  if (spin != 0) world.apply(Grab{hand, id, target});
  std::vector<double> times;
  int failed = 0;
  double overlap = 0;
  for (int k = 1; k <= 500; ++k) {
    target.q = Quaterniond(Eigen::AngleAxisd(-spin * 1e-3 * k, Vector3d::UnitZ()));
    target.p.z() = body.X_WP.p.z() - bolt.lead() * spin * 1e-3 * k / (2 * std::numbers::pi);
    world.apply(MoveHand{hand, target});
    const double start = cpuTime();
    const StepReport& report = world.step().report;
    times.push_back(cpuTime() - start);
    failed += report.converged ? 0 : 1;
    overlap = std::max(overlap, report.penetration);
  }
  std::sort(times.begin(), times.end());
  fmt::print(
      "nut, µ {:.2f}, turned at {:>4.1f} rad/s: median {:.0f} µs, p99 {:.0f} µs, {} of 500 not converged, "
      "overlap {:.2g} nm\n",
      mu, spin, times[250], times[495], failed, 1e9 * overlap);
}

}  // namespace

int main() {
  printQueries();
  for (const double mu : {0.0, 0.12})
    for (const double spin : {0.0, 6.0}) printSteps(mu, spin);
}
