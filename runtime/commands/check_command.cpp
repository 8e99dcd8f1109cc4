// tenon check: validates a scene and lists its contents, without simulating it.
#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <array>
#include <memory>
#include <optional>

#include "content/parts/collision_obj.h"
#include "runtime/commands/check_each.h"
#include "runtime/commands/command.h"
#include "runtime/report/scene_survey.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/output_files.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

struct CheckOptions {
  SceneOptions scene;
  bool json = false;
  std::optional<std::string> collisionOut;
  bool force = false;  ///< overwrite an existing file
  CheckEachOptions each;
};

int checkScene(const CheckOptions& options);

int check(const CheckOptions& options) {
  if (options.each.folder.empty()) return checkScene(options);
  CheckEachOptions each = options.each;
  each.json = options.json;
  return checkEach(each);
}

int checkScene(const CheckOptions& options) {
  // parseScene() validates everything, including overlapping parts and contradicting joints.
  content::RecordingFileSource files(options.scene.file);
  const content::Scene scene = parseScene(options.scene, readSceneText(options.scene), files);
  InputFiles inputs;
  inputs.add(scene, files.drain());
  requireWritable(std::array{Output{"--collision-out", options.collisionOut, OutputKind::obj}}, inputs,
                  options.force);
  const SceneSurvey survey = surveyOf(scene);
  if (options.collisionOut) {
    AtomicFile(*options.collisionOut).commit(content::collisionObj(scene));
    printMessage("collision shapes written to " + *options.collisionOut);
  }
  printResult(options.json ? toJson(survey) : toText(survey));
  return kSuccess;
}

}  // namespace

void addCheckCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      program.add_subcommand("check",
                             "Validate a scene and list its parts, mesh features, joints and degrees of "
                             "freedom, surfaces, fits and parameters; or list what CAD files become");
  addSceneOptions(*command, options->scene);
  command->add_flag("--json", options->json, "Print one JSON object instead of tables");
  command
      ->add_option("--collision-out", options->collisionOut,
                   "Write the collision shapes at their initial poses as an OBJ file")
      ->type_name("FILE.obj");
  addForce(*command, options->force);
  CLI::Option* scene = command->get_option("SCENE")->required(false);
  CLI::Option* each =
      command
          ->add_option("--each", options->each.folder,
                       "List a CAD or mesh file, or every one of a folder: usable or refused, faces, holes, "
                       "deviation")
          ->type_name("FILE|DIR")
          ->excludes(scene);
  command->add_option("--unit", options->each.unit, "Unit of the files that define none, with --each")
      ->type_name("mm|cm|m|in")
      ->check(CLI::IsMember({"mm", "cm", "m", "in"}))
      ->capture_default_str()
      ->needs(each);
  command->add_option("--limit", options->each.seconds, "Time limit for one file [s], with --each")
      ->type_name("S")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str()
      ->needs(each);
  for (const char* name : {"--set", "--collision-out"}) command->get_option(name)->excludes(each);
  command->footer(
      "Examples:\n"
      "  tenon check content/scenes/bolt-in-plate.json\n"
      "  tenon check content/scenes/insertion-benchmark.json --set clearance_um=20 --json\n"
      "  tenon check content/scenes/bolt-in-plate.json --collision-out shapes.obj\n"
      "  tenon check --each housing.step\n"
      "  tenon check --each cad --unit in\n\n"
      "Warnings report problems of a valid scene: unlikely part sizes, pairs that do not fit, depths\n"
      "beyond a part's length, scripts that run past the end or grasp from too far away.\n\n"
      "Exit codes: 0 the scene is valid, with or without warnings; 2 it is invalid (the message gives the\n"
      "place and the remedy). With --each: 0 every part is usable; 2 one is not.");
  command->callback([options, scene, each, &exitCode] {
    if (scene->count() + each->count() == 0) throw CLI::RequiredError("SCENE");
    exitCode = check(*options);
  });
}

}  // namespace tenon::runtime
