// See import_summary.h.
#include "runtime/commands/import_summary.h"

#include <fmt/format.h>

#include "content/input/printable.h"
#include "content/input/wording.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {
namespace {

using content::DraftGoal;
using content::SceneDraft;

/// A line for each pair of parts that touch: why it has no goal.
std::string reasonsOf(const SceneDraft& draft, const ImportFindings& findings) {
  std::string text;
  const auto name = [&](int k) { return content::inQuotes(draft.parts[static_cast<std::size_t>(k)].name); };
  for (const UnguidedPair& pair : findings.matings.others)
    text += fmt::format("  no goal for {} and {}: {}\n", name(pair.a), name(pair.b), reasonText(pair.reason));
  const bool isExplained = !text.empty() || !findings.tooTight.empty() || !draft.joints.empty();
  if (!isExplained && draft.parts.size() > 1)
    text += "  no goal: no part lies in a hole of another one, or on its faces, within 0.3 mm\n";
  return text;
}

}  // namespace

std::string importSummary(const content::StepModel& model, const SceneDraft& draft,
                          const ImportFindings& findings, std::size_t base, const std::string& out) {
  std::string text = fmt::format("{}: {} of {} (in {}), {}\n\n", draft.title,
                                 countText(static_cast<int>(draft.parts.size()), "part"),
                                 countText(static_cast<int>(model.products.size()), "product"), model.unit,
                                 countText(static_cast<int>(draft.goals.size()), "goal"));
  TextTable parts({"part", "product", "material", "motion"});
  for (std::size_t k = 0; k < draft.parts.size(); ++k) {
    const content::DraftPart& part = draft.parts[k];
    parts.add({part.name, part.product, draft.materials[static_cast<std::size_t>(part.material)].name,
               part.isDynamic ? "dynamic"
               : k == base    ? "fixed, the heaviest"
                              : "fixed"});
  }
  text += parts.text(2);
  if (!draft.goals.empty()) {
    TextTable goals({"goal", "into", "depth", "clearance"});
    for (std::size_t k = 0; k < draft.goals.size(); ++k) {
      const DraftGoal& goal = draft.goals[k];
      goals.add({draft.parts[static_cast<std::size_t>(goal.part)].name +
                     (goal.place ? ", as placed" : ", " + goal.feature),
                 draft.parts[static_cast<std::size_t>(goal.into)].name + (goal.place ? "" : ", " + goal.hole),
                 millimetersText(goal.depth), findings.clearances[k]});
    }
    text += "\n" + goals.text(2);
  }
  std::string notes;
  for (const content::DraftMaterial& m : draft.materials)
    if (m.assumed)
      notes += fmt::format("  parts without a density in the file are assumed to be steel, {:g} kg/m³\n",
                           m.density);
  notes += fmt::format("  a friction of {:g} between all parts is assumed (\"material_pairs\")\n",
                       content::kAssumedFriction);
  if (!draft.joints.empty())
    notes += fmt::format("  {} in the file (threads?): the two parts are joined in place\n",
                         countText(static_cast<int>(draft.joints.size()), "overlap"));
  for (const std::string& product : findings.refused)
    notes += fmt::format("  left out: {}\n", content::printable(product));
  for (const std::string& part : findings.unfitted) notes += fmt::format("  no fit for {}\n", part);
  for (const std::string& pair : findings.tooTight)
    notes +=
        fmt::format("  no goal for {}: no clearance, and no fit for it (--clearance-um gives one)\n", pair);
  if (draft.goals.empty()) notes += reasonsOf(draft, findings);
  if (!notes.empty()) text += "\n" + notes;
  return text + fmt::format("\n  written   {}\n", out);
}

}  // namespace tenon::runtime
