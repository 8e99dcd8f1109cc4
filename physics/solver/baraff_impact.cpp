// See baraff_impact.h.
#include "physics/solver/baraff_impact.h"

#include <algorithm>

namespace tenon::physics {

DenseReport BaraffImpact::solve(const LinearizedContacts& problem, std::span<const ContactRow> rows,
                                std::span<const int> chosen, std::span<const double> restitution,
                                std::span<double> u, std::vector<double>& impulse) {
  system_.build(problem, rows, chosen);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const double speed = LinearizedContacts::separationSpeed(rows[chosen[k]], u);
    const double e = restitution.empty() ? 0 : restitution[k];
    system_.setContact(static_cast<int>(k), speed + e * std::min(0.0, speed));
  }
  for (std::size_t n = 0; n < problem.joints.size(); ++n)
    for (int row = 0; row < problem.joints[n].count; ++row)
      system_.setJoint(static_cast<int>(n), row, LinearizedContacts::jointRate(problem.joints[n], row, u));
  const DenseReport report = system_.solve();
  impulse.assign(chosen.size(), 0.0);
  if (!report.solved) return report;
  for (std::size_t k = 0; k < chosen.size(); ++k) impulse[k] = system_.force(static_cast<int>(k));
  system_.addImpulses(1, u);
  return report;
}

}  // namespace tenon::physics
