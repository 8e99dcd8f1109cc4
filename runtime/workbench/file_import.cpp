// See file_import.h.
#include "runtime/workbench/file_import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

#include "content/edit/part_edits.h"
#include "content/input/file_source.h"
#include "content/input/printable.h"
#include "content/reader/load_scene.h"
#include "content/recognize/recognized_cache.h"
#include "content/step/read_step.h"
#include "content/step/scene_draft.h"
#include "runtime/session/background_thread.h"
#include "runtime/workbench/bench_reading.h"
#include "runtime/workbench/new_parts.h"
#include "runtime/workbench/workbench.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Vector3d;

/// Ends a reading that is not wanted any more.
struct Cancelled : std::exception {};

/// The parts of a STEP assembly; empty for a single part. `refused`: lines about those that cannot be used.
std::optional<content::StepModel> assemblyIn(const ImportRequest& request, const ImportProgress& progress,
                                             std::vector<std::string>& refused) {
  if (!content::isStepFile(request.file)) return std::nullopt;
  content::DiskFileSource files;
  const std::string bytes =
      files.read(request.file, {"STEP", content::kMaxMeshBytes, "export fewer parts, or with fewer details"});
  content::StepModel model = content::parseStep(bytes, request.file, progress);
  if (model.instances.size() < 2) return std::nullopt;
  refused = content::dropRefused(model, request.file);
  return model;
}

Eigen::AlignedBox3d boxOf(const content::StepModel& model, const content::StepInstance& instance) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& vertex : model.products[static_cast<std::size_t>(instance.product)].mesh.vertices)
    box.extend(instance.X_AP * vertex);
  return box;
}

/// The names of all parts of a scene.
std::vector<std::string> partNames(const content::Scene& scene) {
  std::vector<std::string> names;
  for (const content::Part& part : scene.parts) names.push_back(part.name);
  return names;
}

/// One entry for each instance, the assembly as a whole moved to a free place.
ImportedParts partsOf(const content::StepModel& model, const ImportRequest& request) {
  const content::Scene& scene = *request.scene;
  const Json shape = meshShape(request.file, request.sceneFile, request.unit);
  const content::SceneDraft draft = content::draftOf(model, shape["file"].get<std::string>());
  std::vector<Eigen::AlignedBox3d> boxes;
  Eigen::AlignedBox3d all;
  for (const content::StepInstance& instance : model.instances) {
    boxes.push_back(boxOf(model, instance));
    all.extend(boxes.back());
  }
  const auto largest = std::max_element(boxes.begin(), boxes.end(),
                                        [](const auto& a, const auto& b) { return a.volume() < b.volume(); });
  const Vector3d offset = freePlaceOf(scene, all);
  const double units = content::unitsPerMeter(scene.unit);
  std::vector<std::string> names = partNames(scene);
  ImportedParts parts;
  for (std::size_t k = 0; k < draft.parts.size(); ++k) {
    const content::DraftPart& part = draft.parts[k];
    const content::DraftMaterial& material = draft.materials[static_cast<std::size_t>(part.material)];
    const std::string steel = material.assumed ? "steel" : material.name;
    parts.materials.emplace_back(steel, material.density);
    names.push_back(content::freeName(shortName(part.name), names));
    Json entry = {{"name", names.back()}, {"material", steel}};
    if (isFirstPart(scene) && boxes[k].volume() == largest->volume() &&
        std::none_of(parts.entries.begin(), parts.entries.end(),
                     [](const Json& other) { return other.contains("motion"); }))
      entry["motion"] = "fixed";
    entry["shape"] = shape;
    entry["shape"]["product"] = part.product;
    if (part.color) {
      const auto byte = [&](std::size_t c) { return static_cast<int>(std::lround(255 * (*part.color)[c])); };
      entry["color"] = fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(1), byte(2));
    }
    entry["position"] = content::positionJson(part.X_WP.p + offset, units);
    if (!part.X_WP.q.isApprox(physics::Quaterniond::Identity(), 1e-12))
      entry["rotation"] = content::rotationJson(part.X_WP.q);
    parts.entries.push_back(std::move(entry));
  }
  return parts;
}

/// Appends the entries with the materials that the text lacks.
void append(content::JsonText& text, const ImportedParts& parts) {
  for (const auto& [name, density] : parts.materials) {
    bool exists = false;
    for (std::size_t k = 0; k < text.count("/materials"); ++k)
      exists = exists || text.value(fmt::format("/materials/{}/name", k)) == name;
    if (!exists) content::addMaterial(text, name, density);
  }
  for (const Json& entry : parts.entries) content::addPart(text, entry);
}

/// Reads the entries as a scene of their own: their errors, and the recognized parts in the user's cache.
void check(const ImportedParts& parts, const ImportRequest& request, const ImportProgress& progress) {
  content::JsonText text(emptyBench(), request.sceneFile);
  text.set("/unit", request.scene->unit);
  append(text, parts);
  content::MeshReadOptions meshes;
  meshes.cacheFolder = content::userCacheFolder();
  meshes.progress = progress;
  content::parseScene(text.text(), request.sceneFile, {}, meshes, content::SceneChecks::entries);
}

}  // namespace

ImportedParts readParts(const ImportRequest& request, const ImportProgress& progress) {
  try {
    std::vector<std::string> refused;
    if (const auto model = assemblyIn(request, progress, refused)) {
      ImportedParts parts = partsOf(*model, request);
      check(parts, request, progress);
      if (!refused.empty())
        parts.problem = fmt::format("{}: left out: {}", request.file, fmt::join(refused, ". "));
      return parts;
    }
    const std::string name = shortName(std::filesystem::path(request.file).stem().string());
    return {{newPart(*request.scene, name, "shape", meshShape(request.file, request.sceneFile, request.unit),
                     progress)}};
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {  // also of a missing STEP reader
    ImportedParts none;
    none.problem = error.what();
    return none;
  }
}

std::string FileImport::progress() const {
  if (!reading_) return "";
  const std::lock_guard lock(reading_->mutex);
  return reading_->text;
}

/// Parts that were added meanwhile may have taken the names.
void FileImport::add(const ImportedParts& read, Workbench& bench) {
  if (read.entries.empty()) return;
  ImportedParts parts = read;
  bench.waitForReader();
  std::vector<std::string> names = partNames(bench.newestScene());
  for (Json& entry : parts.entries) {
    entry["name"] = content::freeName(entry["name"], names);
    names.push_back(entry["name"]);
  }
  const std::string first = parts.entries.front()["name"];
  bench.addEntry(
      parts.entries.size() == 1 ? "add " + first : fmt::format("add {} parts", parts.entries.size()),
      [&](content::JsonText& text) { append(text, parts); });
  bench.selectNamed(first);
}

void FileImport::startNext(const Workbench& bench) {
  const Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  reading_ = std::make_unique<Reading>();
  reading_->text = std::filesystem::path(next.file).filename().string();
  ImportRequest request{next.file, bench.document().file(), next.unit,
                        std::make_shared<const content::Scene>(bench.newestScene())};
  reading_->result = std::async(std::launch::async, [own = reading_.get(), request = std::move(request)] {
    lowerPriority();
    return readParts(request, [own](const std::string& text) {
      if (own->cancelled) throw Cancelled();
      const std::lock_guard lock(own->mutex);
      own->text = content::printable(text);
    });
  });
}

std::string FileImport::update(Workbench& bench) {
  const auto isDone = [](const std::unique_ptr<Reading>& one) {
    return one->result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  std::erase_if(cancelled_, isDone);
  std::string problem;
  if (reading_ && isDone(reading_)) try {
      const ImportedParts parts = std::exchange(reading_, nullptr)->result.get();
      problem = parts.problem;
      add(parts, bench);
    } catch (const std::exception& error) {
      problem = error.what();
    }
  if (!reading_ && !waiting_.empty() && !bench.isReading()) startNext(bench);
  return problem;
}

void FileImport::cancel() {
  waiting_.clear();
  if (!reading_) return;
  reading_->cancelled = true;
  cancelled_.push_back(std::move(reading_));
}

}  // namespace tenon::runtime
