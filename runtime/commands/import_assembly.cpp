// The assembly is read twice: once for what is in it, and once as the scene that it became, as everybody will
// read it. Nothing is written before that has gone well.
#include "runtime/commands/import_assembly.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "content/input/file_source.h"
#include "content/input/inside_folder.h"
#include "content/input/limits.h"
#include "content/input/printable.h"
#include "content/input/wording.h"
#include "content/mesh/triangle_mesh.h"
#include "content/model/build_world.h"
#include "content/model/hole_sites.h"
#include "content/reader/load_scene.h"
#include "content/step/read_step.h"
#include "content/step/scene_draft.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/output_files.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using content::DraftGoal;
using content::SceneDraft;
using physics::Pose;
using physics::Vector3d;

/// An axis that is off by more is another one [m], [rad]: what CAD places on one axis differs in the last
/// digits of its file.
constexpr double kCoaxial = 1e-6, kParallel = 1e-6;
/// With less clearance nothing goes in by hand: the two are drawn as one size [m].
constexpr double kLeastClearance = 1e-6;
/// A tip is in a hole from this depth on [m].
constexpr double kLeastDepth = 1e-6;

struct ImportOptions {
  std::string file, out;
  bool force = false;
  double apart_mm = 0;
};

/// What was found beside the draft, for the summary.
struct Findings {
  std::vector<double> clearances;     ///< of the goals, diametral [m]
  std::vector<std::string> tooTight;  ///< pairs on one axis without room
  std::size_t overlaps = 0;           ///< pairs that became one
};

std::string relativeName(const ImportOptions& options) {
  const fs::path folder = content::folderOf(options.out);
  if (!content::isInsideFolder(options.file, folder))
    throw content::InputError("--out", content::inQuotes(options.out),
                              "is in another folder than " + content::inQuotes(options.file),
                              "write the scene beside the STEP file, which it names, or into a folder above");
  return fs::weakly_canonical(fs::absolute(options.file))
      .lexically_relative(fs::weakly_canonical(fs::absolute(folder)))
      .generic_string();
}

double radiusOf(const content::StepProduct& product) {
  double most = 0;
  for (const Vector3d& p : product.mesh.vertices) most = std::max(most, p.norm());
  return most;
}

/// The parts as the scene will have them, at their places, overlapping or not.
content::Scene partsOf(const content::StepModel& model, const SceneDraft& draft, const std::string& out,
                       content::FileSource& files) {
  // Read beside each other, for a scene may not start with overlapping parts, and put in place then.
  SceneDraft apart = draft;
  double x = 0;
  for (std::size_t k = 0; k < apart.parts.size(); ++k) {
    const auto product = static_cast<std::size_t>(model.instances[k].product);
    const double room = 1.1 * radiusOf(model.products[product]) + 1e-3;
    apart.parts[k].X_WP = {physics::Quaterniond::Identity(), Vector3d(x + room, 0, 0)};
    x += 2 * room;
  }
  content::Scene scene = parseSceneWithProgress(toSceneJson(apart), out, {}, files);
  for (std::size_t k = 0; k < draft.parts.size(); ++k) scene.parts[k].X_WP = draft.parts[k].X_WP;
  return scene;
}

std::size_t largestOf(const content::Scene& scene) {
  std::size_t largest = 0;
  for (std::size_t k = 1; k < scene.parts.size(); ++k)
    if (scene.parts[k].mass.mass > scene.parts[largest].mass.mass) largest = k;
  return largest;
}

/// Parts that overlap where the file has them, such as a screw in its thread, belong together as they are.
void joinOverlaps(const content::Scene& scene, std::size_t base, SceneDraft& draft,
                  std::vector<char>& joined) {
  for (const content::Interference& pair :
       content::findInterferences(scene, content::kInitialOverlapTolerance)) {
    const auto mass = [&](int k) { return scene.parts[static_cast<std::size_t>(k)].mass.mass; };
    const bool second = mass(pair.b) <= mass(pair.a) && static_cast<std::size_t>(pair.b) != base;
    const int part = second ? pair.b : pair.a, to = second ? pair.a : pair.b;
    if (!(mass(part) > 0)) continue;  // without an inside: it stays where it is
    draft.joints.push_back({part, to});
    draft.parts[static_cast<std::size_t>(part)].isDynamic = true;
    joined[static_cast<std::size_t>(part)] = joined[static_cast<std::size_t>(to)] = 1;
  }
}

/// The goal of a feature that stands in a hole, on its axis and pointing down it; nothing where it does not.
std::optional<content::Goal> goalOf(const content::Scene& scene, int part, int feature, int into,
                                    const content::HoleSite& site) {
  const content::Part &a = scene.parts[static_cast<std::size_t>(part)],
                      &b = scene.parts[static_cast<std::size_t>(into)];
  const content::AxisFeature& tip = a.features[static_cast<std::size_t>(feature)];
  const Pose X_HA = (b.X_WP * site.X_PH).inverse() * a.X_WP;
  const Vector3d at = X_HA * tip.origin, way = X_HA.q * tip.direction;
  const double depth = -at.z();
  const bool inside = depth > kLeastDepth && (site.through || depth <= site.depth() + kCoaxial);
  if (!inside || at.head<2>().norm() > kCoaxial || way.z() > 0 || way.head<2>().norm() > kParallel)
    return std::nullopt;
  content::Goal goal;
  goal.part = part;
  goal.feature = feature;
  goal.into = into;
  goal.hole = site.name;
  goal.X_IH = site.X_PH;
  goal.depth = site.through ? depth : std::min(depth, site.depth());
  return goal;
}

std::string diameterText(double diameter) {
  return fmt::format("Ø {:.4g}", diameter * 1e3);
}

void takeGoal(const content::Scene& scene, const content::Goal& goal, double clearance, std::size_t base,
              SceneDraft& draft, Findings& findings) {
  const auto& tip =
      scene.parts[static_cast<std::size_t>(goal.part)].features[static_cast<std::size_t>(goal.feature)];
  const bool pinIsBase = static_cast<std::size_t>(goal.part) == base;
  // What has no inside has no mass to move: then nothing can go in.
  if (pinIsBase && !(scene.parts[static_cast<std::size_t>(goal.into)].mass.mass > 0)) return;
  draft.goals.push_back({goal.part, goal.into, tip.name, goal.hole, goal.depth});
  findings.clearances.push_back(clearance);
  draft.parts[static_cast<std::size_t>(pinIsBase ? goal.into : goal.part)].isDynamic = true;
}

/// A part standing in a hole, and how it might have come there.
struct Candidate {
  content::Goal goal;
  std::string hole;  ///< from whichever side
  double clearance = 0;
  bool farSide = false;

  std::pair<int, std::string> place() const { return {goal.into, hole}; }
};

/// All ends of `part` that lead into holes in which it stands, from either side; a hole that no end fits is
/// told of.
std::vector<Candidate> candidatesOf(const content::Scene& scene, int part, const SceneDraft& draft,
                                    Findings& findings) {
  std::vector<Candidate> fitting;
  const content::Part& pin = scene.parts[static_cast<std::size_t>(part)];
  for (int into = 0; into < static_cast<int>(scene.parts.size()); ++into) {
    if (into == part) continue;
    std::set<std::string> fits;
    std::map<std::string, std::string> tight;
    for (const content::HoleSite& mouth :
         content::mouthsOf(scene.parts[static_cast<std::size_t>(into)].shape))
      for (int f = 0; f < static_cast<int>(pin.features.size()); ++f) {
        const auto goal = goalOf(scene, part, f, into, mouth);
        if (!goal) continue;
        const InsertionFit fit = insertionFitOf(scene, *goal);
        if (!fit.known()) continue;
        if (fit.clearance() >= kLeastClearance) {
          fits.insert(mouth.hole());
          fitting.push_back({*goal, mouth.hole(), fit.clearance(), !mouth.farSideOf.empty()});
        } else {
          const auto name = [&](int k) { return draft.parts[static_cast<std::size_t>(k)].name; };
          tight.emplace(mouth.hole(),
                        fmt::format("{} {} in {} {}", name(part), diameterText(2 * fit.pegRadius), name(into),
                                    diameterText(2 * fit.boreRadius)));
        }
      }
    for (const auto& [hole, words] : tight)
      if (!fits.contains(hole)) findings.tooTight.push_back(words);
  }
  return fitting;
}

/// The end by which a part goes in: a part comes from one side, whichever holes it stands in. Of those that
/// lead into most holes, the one that enters most of them from where they are named, and the first of these.
int leadingFeature(const std::vector<Candidate>& candidates) {
  int best = -1;
  std::pair<std::size_t, std::ptrdiff_t> most{0, 0};
  for (const Candidate& candidate : candidates) {
    const int feature = candidate.goal.feature;
    std::set<std::pair<int, std::string>> places;
    std::ptrdiff_t farSides = 0;
    for (const Candidate& other : candidates)
      if (other.goal.feature == feature && places.insert(other.place()).second) farSides += other.farSide;
    const std::pair rank(places.size(), -farSides);
    if (best >= 0 && (rank < most || (rank == most && feature >= best))) continue;
    best = feature;
    most = rank;
  }
  return best;
}

void findGoals(const content::Scene& scene, std::size_t base, const std::vector<char>& joined,
               SceneDraft& draft, Findings& findings) {
  for (std::size_t part = 0; part < scene.parts.size(); ++part) {
    // What is one with another part goes nowhere by itself, and what has no inside has no mass to move.
    if (joined[part] || !(scene.parts[part].mass.mass > 0)) continue;
    const auto candidates = candidatesOf(scene, static_cast<int>(part), draft, findings);
    const int feature = leadingFeature(candidates);
    std::set<std::pair<int, std::string>> taken;
    for (const Candidate& candidate : candidates)
      if (candidate.goal.feature == feature && taken.insert(candidate.place()).second)
        takeGoal(scene, candidate.goal, candidate.clearance, base, draft, findings);
  }
}

/// Of each part, the first of those that it is joined to, over others too.
std::vector<std::size_t> clustersOf(const SceneDraft& draft) {
  std::vector<std::size_t> first(draft.parts.size());
  std::iota(first.begin(), first.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const content::DraftJoint& joint : draft.joints) {
      auto &a = first[static_cast<std::size_t>(joint.part)], &b = first[static_cast<std::size_t>(joint.to)];
      changed = changed || a != b;
      a = b = std::min(a, b);
    }
  }
  return first;
}

/// Draws each part that has a goal out of its holes, until its tip is `apart` before the last of them: from
/// where that one's part has been drawn to itself. What is joined goes along.
void drawApart(const content::Scene& scene, std::size_t base, double apart, SceneDraft& draft) {
  const std::vector<std::size_t> cluster = clustersOf(draft);
  std::vector<Vector3d> moves(draft.parts.size(), Vector3d::Zero());
  std::vector<std::optional<std::size_t>> from(draft.parts.size());  // whom it is drawn out of
  for (const DraftGoal& goal : draft.goals) {
    const auto into = static_cast<std::size_t>(goal.into), part = static_cast<std::size_t>(goal.part);
    const bool pinStays = cluster[part] == cluster[base];
    const content::HoleSite mouth = content::mouthOf(scene.parts[into].shape, goal.hole).value();
    const Vector3d out = (scene.parts[into].X_WP * mouth.X_PH).q * Vector3d::UnitZ();
    const Vector3d move = (goal.depth + apart) * out;
    const std::size_t moved = cluster[pinStays ? into : part];
    if (move.norm() <= moves[moved].norm()) continue;
    moves[moved] = pinStays ? Vector3d(-move) : move;
    from[moved] = cluster[pinStays ? part : into];
  }
  for (std::size_t k = 0; k < draft.parts.size(); ++k) {
    // Up the chain; no longer than there are parts, should it go round.
    std::optional<std::size_t> at = cluster[k];
    for (std::size_t steps = 0; at && steps < draft.parts.size(); ++steps) {
      draft.parts[k].X_WP.p += moves[*at];
      at = from[*at];
    }
  }
}

std::string summaryOf(const content::StepModel& model, const SceneDraft& draft, const Findings& findings,
                      std::size_t base, const ImportOptions& options) {
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
      goals.add({draft.parts[static_cast<std::size_t>(goal.part)].name + ", " + goal.feature,
                 draft.parts[static_cast<std::size_t>(goal.into)].name + ", " + goal.hole,
                 millimetersText(goal.depth), content::smallLengthText(findings.clearances[k])});
    }
    text += "\n" + goals.text(2);
  }
  std::string notes;
  for (const content::DraftMaterial& m : draft.materials)
    if (m.assumed)
      notes +=
          fmt::format("  parts without a density in the file are taken for steel, {:g} kg/m³\n", m.density);
  if (!draft.joints.empty())
    notes += fmt::format("  {} in the file (threads?): the two parts are joined as they stand\n",
                         countText(static_cast<int>(draft.joints.size()), "overlap"));
  for (const std::string& pair : findings.tooTight)
    notes += fmt::format("  no goal for {}: no clearance as drawn\n", pair);
  if (!notes.empty()) text += "\n" + notes;
  return text + fmt::format("\n  written   {}\n", options.out);
}

int import(const ImportOptions& options) {
  if (!content::isStepFile(options.file))
    throw content::InputError("FILE", content::inQuotes(options.file), "is neither .step nor .stp",
                              "export the assembly as STEP");
  InputFiles inputs;
  inputs.add(options.file, "is the assembly itself");
  requireWritable(std::array{Output{"--out", options.out, OutputKind::scene}}, inputs, options.force);
  const std::string name = relativeName(options);
  { const AtomicFile place(options.out); }  // there is one, before the work
  content::RecordingFileSource files(options.out);
  const std::string bytes = files.read((fs::path(content::folderOf(options.out)) / name).string(),
                                       {"STEP", content::kMaxMeshBytes, "export fewer parts"});
  const content::StepModel model = content::parseStep(bytes, options.file, [](const std::string& line) {
    if (isTerminal(stderr)) fmt::print(stderr, "\r\x1b[K{}", content::printable(line));
  });
  if (isTerminal(stderr)) fmt::print(stderr, "\r\x1b[K");
  if (model.instances.size() > content::kMaxParts)
    throw content::InputError(options.file, "", fmt::format("has {} parts", model.instances.size()),
                              fmt::format("export at most {}", content::kMaxParts));
  SceneDraft draft = draftOf(model, name);
  draft.description = "Made from " + name +
                      " by 'tenon parts import-assembly': parts as the file places them, goals where a "
                      "pin stands in a bore.";
  const content::Scene scene = partsOf(model, draft, options.out, files);
  const std::size_t base = largestOf(scene);
  Findings findings;
  std::vector<char> joined(draft.parts.size(), 0);
  joinOverlaps(scene, base, draft, joined);
  findGoals(scene, base, joined, draft, findings);
  if (options.apart_mm > 0) drawApart(scene, base, options.apart_mm / 1e3, draft);
  const std::string text = toSceneJson(draft);
  parseSceneWithProgress(text, options.out, {}, files);
  AtomicFile(options.out).commit(text);
  printResult(summaryOf(model, draft, findings, base, options));
  return kSuccess;
}

}  // namespace

void addImportAssembly(CLI::App& parts, int& exitCode) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = parts.add_subcommand(
      "import-assembly", "Make a scene of a STEP assembly, with goals where pins stand in bores");
  command->add_option("FILE", options->file, "STEP file (.step, .stp)")->type_name("")->required();
  command
      ->add_option("--out", options->out,
                   "Write the scene here, beside the STEP file or above it; it names the file")
      ->type_name("SCENE.json")
      ->required();
  addForce(*command, options->force);
  command
      ->add_option(
          "--apart", options->apart_mm,
          "Draw parts that have a goal out of their holes, until their tips are so far before them [mm]")
      ->type_name("MM")
      ->check(finiteIn(0, 1e6));
  command->footer(
      "Examples:\n"
      "  tenon parts import-assembly bench.step --out bench.json\n"
      "  tenon parts import-assembly bench.step --out bench.json --apart 20 --force\n\n"
      "Parts keep the names, places, colours and densities of the file; the heaviest is fixed, those with a "
      "goal\n"
      "move, those that overlap are joined. Exit codes: 0 done, 2 the file cannot be read or the scene not "
      "be\n"
      "written, 3 this build has no component for STEP ('tenon doctor').");
  command->callback([options, &exitCode] { exitCode = import(*options); });
}

}  // namespace tenon::runtime
