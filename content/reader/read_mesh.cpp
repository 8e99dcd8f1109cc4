// See read_mesh.h.
#include "content/reader/read_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "content/input/file_source.h"
#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/mesh/load_mesh.h"
#include "content/mesh/unit_plausibility.h"
#include "content/parts/read_thread.h"
#include "content/parts/tapped_shapes.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/mesh_cache.h"
#include "content/reader/step_part.h"
#include "content/recognize/recognized_cache.h"
#include "content/step/read_step.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

struct MeshUnit {
  const char* name;
  double numerator, divisor;
};
constexpr std::array kMeshUnits{MeshUnit{"mm", 1, 1000}, MeshUnit{"cm", 1, 100}, MeshUnit{"m", 1, 1},
                                MeshUnit{"in", 254, 10000}};

/// The path of the file, relative to the scene's folder. Rejects paths outside that folder.
std::string pathOf(const JsonCursor& at, const std::string& name) {
  const std::string folder = folderOf(at.context().file);
  const fs::path path(name);
  if (name.find('\0') != std::string::npos || path.is_absolute() ||
      at.context().files->find((folder / path).string(), folder) == FileStatus::outsideFolder)
    at.fail(fmt::format("is {}, which leads out of the scene's folder", inQuotes(name)),
            "put the file into the scene's folder, or below, and name it from there");
  if (at.context().files->find((folder / path).string(), folder) == FileStatus::missing)
    at.fail(fmt::format("is {}, which does not exist", inQuotes(name)),
            "check the name; it is relative to the scene's folder");
  return (folder / path).lexically_normal().string();
}

MeshFormat formatOf(const JsonCursor& at, const std::string& name) {
  const auto format = meshFormatOf(name);
  if (!format)
    at.fail(fmt::format("is {}, an unknown format", inQuotes(name)),
            "use a file whose name ends in .obj, .stl, .gltf, .glb, .step or .stp");
  return *format;
}

const MeshUnit& readMeshUnit(const JsonCursor& at, MeshFormat format) {
  const auto given = at.find("unit");
  if (definesUnit(format)) {
    if (given) given->fail("is given for glTF, which is in meters", "remove it");
    return kMeshUnits[2];
  }
  const JsonCursor unit = at.member(
      "unit", "add \"unit\": \"mm\", \"cm\", \"m\" or \"in\": files of this format do not define a unit");
  return kMeshUnits[unit.choice({"mm", "cm", "m", "in"})];
}

void scale(TriangleMesh& mesh, const MeshUnit& unit, const std::string& file) {
  mesh.rounding = mesh.rounding * unit.numerator / unit.divisor;
  for (Vector3d& p : mesh.vertices) {
    p = p * unit.numerator / unit.divisor;
    if (!(p.cwiseAbs().maxCoeff() <= kMaxPosition))
      throw InputError(
          file, "", fmt::format("has a vertex {:.3g} m from the origin", p.norm()),
          fmt::format("give the right \"unit\", or move the part to within {:g} m", kMaxPosition));
  }
}

std::string unitWarningOf(const RecognizedPart& part, const MeshUnit& unit) {
  const double perMeter = unit.divisor / unit.numerator;
  std::vector<double> diameters;
  for (const RecognizedFace& face : part.faces)
    if (!face.cone) diameters.push_back(face.vertexDiameter * perMeter);
  return implausibleUnit((part.high - part.low).maxCoeff() * perMeter, diameters, unit.name);
}

RecognizedPart recognizeMesh(const TriangleMesh& mesh, const MeshShape& rules, const MeshUnit& unit,
                             const std::string& file, const ReadContext& context) {
  context.progress(fmt::format("{}: repairing a mesh of {} triangles", file, mesh.triangles.size()));
  const RepairedMesh repaired = repairMesh(mesh);
  if (repaired.mesh.triangles.empty())
    throw InputError(file, "", "has no triangle with an area", "export the part's surface as triangles");
  context.progress(fmt::format("{}: recognizing round faces", file));
  try {
    return recognize(repaired, rules.bores, nullptr, rules.threads);
  } catch (const RecognitionError& error) {
    // The usual cause is a wrong unit.
    RecognizedPart bounds;
    bounds.low = bounds.high = repaired.mesh.vertices.front();
    for (const Vector3d& p : repaired.mesh.vertices) {
      bounds.low = bounds.low.cwiseMin(p);
      bounds.high = bounds.high.cwiseMax(p);
    }
    const std::string unitWarning = unitWarningOf(bounds, unit);
    throw InputError(file, "", error.problem,
                     unitWarning.empty() ? error.remedy : error.remedy + "; " + unitWarning);
  }
}

void readTriangles(MeshShape& shape, const std::string& file, MeshFormat format, const MeshUnit& unit,
                   const ReadContext& context) {
  context.progress(file + ": reading");
  const std::string bytes =
      context.files->read(file, {"mesh", kMaxMeshBytes, "export the part with a coarser tolerance"});
  TriangleMesh mesh = parseMesh(bytes, format, file, *context.files);
  scale(mesh, unit, file);
  const std::string key = cacheKey(mesh, shape.bores, shape.threads);
  if (auto entry = readCache(context.cacheFolder, key)) {
    shape.part = std::move(*entry);
    shape.cached = true;
  } else {
    shape.part = recognizeMesh(mesh, shape, unit, file, context);
    writeCache(context.cacheFolder, key, shape.part);
  }
  shape.unitWarning = unitWarningOf(shape.part, unit);
  shape.rounding = mesh.rounding;
}

/// Import options of a mesh file in the scene.
struct ImportOptions {
  MeshFormat format = MeshFormat::obj;
  bool step = false;
  const MeshUnit* unit = nullptr;  ///< null: the file defines it
  BoreRule bores = BoreRule::flats;
  ThreadRule threads = ThreadRule::exact;
  std::string product;

  std::string key() const {
    return fmt::format("{}\n{}\n{}\n{}", unit ? unit->name : "", static_cast<int>(bores),
                       static_cast<int>(threads), product);
  }
};

ImportOptions readOptions(const JsonCursor& at, const JsonCursor& fileAt, const std::string& name) {
  ImportOptions options;
  options.step = isStepFile(name);
  if (const auto threads = at.find("threads"))
    options.threads = threads->choice({"exact", "facets"}) == 0 ? ThreadRule::exact : ThreadRule::facets;
  if (options.step) {
    for (const char* field : {"unit", "bores"})
      if (const auto given = at.find(field)) given->fail("is given for STEP, which defines it", "remove it");
    if (const auto product = at.find("product")) options.product = product->text(kMaxTextBytes);
    return options;
  }
  options.format = formatOf(fileAt, name);
  if (const auto product = at.find("product"))
    product->fail("is given for a file of triangles, which has no products", "remove it");
  options.unit = &readMeshUnit(at, options.format);
  if (const auto bores = at.find("bores"))
    options.bores = bores->choice({"flats", "vertices"}) == 0 ? BoreRule::flats : BoreRule::vertices;
  return options;
}

void checkSize(const MeshShape& shape, const std::string& file) {
  const double size = (shape.part.high - shape.part.low).maxCoeff();
  if (!(size >= kMinSize && size <= kMaxSize))
    throw InputError(file, "", fmt::format("is {:.3g} mm long", size * 1e3),
                     shape.part.unit.empty() ? "give the right \"unit\"" : "export it with the right unit");
}

/// Cuts threads into round holes of the part, by name; with `checksEach`, the part is checked after each.
void tapHoles(const JsonCursor& list, bool checksEach, RecognizedPart& part) {
  std::set<std::string> named;
  for (const JsonCursor& entry : list.elements(0, kMaxEntries)) {
    entry.allowOnly({"name", "thread"});
    const JsonCursor nameAt = entry.member("name"), threadAt = entry.member("thread");
    const auto mouths = mouthsOf(part.shape);
    std::vector<std::string> names;
    for (const HoleSite& mouth : mouths) names.push_back(mouth.name);
    if (names.empty())
      nameAt.fail("names a hole of a part in which no round hole was found",
                  "see `tenon check` for what was found, and declare other openings as \"sockets\"");
    const HoleSite& hole = mouths[static_cast<std::size_t>(nameAt.indexIn(names, "hole of its file"))];
    if (!named.insert(hole.hole()).second)
      nameAt.fail("is a hole that has a thread already", "give each hole one thread");
    if (hasThreadIn(part.shape, hole))
      nameAt.fail("is a hole with a thread in its file", "remove this entry: that thread is used as it is");
    tapHole(threadAt, readThread(threadAt, ThreadPlace::hole), readThreadDepth(threadAt), hole, part.shape,
            part.solid);
    if (!checksEach) continue;
    if (const std::string problem = problemOfTapped(part.shape); !problem.empty())
      threadAt.fail("has no room in its hole: " + problem,
                    "make it smaller or shorter, or the walls around it thicker");
  }
}

void readThreadedHoles(const JsonCursor& list, RecognizedPart& part) {
  const RecognizedPart given = part;
  tapHoles(list, false, part);
  part.shapeVolume = physics::massProperties(part.shape, 1).mass;
  if (problemOfTapped(part.shape).empty()) return;
  part = given;
  tapHoles(list, true, part);
}

/// Openings and ends that are not round. Open surfaces have none: their sides are unknown.
void findPrismaticSites(MeshShape& shape) {
  if (shape.part.report.isClosed()) shape.prismatic = prismaticSites(shape.part.shape, shape.part.features);
}

/// Size and time of a file on the disk, to recognize it again; "" of another source.
std::string stampOf(const std::string& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const auto time = std::filesystem::last_write_time(file, error);
  return error ? "" : fmt::format("\n{} {}", size, time.time_since_epoch().count());
}

}  // namespace

bool isMesh(const JsonCursor& shape) {
  return shape.member("kind").isText("mesh");
}

std::shared_ptr<const MeshShape> readMeshFile(const std::string& file, const std::string& unit,
                                              ReadContext& context) {
  auto shape = std::make_shared<MeshShape>();
  shape->file = file;
  const auto format = meshFormatOf(file);
  if (!format) throw InputError(file, "", "is of an unknown format", "use .obj, .stl, .gltf or .glb");
  const auto* named =
      std::find_if(kMeshUnits.begin(), kMeshUnits.end(), [&](const MeshUnit& u) { return unit == u.name; });
  const MeshUnit& used = definesUnit(*format) || named == kMeshUnits.end() ? kMeshUnits[2] : *named;
  shape->unit = used.name;
  readTriangles(*shape, file, *format, used, context);
  checkSize(*shape, file);
  findPrismaticSites(*shape);
  return shape;
}

std::shared_ptr<const MeshShape> readStepFile(const std::string& file, const std::string& product,
                                              ReadContext& context) {
  auto shape = std::make_shared<MeshShape>();
  shape->file = file;
  shape->product = product;
  shape->part = readStepProduct(file, product, context);
  shape->unit = shape->part.unit;
  checkSize(*shape, file);
  findPrismaticSites(*shape);
  return shape;
}

std::shared_ptr<const MeshShape> readMesh(const JsonCursor& at) {
  at.allowOnly({"kind", "file", "product", "unit", "bores", "threads", "holes"});
  const JsonCursor fileAt = at.member("file");
  auto shape = std::make_shared<MeshShape>();
  shape->file = fileAt.text(kMaxTextBytes);
  const ImportOptions options = readOptions(at, fileAt, shape->file);
  const std::string file = pathOf(fileAt, shape->file);
  auto& given = meshCacheOf(at.context()).meshes[file + "\n" + options.key() + stampOf(file)];
  if (!given) {
    shape->bores = options.bores;
    shape->threads = options.threads;
    shape->product = options.product;
    if (options.step) {
      shape->part = readStepPart(at, file, options.threads, shape->cached);
      shape->unit = shape->part.unit;
    } else {
      shape->unit = options.unit->name;
      readTriangles(*shape, file, options.format, *options.unit, at.context());
    }
    checkSize(*shape, file);
    findPrismaticSites(*shape);
    given = shape;
  }
  auto mesh = given;
  if (const auto holes = at.find("holes")) {
    const auto tapped = std::make_shared<MeshShape>(*given);
    readThreadedHoles(*holes, tapped->part);
    mesh = tapped;
  }
  at.context().convexParts += physics::convexPartCount(mesh->part.shape);
  if (at.context().convexParts > kMaxConvexParts)
    at.fail(fmt::format("brings the scene above {} convex parts", kMaxConvexParts),
            "use fewer or simpler parts");
  return mesh;
}

}  // namespace tenon::content
