// One walk over the model serves both ways: an archive either takes each value or gives it.
#include "content/step/step_model_bytes.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tenon::content {
namespace {

constexpr std::uint64_t kModel = 0x6d70657473ULL, kProblem = 0x6f6e70657473ULL;

class Writer {
 public:
  static constexpr bool kReads = false;
  void number(const double& value) { raw(&value, sizeof value); }
  void whole(const std::uint64_t& value) { raw(&value, sizeof value); }
  void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }

  std::string bytes;
};

struct Broken {};

void require(bool sound) {
  if (!sound) throw Broken{};
}

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  void number(double& value) {
    raw(&value, sizeof value);
    require(std::isfinite(value));
  }
  void whole(std::uint64_t& value) { raw(&value, sizeof value); }
  void raw(void* data, std::size_t size) {
    require(size <= rest_.size());
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

/// What came must hold together; what goes is looked at on the other side.
template <class Archive>
void expect(bool sound) {
  if (Archive::kReads) require(sound);
}

// What is walked over is const on the way out.

template <class Archive, class T>
void walkIndex(Archive& a, T& index) {
  auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(index));
  a.whole(value);
  if constexpr (Archive::kReads) {
    index = static_cast<std::remove_cvref_t<T>>(static_cast<std::int64_t>(value));
    expect<Archive>(static_cast<std::uint64_t>(static_cast<std::int64_t>(index)) == value);
  }
}

/// How many entries a list has; each takes at least one byte, so that no claim makes room for more than came.
template <class Archive, class List>
void walkSize(Archive& a, List& list) {
  std::uint64_t size = list.size();
  a.whole(size);
  if constexpr (Archive::kReads) {
    expect<Archive>(size <= a.left());
    list.resize(size);
  }
}

template <class Archive, class Text>
void walkText(Archive& a, Text& text) {
  walkSize(a, text);
  a.raw(text.data(), text.size());
}

template <class Archive, class Vector>
void walkVector(Archive& a, Vector& v) {
  for (int k = 0; k < 3; ++k) a.number(v[k]);
}

template <class Archive, class Color>
void walkColor(Archive& a, Color& color) {
  std::uint64_t there = color ? 1 : 0;
  a.whole(there);
  if constexpr (Archive::kReads) {
    if (there) color.emplace();
  }
  if (color)
    for (auto& c : *color) a.number(c);
}

template <class Archive, class Mesh>
void walkMesh(Archive& a, Mesh& mesh) {
  walkSize(a, mesh.vertices);
  for (auto& v : mesh.vertices) walkVector(a, v);
  walkSize(a, mesh.triangles);
  for (auto& t : mesh.triangles)
    for (auto& k : t) {
      walkIndex(a, k);
      expect<Archive>(k >= 0 && static_cast<std::size_t>(k) < mesh.vertices.size());
    }
}

template <class Archive, class Faces>
void walkFaces(Archive& a, Faces& faces) {
  walkSize(a, faces.surfaces);
  for (auto& s : faces.surfaces) {
    auto kind = static_cast<std::uint64_t>(s.kind);
    a.whole(kind);
    if constexpr (Archive::kReads) {
      expect<Archive>(kind <= static_cast<std::uint64_t>(CadSurface::Kind::other));
      s.kind = static_cast<CadSurface::Kind>(kind);
    }
    walkVector(a, s.origin);
    walkVector(a, s.axis);
    a.number(s.radius);
    a.number(s.slope);
    a.number(s.deviation);
    expect<Archive>(std::abs(s.axis.norm() - 1) < 1e-12);
  }
  walkSize(a, faces.surfaceOf);
  for (auto& k : faces.surfaceOf) {
    walkIndex(a, k);
    expect<Archive>(k >= 0 && static_cast<std::size_t>(k) < faces.surfaces.size());
  }
  walkVector(a, faces.low);
  walkVector(a, faces.high);
  a.number(faces.solid.mass);
  walkVector(a, faces.solid.center);
  for (int k = 0; k < 9; ++k) a.number(faces.solid.inertia(k / 3, k % 3));
}

template <class Archive, class Product>
void walkProduct(Archive& a, Product& p) {
  walkText(a, p.name);
  walkColor(a, p.color);
  walkText(a, p.material);
  a.number(p.density);
  walkMesh(a, p.mesh);
  walkFaces(a, p.faces);
  expect<Archive>(p.faces.surfaceOf.size() == p.mesh.triangles.size());
}

template <class Archive, class Model>
void walkModel(Archive& a, Model& model) {
  walkText(a, model.title);
  walkText(a, model.unit);
  walkSize(a, model.products);
  for (auto& p : model.products) walkProduct(a, p);
  walkSize(a, model.instances);
  for (auto& i : model.instances) {
    walkText(a, i.name);
    walkIndex(a, i.product);
    expect<Archive>(i.product >= 0 && static_cast<std::size_t>(i.product) < model.products.size());
    walkVector(a, i.X_AP.p);
    for (int k = 0; k < 4; ++k) a.number(i.X_AP.q.coeffs()[k]);
    expect<Archive>(std::abs(i.X_AP.q.norm() - 1) < 1e-12);
    walkColor(a, i.color);
  }
}

template <class Archive, class Problem>
void walkProblem(Archive& a, Problem& problem) {
  walkText(a, problem.place);
  walkText(a, problem.problem);
  walkText(a, problem.remedy);
}

}  // namespace

std::string serialize(const StepModel& model) {
  Writer writer;
  writer.whole(kModel);
  walkModel(writer, model);
  return std::move(writer.bytes);
}

std::string serialize(const StepProblem& problem) {
  Writer writer;
  writer.whole(kProblem);
  walkProblem(writer, problem);
  return std::move(writer.bytes);
}

std::optional<StepReaderOutput> parseStepReaderOutput(std::string_view bytes) {
  Reader reader(bytes);
  StepReaderOutput answer;
  try {
    std::uint64_t kind = 0;
    reader.whole(kind);
    if (kind == kModel) {
      walkModel(reader, answer.model.emplace());
    } else {
      require(kind == kProblem);
      walkProblem(reader, answer.problem);
    }
    require(reader.left() == 0);
  } catch (const Broken&) {
    return std::nullopt;
  }
  return answer;
}

}  // namespace tenon::content
