// Rebuilds scene and world options from a session header.
#include "runtime/session/session_scene.h"

#include <algorithm>

#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"

namespace tenon::runtime {

content::Scene sceneOf(const SessionHeader& header) {
  content::StoredFileSource files(header.sceneFile, header.meshFiles);
  return parseSceneWithProgress(header.sceneText, header.sceneFile, header.parameters, files);
}

physics::WorldOptions optionsOf(const SessionHeader& header) {
  SolverSettings solver;
  solver.name = header.solver;
  solver.options = header.solverOptions;
  solver.changeable = true;
  if (!physics::solverFromText(solver.name))
    throw content::InputError(header.sceneFile, "session.solver", "is not a solver: " + solver.name,
                              "use an undamaged copy of the session");
  physics::WorldOptions options;
  options.dt = 1 / header.rate;
  options.solver = solver.solver();
  options.solverOptions = solverOptions(solver, header.seed);
  options.threads = std::clamp(header.threads, 1, 64);
  return options;
}

std::string verificationObstacle(const SessionHeader& header) {
  for (const std::string& option : header.solverOptions)
    if (option.starts_with("time-us="))
      return "the solver option " + option + " makes the results depend on the machine";
  return differenceOf(header.program, thisProgram());
}

}  // namespace tenon::runtime
