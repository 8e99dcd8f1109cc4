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
#include "content/reader/read_parts.h"
#include "content/recognize/recognized_cache.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

const StepModel& modelIn(const std::string& bytes, const std::string& file, ReadContext& context) {
  auto& known = context.stepFiles[file];
  if (!known) known = std::make_shared<const StepModel>(parseStep(bytes, file, context.progress));
  return *known;
}

const StepProduct& productOf(const StepModel& model, const JsonCursor& at) {
  const auto names = namesOf(model.products);
  const auto wanted = at.find("product");
  if (!wanted) {
    if (names.size() == 1) return model.products.front();
    at.member("product", fmt::format("say which one of the file's {} products it is: {}", names.size(),
                                     quotedList(names)));
  }
  const std::string name = wanted->text(kMaxTextBytes);
  for (const StepProduct& product : model.products)
    if (product.name == name) return product;
  wanted->fail(fmt::format("is {}, which is not in the file", inQuotes(name)), suggestion(name, names));
}

RecognizedPart recognized(const StepProduct& product, const StepModel& model, const std::string& file,
                          const ReadContext& context) {
  context.progress(fmt::format("{}: looking at the faces of {}", file, oneLine(product.name, kMaxNameBytes)));
  const RepairedMesh fixed = repairMesh(product.mesh);
  const std::string place = "product " + inQuotes(product.name);
  if (fixed.mesh.triangles.empty())
    throw InputError(file, place, "has no face with an area", "export the part's solid");
  try {
    RecognizedPart part = recognize(fixed, BoreRule::vertices, &product.faces);
    part.unit = model.unit;
    part.color = product.color;
    return part;
  } catch (const RecognitionError& none) {
    throw InputError(file, place, none.problem, none.remedy);
  }
}

}  // namespace

RecognizedPart readStepPart(const JsonCursor& at, const std::string& file, bool& cached) {
  ReadContext& context = at.context();
  context.progress(file + ": reading");
  const std::string bytes =
      context.files->read(file, {"STEP", kMaxMeshBytes, "export fewer parts, or with fewer details"});
  // A build without the reader does not live on what another one has left.
  const StepReader reader = findStepReader();
  const auto product = at.find("product");
  const std::string which = product ? fmt::format("={}", product->text(kMaxTextBytes)) : "";
  const std::string key = cacheKey(bytes, which, reader.version);
  auto known = reader.program.empty() ? std::nullopt : readCache(context.cacheFolder, key);
  cached = known.has_value();
  if (known) return std::move(*known);
  const StepModel& model = modelIn(bytes, file, context);
  RecognizedPart part = recognized(productOf(model, at), model, file, context);
  writeCache(context.cacheFolder, key, part);
  return part;
}

}  // namespace tenon::content
