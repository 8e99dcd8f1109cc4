// See part_file.h.
#include "content/reader/part_file.h"

#include <chrono>
#include <functional>

#include "content/input/file_source.h"
#include "content/input/input_error.h"
#include "content/mesh/load_mesh.h"
#include "content/reader/mesh_cache.h"
#include "content/reader/step_part.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

using Clock = std::chrono::steady_clock;

/// The text of an error without the file's name.
std::string problemIn(const std::string& file, const InputError& error) {
  const std::string text = error.what(), prefix = file + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

FilePart partOf(const std::string& file, const std::string& product,
                const std::function<std::shared_ptr<const MeshShape>()>& read) {
  FilePart part;
  part.product = product;
  const auto start = Clock::now();
  try {
    part.shape = read();
  } catch (const InputError& error) {
    part.problem = problemIn(file, error);
  }
  part.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return part;
}

std::vector<FilePart> partsOfStep(const std::string& file, const PartFileOptions& options,
                                  ReadContext& context) {
  const auto start = Clock::now();
  std::vector<std::string> products;
  try {
    products = productsOf(file, context);
  } catch (const InputError& error) {
    FilePart none;
    none.problem = problemIn(file, error);
    none.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    options.onPart(none);
    return {std::move(none)};
  }
  options.onNames(products);
  std::vector<FilePart> parts;
  const double reading = std::chrono::duration<double>(Clock::now() - start).count();
  for (const std::string& product : products) {
    parts.push_back(partOf(file, product, [&] { return readStepFile(file, product, context); }));
    if (parts.size() == 1) parts.front().seconds += reading;
    options.onPart(parts.back());
  }
  return parts;
}

}  // namespace

bool isPartFile(const std::string& file) {
  return isStepFile(file) || meshFormatOf(file).has_value();
}

std::vector<FilePart> readPartFile(const std::string& file, const PartFileOptions& options) {
  DiskFileSource files;
  ReadContext context;
  context.file = file;
  context.files = &files;
  context.cacheFolder = options.cacheFolder;
  context.progress = options.progress;
  if (isStepFile(file)) {
    meshCacheOf(context).stepLimits.seconds = options.seconds;
    return partsOfStep(file, options, context);
  }
  FilePart part = partOf(file, "", [&] { return readMeshFile(file, options.unit, context); });
  options.onPart(part);
  return {std::move(part)};
}

}  // namespace tenon::content
