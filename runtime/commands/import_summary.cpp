// See import_summary.h.
#include "runtime/commands/import_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "content/input/printable.h"
#include "content/input/wording.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {
namespace {

using content::DraftGoal;
using content::SceneDraft;

/// Lines of reasons, and names in one line.
constexpr std::size_t kMaxReasons = 10, kMaxNames = 5;

class Reasons {
 public:
  Reasons(const SceneDraft& draft, const ImportFindings& findings, std::size_t base)
      : draft_(draft), findings_(findings), isExplained_(draft.parts.size(), 0) {
    const auto mark = [&](int k) { isExplained_[static_cast<std::size_t>(k)] = 1; };
    if (base < isExplained_.size()) isExplained_[base] = 1;
    for (std::size_t k = 0; k < draft.parts.size(); ++k)
      if (draft.parts[k].isDynamic) isExplained_[k] = 1;
    for (const content::DraftJoint& joint : draft.joints) {
      mark(joint.part);
      mark(joint.to);
    }
    for (const int k : findings.withoutVolume) mark(k);
  }

  /// A line for each pair with a part that stays fixed, and for those that cannot move.
  std::string text() const {
    std::string text = pairs() + withoutVolume();
    const bool hasAny =
        !text.empty() || !findings_.tooTight.empty() || !draft_.joints.empty() || !draft_.goals.empty();
    if (!hasAny && draft_.parts.size() > 1)
      text += "  no goal: no part lies in a hole of another one, or on its faces, within 0.3 mm\n";
    return text;
  }

 private:
  std::string name(int k) const { return content::inQuotes(draft_.parts[static_cast<std::size_t>(k)].name); }

  bool isOpen(const UnguidedPair& pair) const {
    return isExplained_[static_cast<std::size_t>(pair.a)] == 0 ||
           isExplained_[static_cast<std::size_t>(pair.b)] == 0;
  }

  std::string pairs() const {
    std::string text;
    std::size_t count = 0;
    for (const UnguidedPair& pair : findings_.matings.others)
      if (isOpen(pair) && ++count <= kMaxReasons)
        text += fmt::format("  no goal for {} and {}: {}\n", name(pair.a), name(pair.b), pair.reason);
    if (count > kMaxReasons)
      text += fmt::format("  … and {} without a goal\n",
                          countText(static_cast<int>(count - kMaxReasons), "more pair"));
    return text;
  }

  std::string withoutVolume() const {
    const std::vector<int>& parts = findings_.withoutVolume;
    if (parts.empty()) return "";
    std::string names;
    for (std::size_t k = 0; k < std::min(parts.size(), kMaxNames); ++k)
      names += (k == 0 ? "" : ", ") + name(parts[k]);
    if (parts.size() > kMaxNames) names += fmt::format(" and {} more", parts.size() - kMaxNames);
    return fmt::format("  parts without a volume (open surfaces) cannot move: {}\n", names);
  }

  const SceneDraft& draft_;
  const ImportFindings& findings_;
  std::vector<char> isExplained_;  ///< by part: it moves, or another note says why not
};

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
                     (goal.place ? ", inserted" : ", " + goal.feature),
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
  for (const std::string& part : findings.staying) notes += fmt::format("  {}\n", part);
  for (const std::string& pair : findings.tooTight)
    notes +=
        fmt::format("  no goal for {}: no clearance, and no fit for it (--clearance-um gives one)\n", pair);
  notes += Reasons(draft, findings, base).text();
  if (!notes.empty()) text += "\n" + notes;
  return text + fmt::format("\n  written   {}\n", out);
}

}  // namespace tenon::runtime
