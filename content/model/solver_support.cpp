// See solver_support.h.
#include "content/model/solver_support.h"

#include <fmt/format.h>

#include "content/input/input_error.h"

namespace tenon::content {

void requireSolverSupports(physics::SolverName solver, const Scene& scene) {
  if (solver != physics::SolverName::baraff) return;
  for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
    if (!(scene.pairs[k].friction > 0)) continue;
    throw InputError(
        scene.file, fmt::format("/material_pairs/{}/friction", k),
        fmt::format("is {:g}, and the solver baraff does not support friction", scene.pairs[k].friction),
        "choose another solver, or set it to 0 (with --set if it is a parameter)");
  }
}

}  // namespace tenon::content
