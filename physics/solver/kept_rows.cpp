// See kept_rows.h.
#include "physics/solver/kept_rows.h"

#include <algorithm>

#include "physics/solver/state_reached.h"
#include "physics/tolerances.h"

namespace tenon::physics {

namespace {

/// A contact that has moved by less is still the same point [m].
constexpr double kSamePoint = 1e-6;

bool hasGoneOrMoved(const ContactRow* row, const ContactRow& solved) {
  return !row || row->key != solved.key || (row->contact.p - solved.contact.p).norm() > kSamePoint;
}

/// True where a row pushes and the part it stands for does not touch.
bool pushesAtADistance(const ContactRow* row, const ContactRow& solved, double f) {
  return !row || row->contact.delta + solved.compliance * f > kGapTolerance;
}

}  // namespace

void KeptRows::clear() {
  rows_.clear();
  numbered_ = 0;
}

bool KeptRows::addTo(ContactProblem& problem, const ContactSolution& solution, double softness, bool all) {
  bool changed = false;
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& solved = solution.solved[k];
    if (!(solution.f[k] > 0) || !solved.rigid || solved.key.isLimit()) continue;
    const ContactRow* row = present(problem, solved);
    if (solved.key.kept == 0) {
      if (!hasGoneOrMoved(row, solved)) continue;
      rows_.push_back(solved);
      rows_.back().compliance /= softness;
      rows_.back().key.kept = ++numbered_;
      changed = true;
    } else if (!all && pushesAtADistance(row, solved, solution.f[k])) {
      std::erase_if(rows_, [&](const ContactRow& kept) { return kept.key == solved.key; });
      changed = true;
    }
  }
  problem.rows.insert(problem.rows.end(), rows_.begin(), rows_.end());
  std::sort(problem.rows.begin(), problem.rows.end(),
            [](const ContactRow& a, const ContactRow& b) { return a.key < b.key; });
  return changed;
}

}  // namespace tenon::physics
