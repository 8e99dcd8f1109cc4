// One set of functions reads and writes: an archive either stores or loads each value.
#include "content/step/step_model_bytes.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace tenon::content {
namespace {

constexpr std::uint64_t kModel = 0x6d70657473ULL, kProblem = 0x6f6e70657473ULL;

class ModelWriter {
 public:
  static constexpr bool kReads = false;
  void number(const double& value) { raw(&value, sizeof value); }
  void integer(const std::uint64_t& value) { raw(&value, sizeof value); }
  void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }

  std::string bytes;
};

struct Broken {};

void requireConsistent(bool isConsistent) {
  if (!isConsistent) throw Broken{};
}

class ModelReader {
 public:
  static constexpr bool kReads = true;
  explicit ModelReader(std::string_view bytes) : rest_(bytes) {}
  void number(double& value) {
    raw(&value, sizeof value);
    requireConsistent(std::isfinite(value));
  }
  void integer(std::uint64_t& value) { raw(&value, sizeof value); }
  void raw(void* data, std::size_t size) {
    requireConsistent(size <= rest_.size());
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::size_t remaining() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

/// Checks data only when reading.
template <class Archive>
void expect(bool isConsistent) {
  if (Archive::kReads) requireConsistent(isConsistent);
}

// The archived objects are const when writing.

template <class Archive, class T>
void archiveIndex(Archive& a, T& index) {
  auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(index));
  a.integer(value);
  if constexpr (Archive::kReads) {
    index = static_cast<std::remove_cvref_t<T>>(static_cast<std::int64_t>(value));
    expect<Archive>(static_cast<std::uint64_t>(static_cast<std::int64_t>(index)) == value);
  }
}

/// The size of a list. Each entry has at least one byte, so no size allocates more memory than the input has.
template <class Archive, class List>
void archiveSize(Archive& a, List& list) {
  std::uint64_t size = list.size();
  a.integer(size);
  if constexpr (Archive::kReads) {
    expect<Archive>(size <= a.remaining());
    list.resize(size);
  }
}

template <class Archive, class Text>
void archiveText(Archive& a, Text& text) {
  archiveSize(a, text);
  a.raw(text.data(), text.size());
}

template <class Archive, class Vector>
void archiveVector(Archive& a, Vector& v) {
  for (int k = 0; k < 3; ++k) a.number(v[k]);
}

template <class Archive, class Color>
void archiveColor(Archive& a, Color& color) {
  std::uint64_t exists = color ? 1 : 0;
  a.integer(exists);
  if constexpr (Archive::kReads) {
    if (exists) color.emplace();
  }
  if (color)
    for (auto& c : *color) a.number(c);
}

template <class Archive, class Mesh>
void archiveMesh(Archive& a, Mesh& mesh) {
  archiveSize(a, mesh.vertices);
  for (auto& v : mesh.vertices) archiveVector(a, v);
  archiveSize(a, mesh.triangles);
  for (auto& t : mesh.triangles)
    for (auto& k : t) {
      archiveIndex(a, k);
      expect<Archive>(k >= 0 && static_cast<std::size_t>(k) < mesh.vertices.size());
    }
}

template <class Archive, class Patch>
void archivePatch(Archive& a, Patch& patch) {
  for (auto& n : patch.degree) archiveIndex(a, n);
  for (auto& x : patch.low) a.number(x);
  for (auto& x : patch.high) a.number(x);
  archiveSize(a, patch.points);
  for (auto& q : patch.points)
    for (int k = 0; k < 4; ++k) a.number(q[k]);
}

void archiveFreeform(ModelWriter& a, const std::shared_ptr<const physics::brep::FreeformSurface>& form) {
  a.integer(form ? form->given().size() : 0);
  if (!form) return;
  a.integer(form->isPeriodic() ? 1 : 0);
  for (const physics::brep::BezierPatch& patch : form->given()) archivePatch(a, patch);
}

void archiveFreeform(ModelReader& a, std::shared_ptr<const physics::brep::FreeformSurface>& form) {
  std::uint64_t count = 0, isPeriodic = 0;
  a.integer(count);
  if (count == 0) return;
  a.integer(isPeriodic);
  requireConsistent(count <= a.remaining() && isPeriodic <= 1);
  std::vector<physics::brep::BezierPatch> patches(count);
  for (physics::brep::BezierPatch& patch : patches) archivePatch(a, patch);
  try {
    form = std::make_shared<const physics::brep::FreeformSurface>(std::move(patches), isPeriodic == 1);
  } catch (const std::invalid_argument&) {
    requireConsistent(false);
  }
}

template <class Archive, class Faces>
void archiveFaces(Archive& a, Faces& faces) {
  archiveSize(a, faces.surfaces);
  for (auto& s : faces.surfaces) {
    auto kind = static_cast<std::uint64_t>(s.kind);
    a.integer(kind);
    if constexpr (Archive::kReads) {
      expect<Archive>(kind <= static_cast<std::uint64_t>(CadSurface::Kind::other));
      s.kind = static_cast<CadSurface::Kind>(kind);
    }
    archiveVector(a, s.origin);
    archiveVector(a, s.axis);
    a.number(s.radius);
    a.number(s.slope);
    a.number(s.deviation);
    a.number(s.minor);
    archiveFreeform(a, s.freeform);
    expect<Archive>(s.kind != CadSurface::Kind::freeform || s.freeform != nullptr);
    expect<Archive>(std::abs(s.axis.norm() - 1) < 1e-12);
  }
  archiveSize(a, faces.surfaceOf);
  for (auto& k : faces.surfaceOf) {
    archiveIndex(a, k);
    expect<Archive>(k >= 0 && static_cast<std::size_t>(k) < faces.surfaces.size());
  }
  archiveSize(a, faces.points);
  for (auto& point : faces.points) {
    archiveVector(a, point.p);
    archiveIndex(a, point.triangle);
    expect<Archive>(point.triangle >= 0 && static_cast<std::size_t>(point.triangle) < faces.surfaceOf.size());
  }
  archiveVector(a, faces.low);
  archiveVector(a, faces.high);
  a.number(faces.solid.mass);
  archiveVector(a, faces.solid.center);
  for (int k = 0; k < 9; ++k) a.number(faces.solid.inertia(k / 3, k % 3));
}

template <class Archive, class Problem>
void archiveProblem(Archive& a, Problem& problem) {
  archiveText(a, problem.place);
  archiveText(a, problem.problem);
  archiveText(a, problem.remedy);
}

template <class Archive, class Product>
void archiveProduct(Archive& a, Product& p) {
  archiveText(a, p.name);
  archiveColor(a, p.color);
  archiveText(a, p.material);
  a.number(p.density);
  archiveMesh(a, p.mesh);
  archiveFaces(a, p.faces);
  expect<Archive>(p.faces.surfaceOf.size() == p.mesh.triangles.size());
  archiveSize(a, p.emptyFaces);
  for (auto& middle : p.emptyFaces) archiveVector(a, middle);
  std::uint64_t hasFaces = p.hasFaces ? 1 : 0, isRefused = p.problem ? 1 : 0;
  a.integer(hasFaces);
  a.integer(isRefused);
  expect<Archive>(hasFaces <= 1 && isRefused <= 1 && (hasFaces == 1 || isRefused == 1));
  if constexpr (Archive::kReads) {
    p.hasFaces = hasFaces == 1;
    if (isRefused == 1) p.problem.emplace();
  }
  if (p.problem) archiveProblem(a, *p.problem);
  expect<Archive>(!p.problem || p.mesh.triangles.empty());
}

template <class Archive, class Model>
void archiveTitle(Archive& a, Model& model) {
  archiveText(a, model.title);
  archiveText(a, model.unit);
  archiveSize(a, model.products);
}

template <class Archive, class Model>
void archiveInstances(Archive& a, Model& model) {
  archiveSize(a, model.instances);
  for (auto& i : model.instances) {
    archiveText(a, i.name);
    archiveIndex(a, i.product);
    expect<Archive>(i.product >= 0 && static_cast<std::size_t>(i.product) < model.products.size());
    archiveVector(a, i.X_AP.p);
    for (int k = 0; k < 4; ++k) a.number(i.X_AP.q.coeffs()[k]);
    expect<Archive>(std::abs(i.X_AP.q.norm() - 1) < 1e-12);
    archiveColor(a, i.color);
  }
}

}  // namespace

std::string serialize(const StepModel& model) {
  std::vector<std::string> products;
  for (const StepProduct& product : model.products) products.push_back(serialize(product));
  return serialize(model, products);
}

std::string serialize(const StepProduct& product) {
  ModelWriter writer;
  archiveProduct(writer, product);
  return std::move(writer.bytes);
}

std::string serialize(const StepModel& model, const std::vector<std::string>& products) {
  ModelWriter writer;
  writer.integer(kModel);
  archiveTitle(writer, model);
  for (const std::string& product : products) writer.raw(product.data(), product.size());
  archiveInstances(writer, model);
  return std::move(writer.bytes);
}

std::string serialize(const StepProblem& problem) {
  ModelWriter writer;
  writer.integer(kProblem);
  archiveProblem(writer, problem);
  return std::move(writer.bytes);
}

std::optional<StepReaderOutput> parseStepReaderOutput(std::string_view bytes) {
  ModelReader reader(bytes);
  StepReaderOutput output;
  try {
    std::uint64_t kind = 0;
    reader.integer(kind);
    if (kind == kModel) {
      StepModel& model = output.model.emplace();
      archiveTitle(reader, model);
      for (StepProduct& product : model.products) archiveProduct(reader, product);
      archiveInstances(reader, model);
    } else {
      requireConsistent(kind == kProblem);
      archiveProblem(reader, output.problem);
    }
    requireConsistent(reader.remaining() == 0);
  } catch (const Broken&) {
    return std::nullopt;
  }
  return output;
}

}  // namespace tenon::content
