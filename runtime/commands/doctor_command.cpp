// tenon doctor: checks this machine's devices and components, and suggests fixes.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "content/input/program_files.h"
#include "content/step/read_step.h"
#include "physics/collision/bullet/library_version.h"
#include "runtime/commands/command.h"
#include "runtime/commands/service_support.h"
#include "runtime/export/movie.h"
#include "runtime/export/printed_page.h"
#include "runtime/record/environment.h"
#include "runtime/report/text_table.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/terminal.h"
#include "xr/display/display_probe.h"
#include "xr/openxr/runtime_probe.h"
#include "xr/sound/speaker.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

/// The result of one check.
struct Finding {
  std::string name;
  bool available = false;
  std::string detail;  ///< name and version, or the problem
  std::string remedy;  ///< empty if available
};

std::vector<Finding> vulkanFindings() {
  const xr::VulkanProbe probe = xr::probeVulkan();
  std::vector<Finding> findings;
  findings.push_back(probe.loader ? Finding{"Vulkan loader", true, "libvulkan.so.1", ""}
                                  : Finding{"Vulkan loader", false, "libvulkan.so.1 is not installed",
                                            "sudo apt-get install libvulkan1"});
  for (const xr::VulkanDevice& device : probe.devices)
    findings.push_back(
        {"Vulkan device", true,
         fmt::format("{} ({}, Vulkan {}, {})", device.name, device.type, device.apiVersion, device.driver),
         ""});
  if (probe.devices.empty()) {
    // The probe's text has the form "problem; remedy".
    const auto end = probe.problem.find("; ");
    const bool split = end != std::string::npos;
    findings.push_back({"Vulkan device", false, probe.problem.substr(0, end),
                        split ? probe.problem.substr(end + 2) : "install your graphics card's driver"});
  }
  return findings;
}

Finding displayFinding() {
  const xr::DisplayProbe probe = xr::probeDisplay();
  return {"display", probe.available, probe.detail, probe.remedy};
}

std::vector<Finding> openXrFindings() {
  const xr::OpenXrProbe probe = xr::probeOpenXr();
  // The probe reports the first missing component; the later ones depend on it.
  std::string problem = probe.problem, remedy = probe.remedy;
  const auto finding = [&](std::string name, bool available, std::string detail) {
    if (available) return Finding{std::move(name), true, std::move(detail), ""};
    Finding missing{std::move(name), false, problem, remedy};
    problem = "requires the component above";
    remedy.clear();
    return missing;
  };
  return {finding("OpenXR loader", probe.loader, "libopenxr_loader.so.1"),
          finding("OpenXR runtime", probe.runtime, probe.runtimeName + " " + probe.version),
          finding("headset", probe.headset, "ready")};
}

/// What Bullet does here: physics/contact.md.
Finding bulletFinding() {
  return {
      "Bullet", true,
      physics::bulletVersion() +
          ": finds the pairs of bodies and dispatches each pair of shapes; the algorithms that find their "
          "contacts are Tenon's own, registered with it",
      ""};
}

/// An optional component of the build.
Finding stepFinding() {
  const content::StepReader reader = content::findStepReader();
  if (!reader.program.empty()) return {"STEP files", true, "OpenCASCADE " + reader.version, ""};
  return {"STEP files", false,
          reader.version.empty() ? "built without OpenCASCADE" : "its reader, tenon-step, was not found",
          reader.remedy};
}

Finding pythonFinding() {
#ifdef TENON_PYTHON_MODULE
  const std::string installed = "/dist-packages/" TENON_PYTHON_MODULE;
  for (const std::string& place : {std::string("python/" TENON_PYTHON_MODULE), "lib/python3" + installed,
                                   "lib/python" TENON_PYTHON_VERSION + installed})
    if (const auto file = content::findProgramFile(place); !file.empty())
      return {"Python module", true,
              fmt::format("import tenon, for Python " TENON_PYTHON_VERSION ", in {}",
                          file.parent_path().parent_path().string()),
              ""};
  return {"Python module", false, "it was not found beside this program",
          "build the target tenon_python, or install the program again"};
#else
  return {"Python module", false, "built without pybind11",
          "sudo apt-get install pybind11-dev python3-dev python3-numpy, then configure and build again"};
#endif
}

Finding serviceFinding() {
  const std::string version = grpcVersion();
  if (!version.empty()) return {"service", true, "tenon serve, with gRPC " + version, ""};
  return {"service", false, "built without gRPC",
          "sudo apt-get install libgrpc++-dev libprotobuf-dev protobuf-compiler-grpc libssl-dev "
          "libboost-dev prometheus-cpp-dev, then "
          "configure and "
          "build again"};
}

Finding soundFinding() {
  const xr::SoundProbe probe = xr::probeSound();
  return {"sound", probe.works, probe.detail, probe.remedy};
}

/// A program of another package that an optional format of `tenon export` needs.
Finding programFinding(const char* name, const std::optional<std::string>& program, const char* package) {
  if (program) return {name, true, *program, ""};
  return {name, false, fmt::format("{} was not found in PATH", package),
          fmt::format("sudo apt-get install {}", package)};
}

std::vector<Finding> findings() {
  std::vector<Finding> all{{"simulation", true, "headless runs and checks need no other component", ""}};
  all.push_back(bulletFinding());
  all.push_back(stepFinding());
  all.push_back(pythonFinding());
  all.push_back(serviceFinding());
  all.push_back(programFinding("movies", movieEncoder(), "ffmpeg"));
  all.push_back(programFinding("PDF reports", printerProgram(), "chromium"));
  for (Finding& finding : vulkanFindings()) all.push_back(std::move(finding));
  all.push_back(displayFinding());
  for (Finding& finding : openXrFindings()) all.push_back(std::move(finding));
  all.push_back(soundFinding());
  return all;
}

std::string doctorText(const Environment& environment, const std::vector<Finding>& all, bool color) {
  std::string text = fmt::format("tenon {} ({}, {})\n{}, {} threads, {}\n\n", environment.version,
                                 environment.compiler, environment.build,
                                 environment.processor.empty() ? "unknown processor" : environment.processor,
                                 environment.threads, environment.system);
  TextTable table({"component", "status", "detail"});
  for (const Finding& finding : all) {
    const std::string status = finding.available ? "ok" : "missing";
    table.add({finding.name, status,
               finding.remedy.empty() ? finding.detail : finding.detail + "; " + finding.remedy});
    if (color) table.paint(1, finding.available ? Color::green : Color::yellow);
  }
  return text + table.text(2);
}

std::string doctorJson(const Environment& environment, const std::vector<Finding>& all) {
  Json json = {{"version", environment.version},
               {"compiler", environment.compiler},
               {"build", environment.build},
               {"system", environment.system},
               {"processor", environment.processor},
               {"threads", environment.threads},
               {"checks", Json::array()}};
  for (const Finding& finding : all)
    json["checks"].push_back({{"name", finding.name},
                              {"status", finding.available ? "ok" : "missing"},
                              {"detail", finding.detail},
                              {"remedy", finding.remedy}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void addDoctorCommand(CLI::App& program, int& exitCode) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command =
      program.add_subcommand("doctor", "Check this machine's devices and components, and suggest fixes");
  command->add_flag("--json", *json, "Print one JSON object instead of lines");
  command->footer(
      "Examples:\n"
      "  tenon doctor\n"
      "  tenon doctor --json\n\n"
      "Exit code 0, also if a component is missing.");
  command->callback([json, &exitCode] {
    const Environment environment = thisEnvironment();
    const std::vector<Finding> all = findings();
    printResult(*json ? doctorJson(environment, all) : doctorText(environment, all, supportsColor(stdout)));
    exitCode = kSuccess;
  });
}

}  // namespace tenon::runtime
