// tenon._tenon.Study and StudyResults: a plan with its scene, and the results file of its cases.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "content/input/input_error.h"
#include "content/reader/load_scene.h"
#include "runtime/python/bindings.h"
#include "runtime/python/interrupt_check.h"
#include "runtime/record/program_identity.h"
#include "runtime/session/run_scene.h"
#include "runtime/study/study.h"
#include "runtime/study/study_tables.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

using runtime::CaseResult;
using runtime::ResultsFile;
using runtime::StudyPlan;
using runtime::StudyScene;

/// A plan with the text and files of its scene: all that another process needs to run its cases.
class StudyHandle {
 public:
  StudyHandle(StudyPlan plan, runtime::LoadedScene loaded)
      : loaded_(std::move(loaded)), scene_(std::move(plan), loaded_) {}

  const StudyPlan& plan() const { return scene_.plan(); }
  const StudyScene& scene() const { return scene_; }
  const runtime::LoadedScene& loaded() const { return loaded_; }

 private:
  runtime::LoadedScene loaded_;
  StudyScene scene_;
};

std::unique_ptr<StudyHandle> loaded(const std::string& text, const std::string& name) {
  const py::gil_scoped_release unlocked;
  StudyPlan plan = runtime::parsePlan(text, name);
  runtime::LoadedScene scene = runtime::loadScene(plan.scene, content::ParameterValues{});
  return std::make_unique<StudyHandle>(std::move(plan), std::move(scene));
}

/// What must be the same where cases of one study are computed.
using Identity = std::array<std::string, 3>;

Identity identityOf(const runtime::ProgramIdentity& program) {
  return {program.version, program.sources, program.arithmetic};
}

/// From what content() of another process returned; no file is read.
std::unique_ptr<StudyHandle> restored(const std::string& text, const std::string& name,
                                      const std::string& sceneText,
                                      const std::map<std::string, py::bytes>& files,
                                      const Identity& identity) {
  const runtime::ProgramIdentity here = runtime::thisProgram();
  runtime::ProgramIdentity there = here;
  std::tie(there.version, there.sources, there.arithmetic) = std::tie(identity[0], identity[1], identity[2]);
  if (const std::string difference = runtime::differenceOf(there, here); !difference.empty())
    throw content::InputError("client", "", "has a worker with another tenon (" + difference + ")",
                              "install the same one on all workers");
  StudyPlan plan = runtime::parsePlan(text, name);
  runtime::LoadedScene scene;
  scene.text = sceneText;
  for (const auto& [path, bytes] : files) scene.meshFiles[path] = bytes;
  const py::gil_scoped_release unlocked;
  content::StoredFileSource source(plan.scene, scene.meshFiles);
  content::MeshReadOptions options;
  options.files = &source;
  scene.scene =
      std::make_shared<const content::Scene>(content::parseScene(scene.text, plan.scene, {}, options));
  return std::make_unique<StudyHandle>(std::move(plan), std::move(scene));
}

py::tuple contentOf(const StudyHandle& study) {
  py::dict files;
  for (const auto& [path, bytes] : study.loaded().meshFiles) files[py::str(path)] = py::bytes(bytes);
  return py::make_tuple(study.plan().text, study.plan().file, study.loaded().text, files,
                        identityOf(runtime::thisProgram()));
}

py::dict dictOf(const runtime::StudyProgress& now) {
  py::dict all;
  all["cases"] = now.total;
  all["done"] = now.done;
  all["successes"] = now.successes;
  all["yield"] = now.yield.yield;
  all["yield_interval"] = py::make_tuple(now.yield.low, now.yield.high);
  all["rate"] = now.rate;
  all["time_left"] = now.timeLeft;
  return all;
}

void runCases(const StudyHandle& study, const std::string& file, int threads,
              const std::pair<int, int>& shard, const std::optional<py::function>& progress) {
  runtime::StudyOptions options;
  options.threads = threads;
  options.shard = {shard.first, shard.second};
  InterruptCheck interrupt;
  std::optional<py::error_already_set> raised;  // by `progress`
  options.stopRequested = [&] { return raised || interrupt.requested(); };
  {
    const py::gil_scoped_release unlocked;
    runtime::runStudy(study.scene(), file, options, [&](const runtime::StudyProgress& now) {
      if (!progress || raised) return;
      const py::gil_scoped_acquire locked;
      try {
        (*progress)(dictOf(now));
      } catch (py::error_already_set& error) {
        raised = std::move(error);
      }
    });
  }
  interrupt.rethrow();
  if (raised) throw *raised;  // NOLINT(*-err09-cpp,*-err61-cpp,misc-throw-by-*)
}

/// Throws content::InputError unless `file` has results of this plan, scene and shard.
void requireSame(const StudyHandle& study, const std::string& file, const std::pair<int, int>& shard) {
  const py::gil_scoped_release unlocked;
  ResultsFile(file, study.scene(), {shard.first, shard.second});
}

py::dict merge(const std::vector<std::string>& files, const std::string& out) {
  runtime::MergeOutcome merged;
  {
    const py::gil_scoped_release unlocked;
    merged = runtime::mergeStudies(files, out);
  }
  py::dict all;
  all["cases"] = merged.cases;
  all["total"] = merged.total;
  all["missing"] = merged.missing;
  return all;
}

/// Columns by name, in the order of the report's CSV; outputs as JSON texts.
py::list tableOf(const ResultsFile& results) {
  const StudyPlan& plan = results.plan();
  std::vector<std::int64_t> numbers;
  std::vector<std::vector<double>> values(plan.variables.size()), figures(5);
  std::vector<bool> successes;
  std::vector<std::string> verdicts, causes;
  std::vector<std::vector<std::string>> outputs(plan.outputs.size());
  {
    const py::gil_scoped_release unlocked;
    results.forEach([&](const CaseResult& result) {
      numbers.push_back(result.number);
      for (std::size_t k = 0; k < values.size(); ++k) values[k].push_back(result.values[k]);
      successes.push_back(result.success);
      verdicts.push_back(result.verdict);
      causes.push_back(result.cause);
      const double all[] = {result.peakPush, result.depth, result.tilt, result.time, result.clearance};
      for (std::size_t k = 0; k < figures.size(); ++k) figures[k].push_back(all[k]);
      for (std::size_t k = 0; k < outputs.size(); ++k) outputs[k].push_back(result.outputs[k]);
    });
  }
  py::list columns;
  const auto add = [&](const std::string& name, const py::object& column) {
    columns.append(py::make_tuple(name, column));
  };
  add("case", py::array_t<std::int64_t>(static_cast<py::ssize_t>(numbers.size()), numbers.data()));
  const auto addNumbers = [&](const std::string& name, const std::vector<double>& column) {
    add(name, py::array_t<double>(static_cast<py::ssize_t>(column.size()), column.data()));
  };
  for (std::size_t k = 0; k < values.size(); ++k) addNumbers(plan.variables[k].name, values[k]);
  add("success", py::cast(successes));
  add("verdict", py::cast(verdicts));
  add("cause", py::cast(causes));
  const char* const names[] = {"peak_push_n", "depth_m", "tilt_rad", "time_s", "clearance_m"};
  for (std::size_t k = 0; k < figures.size(); ++k) addNumbers(names[k], figures[k]);
  for (std::size_t k = 0; k < outputs.size(); ++k) add(plan.outputs[k].name, py::cast(outputs[k]));
  return columns;
}

py::bytes reportOf(const ResultsFile& results, const std::string& format) {
  std::string bytes;
  {
    const py::gil_scoped_release unlocked;
    runtime::writeStudyReport(results, format, [&](const std::string& part) { bytes += part; });
  }
  return bytes;
}

py::dict summaryOf(const ResultsFile& results) {
  runtime::StudySummary summary;
  {
    const py::gil_scoped_release unlocked;
    summary = runtime::studySummary(results);
  }
  py::dict all;
  all["cases"] = summary.cases;
  all["successes"] = summary.successes;
  all["yield"] = summary.yield.yield;
  all["yield_interval"] = py::make_tuple(summary.yield.low, summary.yield.high);
  all["verdicts"] = summary.verdicts;
  all["causes"] = summary.causes;
  return all;
}

}  // namespace

void bindStudy(py::module_& module) {
  py::class_<StudyHandle>(module, "Study")
      .def_static("load", &loaded, py::arg("text"), py::arg("name"))
      .def_static("restore", &restored, py::arg("text"), py::arg("name"), py::arg("scene_text"),
                  py::arg("files"), py::arg("identity"))
      .def_property_readonly("count", [](const StudyHandle& study) { return study.plan().count; })
      .def("content", &contentOf)
      .def("require_same", &requireSame, py::arg("file"), py::arg("shard"))
      .def("run", &runCases, py::arg("file"), py::arg("threads"), py::arg("shard"), py::arg("progress"));
  py::class_<ResultsFile>(module, "StudyResults")
      .def(py::init<const std::string&>(), py::arg("file"))
      .def_property_readonly("file", &ResultsFile::file)
      .def_property_readonly("plan", [](const ResultsFile& results) { return results.plan().text; })
      .def_property_readonly("count", [](const ResultsFile& results) { return results.plan().count; })
      .def("table", &tableOf)
      .def("report", &reportOf, py::arg("format"))
      .def("summary", &summaryOf);
  module.def("merge_studies", &merge, py::arg("files"), py::arg("out"));
}

}  // namespace tenon::python
