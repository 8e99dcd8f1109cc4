// See step_report.h.
#include "physics/step/step_report.h"

#include <algorithm>

namespace tenon::physics {

void StepReport::addEffort(const StepReport& dropped) {
  sweptPairs += dropped.sweptPairs;
  linearizations += dropped.linearizations;
  iterations += dropped.iterations;
  statistics.add(dropped.statistics);
  for (std::size_t n = 0; n < fallbacks.size(); ++n) fallbacks[n] += dropped.fallbacks[n];
}

void StepReport::addSubsteps(const StepReport& before) {
  addEffort(before);
  substeps += before.substeps;
  converged = converged && before.converged;
  if (before.accuracy == Accuracy::fast) accuracy = Accuracy::fast;
  notFinite = std::max(notFinite, before.notFinite);
  backedOff = std::max(backedOff, before.backedOff);
  fraction = std::min(fraction, before.fraction);
  yielding = std::max(yielding, before.yielding);
  sweptContacts += before.sweptContacts;
  heldBack = std::max(heldBack, before.heldBack);
  energyGuarded = std::max(energyGuarded, before.energyGuarded);
  islands = std::max(islands, before.islands);
  contacts = std::max(contacts, before.contacts);
  residual = std::max(residual, before.residual);
  penetration = std::max(penetration, before.penetration);
  if (solver == SolverName::automatic) solver = before.solver;
}

}  // namespace tenon::physics
