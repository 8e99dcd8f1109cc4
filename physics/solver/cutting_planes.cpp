// See cutting_planes.h.
#include "physics/solver/cutting_planes.h"

#include <algorithm>

#include "physics/math/tolerances.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

namespace {

/// Displacement below which a contact is the same point [m].
constexpr double kMovedPoint = 1e-6;

bool isLostOrMoved(const ContactRow* row, const ContactRow& solved, RetentionPolicy retention) {
  if (retention == RetentionPolicy::lost) return !row || row->key != solved.key.withoutCut();
  return !row || row->key != solved.key || (row->contact.p - solved.contact.p).norm() > kMovedPoint;
}

/// True where a kept row pushes although its contact does not touch.
bool pushesAtADistance(const ContactRow* row, const ContactRow& solved, double f) {
  return !row || row->contact.separation + solved.compliance * f > kGapTolerance;
}

}  // namespace

// From the end, so that each row is moved once.
void CuttingPlanes::mergeInto(std::vector<ContactRow>& rows) {
  std::sort(rows_.begin(), rows_.end(),
            [](const ContactRow& a, const ContactRow& b) { return a.key < b.key; });
  std::size_t found = rows.size(), added = rows_.size();
  rows.resize(found + added);
  for (std::size_t to = rows.size(); added > 0; --to) {
    const bool fromPlanes = found == 0 || rows[found - 1].key < rows_[added - 1].key;
    rows[to - 1] = fromPlanes ? rows_[--added] : rows[--found];
  }
}

void CuttingPlanes::clear() {
  rows_.clear();
  nextIndex_ = 0;
}

bool CuttingPlanes::addTo(LinearizedContacts& problem, const ContactSolution& solution,
                          double complianceScale, RetentionPolicy retention) {
  bool changed = false;
  ContactMatcher matcher(problem);
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& solved = solution.solved[k];
    if (!(solution.f[k] > 0) || !solved.rigid || solved.key.isLimit() || solved.key.isSwept()) continue;
    const ContactRow* row = matcher.match(solved);
    if (solved.key.cutIndex == 0) {
      if (!isLostOrMoved(row, solved, retention)) continue;
      rows_.push_back(solved);
      rows_.back().compliance = solution.posedCompliance[k] / complianceScale;
      rows_.back().key.cutIndex = ++nextIndex_;
      changed = true;
    } else if (retention == RetentionPolicy::moved && pushesAtADistance(row, solved, solution.f[k])) {
      std::erase_if(rows_, [&](const ContactRow& plane) { return plane.key == solved.key; });
      changed = true;
    }
  }
  mergeInto(problem.rows);
  return changed;
}

}  // namespace tenon::physics
