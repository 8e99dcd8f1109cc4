// See import_fits.h. All fits are parsed together, and again without each one that is refused.
#include "runtime/commands/import_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "content/input/input_error.h"

namespace tenon::runtime {
namespace {

using content::DraftGoal;

/// A goal whose fit is refused, and the problem and its remedy.
struct RefusedFit {
  std::size_t goal = 0;
  std::string problem;
};

/// Nothing if the message of an InputError is not about a field of a fit.
std::optional<RefusedFit> refusedFit(const std::string& message) {
  static const std::regex place("/goals/([0-9]{1,9})/fit[^ :]*: ");
  std::smatch match;
  if (!std::regex_search(message, match, place)) return std::nullopt;
  return RefusedFit{std::stoul(match[1]), match.suffix()};
}

void removeFit(DraftGoal& goal) {
  goal.fit.clear();
  goal.clearance_um.reset();
}

std::string pairText(const content::SceneDraft& draft, const DraftGoal& goal) {
  const auto name = [&](int k) { return draft.parts[static_cast<std::size_t>(k)].name; };
  return fmt::format("{} in {}", name(goal.part), name(goal.into));
}

}  // namespace

std::string FitChoice::text() const {
  return clearance_um ? fmt::format("{:g} µm, given", *clearance_um) : fit + ", proposed";
}

void FitChoice::addTo(DraftGoal& goal) const {
  if (clearance_um)
    goal.clearance_um = clearance_um;
  else
    goal.fit = fit;
}

void addWallFits(const FitChoice& choice, const std::function<void(const std::string&)>& parse,
                 content::SceneDraft& draft, ImportFindings& findings) {
  std::vector<std::size_t> fitted;
  for (std::size_t k = 0; k < findings.matings.guided.size(); ++k)
    if (findings.matings.guided[k].mating.isTight) {
      choice.addTo(draft.goals[k]);
      fitted.push_back(k);
    }
  while (!fitted.empty()) {
    try {
      parse(toSceneJson(draft));
      break;
    } catch (const content::InputError& error) {
      const auto refused = refusedFit(error.what());
      const auto at = refused ? std::find(fitted.begin(), fitted.end(), refused->goal) : fitted.end();
      // Another problem is one of the scene itself, which appears again without fits, or of all together.
      const std::vector<std::size_t> dropped =
          at == fitted.end() ? std::exchange(fitted, {}) : std::vector{*at};
      for (const std::size_t k : dropped) {
        removeFit(draft.goals[k]);
        findings.unfitted.push_back(fmt::format("{}: {}", pairText(draft, draft.goals[k]),
                                                refused ? refused->problem : error.what()));
      }
      std::erase(fitted, dropped.front());
    }
  }
  for (const std::size_t k : fitted) findings.clearances[k] = choice.text();
}

}  // namespace tenon::runtime
