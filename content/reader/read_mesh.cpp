// See read_mesh.h.
#include "content/reader/read_mesh.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "content/input/file_source.h"
#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/mesh/load_mesh.h"
#include "content/mesh/unit_plausibility.h"
#include "content/reader/step_part.h"
#include "content/recognize/recognized_cache.h"
#include "content/step/read_step.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

struct Unit {
  const char* name;
  double numerator, divisor;
};
constexpr std::array kUnits{Unit{"mm", 1, 1000}, Unit{"cm", 1, 100}, Unit{"m", 1, 1}, Unit{"in", 254, 10000}};

/// The file's path, from where the scene's is. Refused where it could lead anywhere.
std::string placeOf(const JsonCursor& at, const std::string& name) {
  const std::string folder = folderOf(at.context().file);
  const fs::path path(name);
  if (name.find('\0') != std::string::npos || path.is_absolute() ||
      at.context().files->find((folder / path).string(), folder) == FileStatus::outsideFolder)
    at.fail(fmt::format("is {}, which leads out of the scene's folder", inQuotes(name)),
            "put the file into the scene's folder, or below, and name it from there");
  if (at.context().files->find((folder / path).string(), folder) == FileStatus::missing)
    at.fail(fmt::format("is {}, which does not exist", inQuotes(name)),
            "check the name; it is looked for from the scene's folder");
  return (folder / path).lexically_normal().string();
}

MeshFormat formatOf(const JsonCursor& at, const std::string& name) {
  const auto format = meshFormatOf(name);
  if (!format)
    at.fail(fmt::format("is {}, a format that is not known", inQuotes(name)),
            "use a file whose name ends in .obj, .stl, .gltf, .glb, .step or .stp");
  return *format;
}

const Unit& readUnit(const JsonCursor& at, MeshFormat format) {
  const auto given = at.find("unit");
  if (definesUnit(format)) {
    if (given) given->fail("is given for glTF, which is in metres", "remove it");
    return kUnits[2];
  }
  const JsonCursor unit = at.member(
      "unit", "add \"unit\": \"mm\", \"cm\", \"m\" or \"in\": files of this format do not say it themselves");
  return kUnits[unit.choice({"mm", "cm", "m", "in"})];
}

void scale(TriangleMesh& mesh, const Unit& unit, const std::string& file) {
  for (Vector3d& p : mesh.vertices) {
    p = p * unit.numerator / unit.divisor;
    if (!(p.cwiseAbs().maxCoeff() <= kMaxPosition))
      throw InputError(
          file, "", fmt::format("has a vertex {:.3g} m from the origin", p.norm()),
          fmt::format("give the right \"unit\", or move the part to within {:g} m", kMaxPosition));
  }
}

std::string doubtOf(const RecognizedPart& part, const Unit& unit) {
  const double perMetre = unit.divisor / unit.numerator;
  std::vector<double> diameters;
  for (const RecognizedFace& face : part.faces)
    if (!face.cone) diameters.push_back(face.vertexDiameter * perMetre);
  return implausibleUnit((part.high - part.low).maxCoeff() * perMetre, diameters, unit.name);
}

RecognizedPart recognized(const TriangleMesh& mesh, BoreRule rule, const Unit& unit, const std::string& file,
                          const ReadContext& context) {
  context.progress(fmt::format("{}: {} triangles, joining them", file, mesh.triangles.size()));
  const RepairedMesh fixed = repairMesh(mesh);
  if (fixed.mesh.triangles.empty())
    throw InputError(file, "", "has no triangle with an area", "export the part's surface as triangles");
  context.progress(fmt::format("{}: looking for round faces", file));
  try {
    return recognize(fixed, rule);
  } catch (const RecognitionError& none) {
    // A part of the wrong size is the usual reason.
    RecognizedPart size;
    size.low = size.high = fixed.mesh.vertices.front();
    for (const Vector3d& p : fixed.mesh.vertices) {
      size.low = size.low.cwiseMin(p);
      size.high = size.high.cwiseMax(p);
    }
    const std::string unitWarning = doubtOf(size, unit);
    throw InputError(file, "", none.problem,
                     unitWarning.empty() ? none.remedy : none.remedy + "; " + unitWarning);
  }
}

void readInto(MeshShape& shape, const std::string& file, MeshFormat format, const Unit& unit,
              const ReadContext& context) {
  context.progress(file + ": reading");
  const std::string bytes =
      context.files->read(file, {"mesh", kMaxMeshBytes, "export the part with a coarser tolerance"});
  TriangleMesh mesh = parseMesh(bytes, format, file, *context.files);
  scale(mesh, unit, file);
  const std::string key = cacheKey(mesh, shape.bores);
  if (auto known = readCache(context.cacheFolder, key)) {
    shape.part = std::move(*known);
    shape.cached = true;
  } else {
    shape.part = recognized(mesh, shape.bores, unit, file, context);
    writeCache(context.cacheFolder, key, shape.part);
  }
  shape.unitWarning = doubtOf(shape.part, unit);
}

/// How a file is to be read, as the scene says it.
struct HowToRead {
  MeshFormat format = MeshFormat::obj;
  bool step = false;
  const Unit* unit = nullptr;  ///< null: the file says it itself
  BoreRule bores = BoreRule::flats;
  std::string product;

  std::string key() const {
    return fmt::format("{}\n{}\n{}", unit ? unit->name : "", static_cast<int>(bores), product);
  }
};

HowToRead readHow(const JsonCursor& at, const JsonCursor& fileAt, const std::string& name) {
  HowToRead how;
  how.step = isStepFile(name);
  if (how.step) {
    for (const char* field : {"unit", "bores"})
      if (const auto given = at.find(field))
        given->fail("is given for STEP, which says it itself", "remove it");
    if (const auto product = at.find("product")) how.product = product->text(kMaxTextBytes);
    return how;
  }
  how.format = formatOf(fileAt, name);
  if (const auto product = at.find("product"))
    product->fail("is given for a file of triangles, which has no products", "remove it");
  how.unit = &readUnit(at, how.format);
  if (const auto bores = at.find("bores"))
    how.bores = bores->choice({"flats", "vertices"}) == 0 ? BoreRule::flats : BoreRule::vertices;
  return how;
}

void checkSize(const MeshShape& shape, const std::string& file) {
  const double size = (shape.part.high - shape.part.low).maxCoeff();
  if (!(size >= kMinSize && size <= kMaxSize))
    throw InputError(file, "", fmt::format("is {:.3g} mm long", size * 1e3),
                     shape.part.unit.empty() ? "give the right \"unit\"" : "export it with the right unit");
}

}  // namespace

bool isMesh(const JsonCursor& shape) {
  return shape.member("kind").isText("mesh");
}

std::shared_ptr<const MeshShape> readMesh(const JsonCursor& at) {
  at.allowOnly({"kind", "file", "product", "unit", "bores"});
  const JsonCursor fileAt = at.member("file");
  auto shape = std::make_shared<MeshShape>();
  shape->file = fileAt.text(kMaxTextBytes);
  const HowToRead how = readHow(at, fileAt, shape->file);
  const std::string file = placeOf(fileAt, shape->file);
  auto& known = at.context().meshes[file + "\n" + how.key()];
  if (!known) {
    shape->bores = how.bores;
    shape->product = how.product;
    if (how.step) {
      shape->part = readStepPart(at, file, shape->cached);
      shape->unit = shape->part.unit;
    } else {
      shape->unit = how.unit->name;
      readInto(*shape, file, how.format, *how.unit, at.context());
    }
    checkSize(*shape, file);
    known = shape;
  }
  at.context().convexParts += physics::convexPartCount(known->part.shape);
  if (at.context().convexParts > kMaxConvexParts)
    at.fail(fmt::format("brings the scene above {} convex pieces", kMaxConvexParts),
            "use fewer or simpler parts");
  return known;
}

}  // namespace tenon::content
