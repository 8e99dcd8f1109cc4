// See step_part.h.
#include "content/scene/step_part.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "content/mesh/repair_mesh.h"
#include "content/recognise/recognised_cache.h"
#include "content/scene/file_source.h"
#include "content/scene/limits.h"
#include "content/scene/load_scene.h"
#include "content/scene/read_parts.h"
#include "content/scene/wording.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

const StepModel& modelIn(const std::string& bytes, const std::string& file, Reading& reading) {
  auto& known = reading.stepFiles[file];
  if (!known) known = std::make_shared<const StepModel>(parseStep(bytes, file, reading.progress));
  return *known;
}

const StepProduct& productOf(const StepModel& model, const JsonCursor& at) {
  const auto names = namesOf(model.products);
  const auto wanted = at.find("product");
  if (!wanted) {
    if (names.size() == 1) return model.products.front();
    at.member("product",
              fmt::format("say which one of the file's {} products it is: {}", names.size(), listed(names)));
  }
  const std::string name = wanted->text(kMaxTextBytes);
  for (const StepProduct& product : model.products)
    if (product.name == name) return product;
  wanted->fail(fmt::format("is {}, which is not in the file", inQuotes(name)), suggestion(name, names));
}

RecognisedPart recognised(const StepProduct& product, const StepModel& model, const std::string& file,
                          const Reading& reading) {
  reading.progress(fmt::format("{}: looking at the faces of {}", file, oneLine(product.name, kMaxNameBytes)));
  const RepairedMesh fixed = repaired(product.mesh);
  const std::string place = "product " + inQuotes(product.name);
  if (fixed.mesh.triangles.empty())
    throw InputError(file, place, "has no face with an area", "export the part's solid");
  try {
    RecognisedPart part = recognise(fixed, BoreRule::vertices, &product.faces);
    part.unit = model.unit;
    part.color = product.color;
    return part;
  } catch (const NoShape& none) {
    throw InputError(file, place, none.problem, none.remedy);
  }
}

}  // namespace

RecognisedPart readStepPart(const JsonCursor& at, const std::string& file, bool& cached) {
  Reading& reading = at.reading();
  reading.progress(file + ": reading");
  const std::string bytes =
      reading.files->read(file, {"STEP", kMaxMeshBytes, "export fewer parts, or with fewer details"});
  // A build without the reader does not live on what another one has left.
  const StepReader reader = stepReader();
  const auto product = at.find("product");
  const std::string which = product ? fmt::format("={}", product->text(kMaxTextBytes)) : "";
  const std::string key = cacheKey(bytes, which, reader.version);
  auto known = reader.program.empty() ? std::nullopt : readCache(reading.cacheFolder, key);
  cached = known.has_value();
  if (known) return std::move(*known);
  const StepModel& model = modelIn(bytes, file, reading);
  RecognisedPart part = recognised(productOf(model, at), model, file, reading);
  writeCache(reading.cacheFolder, key, part);
  return part;
}

}  // namespace tenon::content
