// See kept_rows.h.
#include "physics/solver/cutting_planes.h"

#include <algorithm>

#include "physics/math/tolerances.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

namespace {

/// A contact that has moved by less is still the same point [m].
constexpr double kSamePoint = 1e-6;

bool hasGoneOrMoved(const ContactRow* row, const ContactRow& solved, RetentionPolicy retention) {
  if (retention == RetentionPolicy::largeIsland) return !row || row->key != solved.key.withoutCut();
  return !row || row->key != solved.key || (row->contact.p - solved.contact.p).norm() > kSamePoint;
}

/// True where a row pushes and the part it stands for does not touch.
bool pushesAtADistance(const ContactRow* row, const ContactRow& solved, double f) {
  return !row || row->contact.separation + solved.compliance * f > kGapTolerance;
}

}  // namespace

// From behind, so that each row moves once.
void CuttingPlanes::mergeInto(std::vector<ContactRow>& rows) {
  std::sort(rows_.begin(), rows_.end(),
            [](const ContactRow& a, const ContactRow& b) { return a.key < b.key; });
  std::size_t found = rows.size(), kept = rows_.size();
  rows.resize(found + kept);
  for (std::size_t to = rows.size(); kept > 0; --to) {
    const bool isKept = found == 0 || rows[found - 1].key < rows_[kept - 1].key;
    rows[to - 1] = isKept ? rows_[--kept] : rows[--found];
  }
}

void CuttingPlanes::clear() {
  rows_.clear();
  nextIndex_ = 0;
}

bool CuttingPlanes::addTo(LinearizedContacts& problem, const ContactSolution& solution,
                          double complianceScale, RetentionPolicy retention) {
  bool changed = false;
  ContactMatcher successors(problem);
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& solved = solution.solved[k];
    if (!(solution.f[k] > 0) || !solved.rigid || solved.key.isLimit()) continue;
    const ContactRow* row = successors.of(solved);
    if (solved.key.cutIndex == 0) {
      if (!hasGoneOrMoved(row, solved, retention)) continue;
      rows_.push_back(solved);
      rows_.back().compliance /= complianceScale;
      rows_.back().key.cutIndex = ++nextIndex_;
      changed = true;
    } else if (retention == RetentionPolicy::few && pushesAtADistance(row, solved, solution.f[k])) {
      std::erase_if(rows_, [&](const ContactRow& kept) { return kept.key == solved.key; });
      changed = true;
    }
  }
  mergeInto(problem.rows);
  return changed;
}

}  // namespace tenon::physics
