// Reads the STEP assembly, derives a scene from it, and parses that scene again as a check before writing it.
#include "runtime/commands/import_assembly.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "content/fits/iso286.h"
#include "content/input/file_source.h"
#include "content/input/inside_folder.h"
#include "content/input/limits.h"
#include "content/input/printable.h"
#include "content/input/wording.h"
#include "content/mesh/triangle_mesh.h"
#include "content/model/build_world.h"
#include "content/model/hole_sites.h"
#include "content/reader/load_scene.h"
#include "content/reader/part_file.h"
#include "content/reader/read_fits.h"
#include "content/step/read_step.h"
#include "content/step/scene_draft.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/commands/import_apart.h"
#include "runtime/commands/import_fits.h"
#include "runtime/commands/import_matings.h"
#include "runtime/commands/import_summary.h"
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

/// Tolerances for equal axes [m], [rad]: CAD files store coaxial parts with rounding errors.
constexpr double kCoaxial = 1e-6, kParallel = 1e-6;
/// Pairs with a smaller diametral clearance are drawn as the same size and need a fit [m].
constexpr double kMinClearance = 1e-6;
/// Tolerance of a place across the direction of insertion, besides the clearance [m].
constexpr double kAcross = 50e-6;
/// Smallest depth at which a tip counts as inside a hole [m].
constexpr double kMinDepth = 1e-6;

struct ImportOptions {
  std::string file, out;
  std::string outOption = "--out";  ///< for messages
  FitChoice fit{"H7/g6", std::nullopt};
  bool force = false;
  double apart_mm = 0;
};

std::string relativeName(const ImportOptions& options) {
  const fs::path folder = content::folderOf(options.out);
  if (!content::isInsideFolder(options.file, folder))
    throw content::InputError(options.outOption, content::inQuotes(options.out),
                              "is in another folder than " + content::inQuotes(options.file),
                              "write the scene into the folder of the STEP file or one above it");
  return fs::weakly_canonical(fs::absolute(options.file))
      .lexically_relative(fs::weakly_canonical(fs::absolute(folder)))
      .generic_string();
}

double radiusOf(const content::StepProduct& product) {
  double radius = 0;
  for (const Vector3d& p : product.mesh.vertices) radius = std::max(radius, p.norm());
  return radius;
}

/// The parts of the future scene at their poses in the assembly, which may overlap.
content::Scene partsOf(const content::StepModel& model, const SceneDraft& draft, const std::string& out,
                       content::FileSource& files) {
  // A scene with overlapping parts is rejected, so the parts are parsed side by side and moved afterwards.
  SceneDraft spread = draft;
  double x = 0;
  for (std::size_t k = 0; k < spread.parts.size(); ++k) {
    const auto product = static_cast<std::size_t>(model.instances[k].product);
    const double halfWidth = 1.1 * radiusOf(model.products[product]) + 1e-3;
    spread.parts[k].X_WP = {physics::Quaterniond::Identity(), Vector3d(x + halfWidth, 0, 0)};
    x += 2 * halfWidth;
  }
  content::Scene scene = parseSceneWithProgress(toSceneJson(spread), out, {}, files);
  for (std::size_t k = 0; k < draft.parts.size(); ++k) scene.parts[k].X_WP = draft.parts[k].X_WP;
  return scene;
}

std::size_t largestOf(const content::Scene& scene) {
  std::size_t largest = 0;
  for (std::size_t k = 1; k < scene.parts.size(); ++k)
    if (scene.parts[k].mass.mass > scene.parts[largest].mass.mass) largest = k;
  return largest;
}

/// Joins parts that overlap in the assembly, such as a screw in its thread, at their relative pose.
void joinOverlaps(const content::Scene& scene, std::size_t base, SceneDraft& draft,
                  std::vector<char>& joined) {
  for (const content::Interference& pair : content::findInterferences(scene, content::kSettledOverlap)) {
    const auto mass = [&](int k) { return scene.part(k).mass.mass; };
    const bool second = mass(pair.b) <= mass(pair.a) && static_cast<std::size_t>(pair.b) != base;
    const int part = second ? pair.b : pair.a, to = second ? pair.a : pair.b;
    if (!(mass(part) > 0)) continue;  // an open mesh has no mass: keep it fixed
    draft.joints.push_back({part, to});
    draft.parts[static_cast<std::size_t>(part)].isDynamic = true;
    joined[static_cast<std::size_t>(part)] = joined[static_cast<std::size_t>(to)] = 1;
  }
}

/// The goal of a feature that is inside a hole, coaxial and pointing into it; otherwise std::nullopt.
std::optional<content::Goal> goalOf(const content::Scene& scene, int part, int feature, int into,
                                    const content::HoleSite& site) {
  const content::Part &a = scene.part(part), &b = scene.part(into);
  const content::AxisFeature& tip = a.features[static_cast<std::size_t>(feature)];
  const Pose X_HA = (b.X_WP * site.X_PH).inverse() * a.X_WP;
  const Vector3d tip_H = X_HA * tip.origin, direction_H = X_HA.q * tip.direction;
  const double depth = -tip_H.z();
  const bool inside = depth > kMinDepth && (site.through || depth <= site.depth() + kCoaxial);
  if (!inside || tip_H.head<2>().norm() > kCoaxial || direction_H.z() > 0 ||
      direction_H.head<2>().norm() > kParallel)
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

/// A possible goal of a part that is inside a hole.
struct GoalCandidate {
  content::Goal goal;
  std::string hole;  ///< without the side
  double clearance = 0;
  bool farSide = false;
  bool isNominal = false;  ///< drawn at the same size

  std::pair<int, std::string> site() const { return {goal.into, hole}; }
};

void addGoal(const content::Scene& scene, const GoalCandidate& candidate, const ImportOptions& options,
             std::size_t base, SceneDraft& draft, ImportFindings& findings) {
  const content::Goal& goal = candidate.goal;
  const auto& tip = scene.part(goal.part).features[static_cast<std::size_t>(goal.feature)];
  const bool pinIsBase = static_cast<std::size_t>(goal.part) == base;
  // An open mesh has no mass, so it cannot be the moving part.
  if (pinIsBase && !(scene.part(goal.into).mass.mass > 0)) return;
  draft.goals.push_back({goal.part, goal.into, tip.name, goal.hole, goal.depth, "", std::nullopt});
  if (candidate.isNominal) options.fit.addTo(draft.goals.back());
  findings.clearances.push_back(candidate.isNominal ? options.fit.text()
                                                    : content::smallLengthText(candidate.clearance));
  draft.parts[static_cast<std::size_t>(pinIsBase ? goal.into : goal.part)].isDynamic = true;
}

/// True if a fit can be laid on a pair drawn at the same size.
bool takesFit(const content::Scene& scene, const content::Goal& goal, const ImportOptions& options) {
  const auto diameter = content::fitDiameter(scene, goal);
  return diameter && (options.fit.clearance_um || content::fitClass(options.fit.fit, *diameter));
}

/// All pairs of an end of `part` and a hole that contains it, from both sides. Holes without clearance are
/// reported in `findings`.
std::vector<GoalCandidate> candidatesOf(const content::Scene& scene, int part, const ImportOptions& options,
                                        const SceneDraft& draft, ImportFindings& findings) {
  std::vector<GoalCandidate> fitting;
  const content::Part& pin = scene.part(part);
  for (int into = 0; into < static_cast<int>(scene.parts.size()); ++into) {
    if (into == part || findings.matings.areGuided(part, into)) continue;
    std::set<std::string> fits;
    std::map<std::string, std::string> tight;
    for (const content::HoleSite& mouth : content::mouthsOf(scene.part(into).shape))
      for (int f = 0; f < static_cast<int>(pin.features.size()); ++f) {
        const auto goal = goalOf(scene, part, f, into, mouth);
        if (!goal) continue;
        const InsertionFit fit = insertionFitOf(scene, *goal);
        if (!fit.known()) continue;
        const bool isNominal = std::abs(fit.clearance()) < kMinClearance;
        if (isNominal ? takesFit(scene, *goal, options) : fit.clearance() > 0) {
          fits.insert(mouth.hole());
          fitting.push_back({*goal, mouth.hole(), fit.clearance(), !mouth.farSideOf.empty(), isNominal});
        } else {
          const auto name = [&](int k) { return draft.parts[static_cast<std::size_t>(k)].name; };
          tight.emplace(mouth.hole(),
                        fmt::format("{} {} in {} {}", name(part), diameterText(2 * fit.pegRadius), name(into),
                                    diameterText(2 * fit.boreRadius)));
        }
      }
    for (const auto& [hole, text] : tight)
      if (!fits.contains(hole)) {
        findings.tooTight.push_back(text);
        findings.tightPairs.insert(std::minmax(part, into));
      }
  }
  return fitting;
}

/// The end that leads when the part is inserted, the same for all its holes: the one inside most holes, then
/// the one with the fewest holes entered from the far side, then the first.
int leadingFeature(const std::vector<GoalCandidate>& candidates) {
  int best = -1;
  std::pair<std::size_t, std::ptrdiff_t> bestRank{0, 0};
  for (const GoalCandidate& candidate : candidates) {
    const int feature = candidate.goal.feature;
    std::set<std::pair<int, std::string>> places;
    std::ptrdiff_t farSides = 0;
    for (const GoalCandidate& other : candidates)
      if (other.goal.feature == feature && places.insert(other.site()).second) farSides += other.farSide;
    const std::pair rank(places.size(), -farSides);
    if (best >= 0 && (rank < bestRank || (rank == bestRank && feature >= best))) continue;
    best = feature;
    bestRank = rank;
  }
  return best;
}

std::string clearanceText(const content::Mating& mating) {
  if (mating.isTight) return "none, drawn at the same size";
  if (mating.leastGap < 0.5 * kMinClearance)
    return fmt::format("up to {} a side", content::smallLengthText(mating.widestGap));
  return content::smallLengthText(mating.leastGap) + " a side";
}

/// A goal for two parts whose faces guide one into the other.
void addPlaceGoal(const content::Scene& scene, const GuidedPair& pair, SceneDraft& draft,
                  ImportFindings& findings) {
  const Pose X_IP = scene.part(pair.into).X_WP.inverse() * scene.part(pair.part).X_WP;
  const double gap = std::max(0.0, pair.mating.widestGap);
  DraftGoal goal;
  goal.part = pair.part;
  goal.into = pair.into;
  goal.depth = pair.mating.depth;
  goal.place = content::DraftPlace{X_IP, content::onAxis(-(X_IP.q * pair.mating.out)), kAcross + gap};
  draft.goals.push_back(std::move(goal));
  findings.clearances.push_back(clearanceText(pair.mating));
  draft.parts[static_cast<std::size_t>(pair.part)].isDynamic = true;
}

/// Leaves out the holes that a part would leave against the direction in which it leaves others, if it is in
/// holes along that direction as well.
void keepSide(const content::Scene& scene, const AssemblyMatings& matings,
              std::vector<GoalCandidate>& candidates) {
  if (candidates.empty()) return;
  const int part = candidates.front().goal.part;
  const auto out = matings.outOf(part);
  if (!out) return;
  const Vector3d out_W = scene.part(part).X_WP.q * *out;
  const auto isAgainst = [&](const GoalCandidate& candidate) {
    const content::Goal& goal = candidate.goal;
    return (scene.part(goal.into).X_WP.q * (goal.X_IH.q * Vector3d::UnitZ())).dot(out_W) < 0;
  };
  if (!std::all_of(candidates.begin(), candidates.end(), isAgainst)) std::erase_if(candidates, isAgainst);
}

/// Reasons for pairs that mate about one axis and got no goal; `entered`: pairs of an end in a hole.
void explainRoundPairs(const std::set<std::pair<int, int>>& entered, const SceneDraft& draft,
                       ImportFindings& findings) {
  std::set<std::pair<int, int>> known = findings.tightPairs;
  for (const DraftGoal& goal : draft.goals) known.insert(std::minmax(goal.part, goal.into));
  for (const GuidedPair& pair : findings.matings.round) {
    const std::pair<int, int> parts = std::minmax(pair.part, pair.into);
    if (known.contains(parts)) continue;
    findings.matings.others.push_back(
        {parts.first, parts.second,
         entered.contains(parts)
             ? "the part is inserted by another of its ends"
             : "they mate about one axis, but no end that has a name is in a hole with one"});
  }
}

void findGoals(const content::Scene& scene, std::size_t base, const std::vector<char>& joined,
               const ImportOptions& options, SceneDraft& draft, ImportFindings& findings) {
  findings.matings = findMatings(scene, base, joined);
  for (const GuidedPair& pair : findings.matings.guided) addPlaceGoal(scene, pair, draft, findings);
  std::set<std::pair<int, int>> entered;
  for (std::size_t part = 0; part < scene.parts.size(); ++part) {
    // Joined parts do not move on their own; an open mesh has no mass.
    if (joined[part] || !(scene.parts[part].mass.mass > 0)) continue;
    auto candidates = candidatesOf(scene, static_cast<int>(part), options, draft, findings);
    for (const GoalCandidate& candidate : candidates)
      entered.insert(std::minmax(candidate.goal.part, candidate.goal.into));
    keepSide(scene, findings.matings, candidates);
    const int feature = leadingFeature(candidates);
    std::set<std::pair<int, std::string>> used;
    for (const GoalCandidate& candidate : candidates)
      if (candidate.goal.feature == feature && used.insert(candidate.site()).second)
        addGoal(scene, candidate, options, base, draft, findings);
  }
  explainRoundPairs(entered, draft, findings);
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    if (k != base && !(scene.parts[k].mass.mass > 0)) findings.withoutVolume.push_back(static_cast<int>(k));
}

/// The draft of a scene with the parts of the file in their places, and what its summary needs.
struct Import {
  content::StepModel model;
  SceneDraft draft;
  ImportFindings findings;
  std::size_t base = 0;  ///< the part that stays, the heaviest
  content::Scene scene;  ///< the parts at their poses in the assembly
};

/// Removes the products that cannot be used; false if there is none.
bool dropRefusedParts(const ImportOptions& options, Import& result) {
  const auto lines = content::dropRefused(result.model, options.file);
  result.findings.refused.insert(result.findings.refused.end(), lines.begin(), lines.end());
  return !lines.empty();
}

/// Removes the products whose faces become no part; false if all of them do.
bool dropUnrecognized(const ImportOptions& options, Import& result) {
  std::map<std::string, content::StepProblem> problems;
  for (const content::FilePart& part : content::readPartFile(options.file, {})) {
    if (part.shape) continue;
    const std::string place = "product " + content::inQuotes(part.product) + ": ";
    const std::string text = part.problem.substr(part.problem.starts_with(place) ? place.size() : 0);
    const std::size_t remedy = std::min(text.rfind("; "), text.size());
    problems[part.product] = {"", text.substr(0, remedy), text.substr(std::min(remedy + 2, text.size()))};
  }
  for (content::StepProduct& product : result.model.products)
    if (const auto problem = problems.find(product.name); problem != problems.end())
      product.problem = problem->second;
  return dropRefusedParts(options, result);
}

Import readImport(const ImportOptions& options, content::FileSource& files) {
  const std::string name = relativeName(options);
  const std::string bytes = files.read((fs::path(content::folderOf(options.out)) / name).string(),
                                       {"STEP", content::kMaxMeshBytes, "export fewer parts"});
  Import result;
  result.model = content::parseStep(bytes, options.file, [](const std::string& line) {
    if (isTerminal(stderr)) fmt::print(stderr, "\r\x1b[K{}", content::printable(line));
  });
  if (isTerminal(stderr)) fmt::print(stderr, "\r\x1b[K");
  dropRefusedParts(options, result);
  if (result.model.instances.size() > content::kMaxParts)
    throw content::InputError(options.file, "", fmt::format("has {} parts", result.model.instances.size()),
                              fmt::format("export at most {}", content::kMaxParts));
  const auto readParts = [&] {
    result.draft = draftOf(result.model, name);
    result.scene = partsOf(result.model, result.draft, options.out, files);
  };
  try {
    readParts();
  } catch (const content::InputError&) {
    if (!dropUnrecognized(options, result)) throw;
    readParts();
  }
  result.draft.description = "Made from " + name +
                             " by 'tenon parts import-assembly': parts as placed in the file, goals for pins "
                             "inside bores, and for parts that faces of others guide.";
  result.base = largestOf(result.scene);
  std::vector<char> joined(result.draft.parts.size(), 0);
  joinOverlaps(result.scene, result.base, result.draft, joined);
  findGoals(result.scene, result.base, joined, options, result.draft, result.findings);
  return result;
}

int import(const ImportOptions& options) {
  if (!content::isFitClass(options.fit.fit))
    throw content::InputError("--fit", content::inQuotes(options.fit.fit), "is no fit",
                              "use one of " + content::supportedFits() + ", or --clearance-um");
  if (!content::isStepFile(options.file))
    throw content::InputError("FILE", content::inQuotes(options.file), "is neither .step nor .stp",
                              "export the assembly as STEP");
  InputFiles inputs;
  inputs.add(options.file, "is the assembly itself");
  requireWritable(std::array{Output{"--out", options.out, OutputKind::scene}}, inputs, options.force);
  relativeName(options);                    // checks early that it is in the right folder
  { const AtomicFile place(options.out); }  // and that the file can be written
  content::RecordingFileSource files(options.out);
  Import result = readImport(options, files);
  std::string parsed;
  std::shared_ptr<void> meshes;
  const auto parse = [&](const std::string& json) {
    parseSceneWithProgress(json, options.out, {}, files, content::SceneChecks::all, &meshes);
    parsed = json;
  };
  addWallFits(options.fit, parse, result.draft, result.findings);
  if (options.apart_mm > 0)
    result.findings.staying = pullApart(result.scene, result.base, options.apart_mm / 1e3, result.draft);
  const std::string text = toSceneJson(result.draft);
  if (text != parsed) parse(text);
  AtomicFile(options.out).commit(text);
  printResult(importSummary(result.model, result.draft, result.findings, result.base, options.out));
  return kSuccess;
}

}  // namespace

std::string looseAssembly(const std::string& file, const std::string& out, const std::string& outOption,
                          content::FileSource& files) {
  ImportOptions options;
  options.file = file;
  options.out = out;
  options.outOption = outOption;
  Import result = readImport(options, files);
  for (const std::string& product : result.findings.refused) printMessage(file + ": left out: " + product);
  for (std::size_t k = 0; k < result.draft.parts.size(); ++k)
    result.draft.parts[k].isDynamic = k != result.base && result.scene.parts[k].mass.mass > 0;
  return toSceneJson(result.draft);
}

void addImportAssembly(CLI::App& parts, int& exitCode) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = parts.add_subcommand(
      "import-assembly", "Convert a STEP assembly into a scene, with goals for parts inside others");
  command->add_option("FILE", options->file, "STEP file (.step, .stp)")->type_name("")->required();
  command
      ->add_option(
          "--out", options->out,
          "Scene file to write, in the folder of the STEP file or above it; it refers to the STEP file")
      ->type_name("SCENE.json")
      ->required();
  command
      ->add_option("--fit", options->fit.fit,
                   "Fit of parts that are drawn at the same size: " + content::supportedFits())
      ->type_name("CLASS")
      ->capture_default_str();
  command
      ->add_option("--clearance-um", options->fit.clearance_um,
                   "Clearance of diameters and widths for them instead [µm]")
      ->type_name("UM")
      ->check(finiteIn(0.1, 5000))
      ->excludes("--fit");
  addForce(*command, options->force);
  command
      ->add_option("--apart", options->apart_mm,
                   "Start distance of the tips before their holes [mm]; default: inserted, as in the file")
      ->type_name("MM")
      ->check(finiteIn(0, 1e6));
  command->footer(
      "Examples:\n"
      "  tenon parts import-assembly bench.step --out bench.json\n"
      "  tenon parts import-assembly bench.step --out bench.json --apart 20 --force\n\n"
      "Parts keep the names, poses, colors and densities of the file; the heaviest part is fixed, parts\n"
      "with a goal are dynamic, overlapping parts are joined. Goals: ends of shafts in bores; the place of "
      "a\n"
      "part that walls of another one guide (pegs in pockets, D and keyed shafts, splines, dovetails, "
      "covers\n"
      "on dowels). Exit codes: 0 done; 2 the file cannot be read or the scene cannot be written; 3 this\n"
      "build has no STEP reader ('tenon doctor').");
  command->callback([options, &exitCode] { exitCode = import(*options); });
}

}  // namespace tenon::runtime
