// tenon parts: lists the parts library and its sizes, and writes parts as mesh files. For STEP assemblies see
// import_assembly.h.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "content/input/json_nesting.h"
#include "content/input/wording.h"
#include "content/model/hole_sites.h"
#include "content/parts/parametric_part.h"
#include "content/parts/standard_part.h"
#include "content/parts/write_mesh.h"
#include "content/reader/load_scene.h"
#include "runtime/commands/command.h"
#include "runtime/commands/import_assembly.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kSteel = 7850;  ///< density for the printed masses [kg/m³]
constexpr std::array<double, 3> kSteelColor{0.55, 0.57, 0.6};
constexpr const char* kMake = "parts make";

struct PartsOptions {
  std::string name;
  std::vector<std::string> arguments;  ///< a size, or NAME=VALUE
  std::optional<std::string> out;
  bool force = false;  ///< overwrite an existing file
  bool json = false;
};

// --- list and show -------------------------------------------------------------------------------------

int list(const PartsOptions& options) {
  TextTable standards({"standard", "description", "sizes", "make"});
  for (const content::StandardFamily& f : content::standardFamilies())
    standards.add({f.name, f.description, f.sizes, f.example});
  TextTable kinds({"kind", "description"});
  for (const content::ParametricKind& k : content::parametricKinds()) kinds.add({k.name, k.description});
  if (!options.json) {
    printResult("Standard parts, in a scene \"standard\": \"ISO 4762 M8x30\"\n\n" + standards.text(2) +
                "\nParametric parts, in a scene \"library\": {\"kind\": \"plate\", …}\n\n" + kinds.text(2) +
                "\n'tenon parts show NAME' lists sizes and dimensions.\n");
    return kSuccess;
  }
  Json json = {{"standards", Json::array()}, {"kinds", Json::array()}};
  for (const content::StandardFamily& f : content::standardFamilies())
    json["standards"].push_back(
        {{"name", f.name}, {"description", f.description}, {"sizes", f.sizes}, {"example", f.example}});
  for (const content::ParametricKind& k : content::parametricKinds())
    json["kinds"].push_back({{"name", k.name}, {"description", k.description}});
  printResult(json.dump(2) + "\n");
  return kSuccess;
}

const content::ParametricKind* findKind(const std::vector<content::ParametricKind>& kinds,
                                        const std::string& name) {
  for (const content::ParametricKind& kind : kinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

/// "did you mean …? " with the most similar kind, or "".
std::string nearestKind(const std::string& name) {
  std::vector<std::string> names;
  for (const content::ParametricKind& kind : content::parametricKinds()) names.push_back(kind.name);
  return didYouMean(name, names);
}

[[noreturn]] void failAt(const std::string& place, const std::string& name,
                         const content::UnknownPart& error) {
  throw content::InputError("parts", place, error.what(), nearestKind(name) + error.remedy);
}

int show(const PartsOptions& options) {
  const auto kinds = content::parametricKinds();
  if (const content::ParametricKind* const kind = findKind(kinds, options.name)) {
    TextTable table({"dimension", "description"});
    for (const auto& [name, what] : kind->fields) table.add({name, what});
    printResult(fmt::format("{}: {}\n\n{}\nExample: tenon parts make {} --out {}.glb\n", kind->name,
                            kind->description, table.text(2), kind->example, kind->name));
    return kSuccess;
  }
  try {
    const content::FamilyTable standard = content::familyTable(options.name);
    std::vector<std::string> headings{"size"};
    headings.insert(headings.end(), standard.headings.begin(), standard.headings.end());
    TextTable table(headings);
    for (const content::FamilyRow& row : standard.rows) {
      std::vector<std::string> cells{row.size};
      cells.insert(cells.end(), row.measures.begin(), row.measures.end());
      table.add(cells);
    }
    printResult(fmt::format("{}: {}; in mm\n{}\n\n{}", standard.family.name, standard.family.description,
                            standard.family.frame, table.text(2)));
  } catch (const content::UnknownPart& error) {
    failAt("show", options.name,
           content::UnknownPart(error.what(), "run 'tenon parts list' for the available parts"));
  }
  return kSuccess;
}

// --- make ----------------------------------------------------------------------------------------------

/// `text` in quotes, with invalid UTF-8 replaced by U+FFFD.
std::string quotedBytes(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool isUtf8(const std::string& text) {
  try {
    return !Json(text).dump().empty();
  } catch (const Json::type_error&) {
    return false;
  }
}

/// The dimensions as a scene file contains them, from NAME=VALUE arguments; VALUE is JSON or plain text.
Json dimensionsOf(const PartsOptions& options) {
  Json json = {{"kind", options.name}};
  for (const std::string& argument : options.arguments) {
    if (!isUtf8(argument))
      throw content::InputError(kMake, quotedBytes(argument), "is not UTF-8 text", "write it in UTF-8");
    const auto equals = argument.find('=');
    if (equals == std::string::npos || equals == 0)
      throw content::InputError(
          kMake, content::inQuotes(argument), "is not a dimension",
          "write NAME=VALUE, such as width=130; 'tenon parts show " + options.name + "' lists them");
    const std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    if (name == "kind")
      throw content::InputError(kMake, content::inQuotes(argument),
                                "gives a second kind beside " + options.name,
                                "remove it: the word after 'make' is the kind");
    if (json.contains(name))
      throw content::InputError(kMake, content::inQuotes(argument),
                                "gives " + content::inQuotes(name) + " a second time", "keep one of the two");
    content::checkNesting(value, kMake);
    Json parsed = Json::parse(value, nullptr, false);
    json[name] = parsed.is_discarded() ? Json(value) : parsed;
  }
  return json;
}

content::LibraryPart partOf(const PartsOptions& options) {
  const auto kinds = content::parametricKinds();
  if (findKind(kinds, options.name)) return content::parametricPart(dimensionsOf(options).dump(), kMake);
  std::string designation = options.name;
  for (const std::string& argument : options.arguments) designation += " " + argument;
  try {
    return content::standardPart(designation);
  } catch (const content::UnknownPart& error) {
    failAt("make", options.name, error);
  }
}

std::string sizeText(const physics::Vector3d& size) {
  return fmt::format("{:.6g} × {:.6g} × {:.6g} mm", size.x() * 1e3, size.y() * 1e3, size.z() * 1e3);
}

std::string partSummary(const content::LibraryPart& part, const content::DisplayMesh& mesh) {
  const physics::MassProperties m = content::withDensity(part.unitDensityMass, kSteel);
  std::string text = fmt::format("{}: {}\n\n", part.name, part.description);
  text += fmt::format("  size      {}\n  mass      {} in steel\n", sizeText(xr::boundsOf(part.shape).sizes()),
                      massText(m.mass));
  for (const content::AxisFeature& f : part.features)
    text += fmt::format("  feature   {} at [{:.6g}, {:.6g}, {:.6g}] mm, towards [{:g}, {:g}, {:g}]\n", f.name,
                        f.origin.x() * 1e3, f.origin.y() * 1e3, f.origin.z() * 1e3, f.direction.x(),
                        f.direction.y(), f.direction.z());
  for (const content::HoleSite& hole : content::holesOf(part.shape)) {
    double narrowest = hole.profile.front().y();
    for (const Eigen::Vector2d& p : hole.profile)
      if (p.y() > 0) narrowest = std::min(narrowest, p.y());
    text += fmt::format("  hole      {}: Ø{:.6g} mm, {:.6g} mm deep{}\n", hole.name, 2e3 * narrowest,
                        hole.depth() * 1e3, hole.through ? ", through" : "");
  }
  return text + fmt::format("  mesh      {} triangles\n", mesh.triangles.size());
}

int make(const PartsOptions& options) {
  const content::LibraryPart part = partOf(options);
  const content::DisplayMesh mesh = content::displayMeshOf(part);
  requireWritable(std::array{Output{"--out", options.out, OutputKind::mesh}}, {}, options.force);
  std::string text = partSummary(part, mesh);
  if (options.out) {
    const bool isGlb = endingOf(*options.out) == ".glb";
    AtomicFile(*options.out)
        .commit(isGlb ? content::glbOf(mesh, part.name, kSteelColor) : content::objOf(mesh, part.name));
    text += fmt::format("  written   {}{}\n", *options.out, isGlb ? "" : ", in meters");
  }
  printResult(text);
  return kSuccess;
}

}  // namespace

void addPartsCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<PartsOptions>();
  CLI::App* command = program.add_subcommand(
      "parts", "List the parts library, show sizes, write parts as mesh files, import STEP assemblies");
  command->require_subcommand(1);
  CLI::App* lists = command->add_subcommand("list", "List the standard and parametric parts");
  lists->add_flag("--json", options->json, "Print one JSON object instead of tables");
  lists->footer(
      "Examples:\n"
      "  tenon parts list\n"
      "  tenon parts list --json\n\n"
      "Exit codes: 0 done, 2 bad usage.");
  lists->callback([options, &exitCode] { exitCode = list(*options); });

  CLI::App* shows = command->add_subcommand(
      "show", "Show the sizes of a standard part or the dimensions of a parametric part");
  shows->add_option("NAME", options->name, "For example iso4762, \"ISO 4762\" or flange")
      ->type_name("")
      ->required();
  shows->footer(
      "Examples:\n"
      "  tenon parts show iso4762\n"
      "  tenon parts show flange\n\n"
      "Exit codes: 0 done, 2 unknown part ('tenon parts list' lists the parts).");
  shows->callback([options, &exitCode] { exitCode = show(*options); });

  CLI::App* makes =
      command->add_subcommand("make", "Make one part, print its properties, and write it as a mesh file");
  makes->add_option("NAME", options->name, "For example iso4762 or flange")->type_name("")->required();
  makes->add_option("SIZE", options->arguments, "M8x30; or dimensions in mm, NAME=VALUE")->type_name("");
  makes->add_option("--out", options->out, "Write its mesh here: .glb (glTF, y up) or .obj (z up), in meters")
      ->type_name("FILE");
  addForce(*makes, options->force);
  makes->footer(
      "Examples:\n"
      "  tenon parts make iso4762 M8x30\n"
      "  tenon parts make iso4762 M8x30 --out m8.glb\n"
      "  tenon parts make bushing bore=10 outer=16 length=20 chamfer=0.5 --out bushing.obj\n"
      "  tenon parts make plate 'size=[80,60,12]' --out plate.glb --force\n\n"
      "Exit codes: 0 done, 2 unknown part or size (the message lists the known ones), or the file cannot be\n"
      "written.");
  makes->callback([options, &exitCode] { exitCode = make(*options); });
  addImportAssembly(*command, exitCode);
  command->footer(
      "Examples:\n"
      "  tenon parts list\n"
      "  tenon parts show iso4762\n"
      "  tenon parts make iso4762 M8x30 --out m8.glb\n"
      "  tenon parts make bushing bore=10 outer=16 length=20 chamfer=0.5 --out bushing.obj\n"
      "  tenon parts make plate 'size=[80,60,12]' --out plate.glb\n"
      "  tenon parts import-assembly bench.step --out bench.json\n\n"
      "Exit codes: 0 done; 2 unknown part (the message lists the known ones), or bad input; 3 STEP files\n"
      "cannot be read on this machine ('tenon doctor').");
}

}  // namespace tenon::runtime
