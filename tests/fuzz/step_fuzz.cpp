// Fuzzes the output of the STEP reader, which is as untrusted as the file: a valid output with some changed
// bytes, or any bytes, becomes parts and a scene or is rejected. OpenCASCADE parses the file itself in a
// separate process; tests/content/step_test.cpp changes files.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>

#include "content/recognize/recognized_part.h"
#include "content/step/scene_draft.h"
#include "content/step/step_model_bytes.h"

namespace {

using namespace tenon::content;
using tenon::physics::Vector3d;

constexpr int kSides = 16;
constexpr double kRadius = 4e-3, kHeight = 20e-3;
constexpr std::size_t kMostChanges = 64;

/// A pin and the surfaces of its three faces: below, above, around.
StepProduct pin() {
  StepProduct product;
  product.name = "pin";
  TriangleMesh& mesh = product.mesh;
  std::vector<int>& surfaceOf = product.faces.surfaceOf;
  for (int k = 0; k < kSides; ++k)
    for (const double z : {0.0, kHeight}) {
      const double angle = 2 * std::numbers::pi * k / kSides;
      mesh.vertices.emplace_back(kRadius * std::cos(angle), kRadius * std::sin(angle), z);
    }
  mesh.vertices.insert(mesh.vertices.end(), {Vector3d::Zero(), Vector3d(0, 0, kHeight)});
  const int below = 2 * kSides, above = below + 1;
  for (int k = 0; k < kSides; ++k) {
    const int a = 2 * k, b = 2 * ((k + 1) % kSides);
    mesh.triangles.insert(mesh.triangles.end(),
                          {{below, b, a}, {above, a + 1, b + 1}, {a, b, b + 1}, {a, b + 1, a + 1}});
    surfaceOf.insert(surfaceOf.end(), {0, 1, 2, 2});
  }
  CadSurface face;
  face.kind = CadSurface::Kind::plane;
  product.faces.surfaces = {face, face, face};
  product.faces.surfaces[1].origin.z() = kHeight;
  product.faces.surfaces[2].kind = CadSurface::Kind::cylinder;
  product.faces.surfaces[2].radius = kRadius;
  product.faces.solid.mass = std::numbers::pi * kRadius * kRadius * kHeight;
  product.faces.low = Vector3d(-kRadius, -kRadius, 0);
  product.faces.high = Vector3d(kRadius, kRadius, kHeight);
  return product;
}

std::string soundAnswer() {
  StepModel model;
  model.title = "two pins";
  model.unit = "mm";
  model.products = {pin()};
  model.instances.resize(2);
  for (StepInstance& instance : model.instances) {
    instance.name = "pin";
    instance.product = 0;
  }
  model.instances[1].X_AP.p.x() = 0.02;
  return serialize(model);
}

/// True if a shape was recognized.
bool becomesPart(const StepProduct& product) {
  const RepairedMesh fixed = repairMesh(product.mesh);
  if (fixed.mesh.triangles.empty()) return false;
  try {
    const RecognizedPart part = recognize(fixed, BoreRule::vertices, &product.faces);
    if (!std::isfinite(part.shapeVolume)) std::abort();
    return true;
  } catch (const RecognitionError&) {
    return false;
  }
}

}  // namespace

/// If the first byte is odd, every four bytes after it change one byte of a valid output: three are the
/// position, one is the value. Otherwise the bytes are the output.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string sound = soundAnswer();
  if (size == 0) return 0;
  const std::uint8_t* const rest = data + 1;
  std::string bytes(reinterpret_cast<const char*>(rest), size - 1);
  std::size_t changes = 0;
  if (data[0] % 2 == 1) {
    bytes = sound;
    changes = std::min((size - 1) / 4, kMostChanges);
    for (std::size_t k = 0; k < changes; ++k) {
      const std::uint8_t* at = rest + 4 * k;
      const std::size_t place = at[0] | std::size_t{at[1]} << 8 | std::size_t{at[2]} << 16;
      bytes[place % bytes.size()] ^= static_cast<char>(at[3]);
    }
  }
  const auto answer = parseStepReaderOutput(bytes);
  if (!answer || !answer->model) {
    if (bytes == sound) std::abort();
    return 0;
  }
  bool all = true;
  for (const StepProduct& product : answer->model->products) all = becomesPart(product) && all;
  if (bytes == sound && !all) std::abort();
  toSceneJson(draftOf(*answer->model, "pins.step"));
  return 0;
}
