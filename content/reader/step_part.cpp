// See step_part.h.
#include "content/reader/step_part.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "content/input/file_source.h"
#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/mesh/repair_mesh.h"
#include "content/reader/mesh_cache.h"
#include "content/reader/read_parts.h"
#include "content/recognize/recognized_cache.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

std::string bytesOf(const std::string& file, const ReadContext& context) {
  return context.files->read(file, {"STEP", kMaxMeshBytes, "export fewer parts, or with fewer details"});
}

const StepModel& modelIn(const std::string& bytes, const std::string& file, ReadContext& context) {
  MeshCache& cache = meshCacheOf(context);
  auto& model = cache.stepModels[file];
  if (!model)
    model = std::make_shared<const StepModel>(parseStep(bytes, file, context.progress, cache.stepLimits));
  return *model;
}

/// Reads the file once.
const StepModel& modelIn(const std::string& file, ReadContext& context) {
  const auto& models = meshCacheOf(context).stepModels;
  if (const auto found = models.find(file); found != models.end() && found->second) return *found->second;
  return modelIn(bytesOf(file, context), file, context);
}

/// The product that the scene names, or the only one with faces.
const StepProduct& productOf(const StepModel& model, const JsonCursor& at) {
  std::vector<std::string> names;
  for (const StepProduct& product : model.products)
    if (product.hasFaces) names.push_back(product.name);
  const auto wanted = at.find("product");
  if (!wanted && names.size() != 1)
    at.member("product",
              fmt::format("choose one of the {} products of the file: {}", names.size(), quotedList(names)));
  const std::string name = wanted ? wanted->text(kMaxTextBytes) : names.front();
  for (const StepProduct& product : model.products)
    if (product.name == name) return product;
  wanted->fail(fmt::format("is {}, which is not in the file", inQuotes(name)), suggestion(name, names));
}

RecognizedPart recognizeProduct(const StepProduct& product, const StepModel& model, ThreadRule threads,
                                const std::string& file, const ReadContext& context) {
  requireUsable(product, file);
  context.progress(
      fmt::format("{}: recognizing the faces of {}", file, oneLine(product.name, kMaxNameBytes)));
  RepairedMesh repaired = repairMesh(product.mesh);
  repaired.report.emptyFaces = product.emptyFaces.size();
  if (!product.emptyFaces.empty()) repaired.report.emptyFacePosition = product.emptyFaces.front();
  const std::string place = "product " + inQuotes(product.name);
  if (repaired.mesh.triangles.empty())
    throw InputError(file, place, "has no face with an area", "export the part's solid");
  try {
    RecognizedPart part = recognize(repaired, BoreRule::vertices, &product.faces, threads);
    part.unit = model.unit;
    part.color = product.color;
    return part;
  } catch (const RecognitionError& error) {
    throw InputError(file, place, error.problem, error.remedy);
  }
}

}  // namespace

RecognizedPart readStepPart(const JsonCursor& at, const std::string& file, ThreadRule threads, bool& cached) {
  ReadContext& context = at.context();
  context.progress(file + ": reading");
  const std::string bytes = bytesOf(file, context);
  // A build without the STEP reader must not use cache entries of another build.
  const StepReader reader = findStepReader();
  const auto product = at.find("product");
  const std::string productKey = product ? fmt::format("={}", product->text(kMaxTextBytes)) : "";
  const std::string key = cacheKey(bytes, productKey, reader.version, threads);
  auto entry = reader.program.empty() ? std::nullopt : readCache(context.cacheFolder, key);
  cached = entry.has_value();
  if (entry) return std::move(*entry);
  const StepModel& model = modelIn(bytes, file, context);
  RecognizedPart part = recognizeProduct(productOf(model, at), model, threads, file, context);
  writeCache(context.cacheFolder, key, part);
  return part;
}

std::vector<std::string> productsOf(const std::string& file, ReadContext& context) {
  context.progress(file + ": reading");
  return namesOf(modelIn(file, context).products);
}

RecognizedPart readStepProduct(const std::string& file, const std::string& product, ReadContext& context) {
  const StepModel& model = modelIn(file, context);
  for (const StepProduct& candidate : model.products)
    if (candidate.name == product)
      return recognizeProduct(candidate, model, ThreadRule::exact, file, context);
  throw InputError(file, "product " + inQuotes(product), "is not in the file",
                   suggestion(product, namesOf(model.products)));
}

}  // namespace tenon::content
