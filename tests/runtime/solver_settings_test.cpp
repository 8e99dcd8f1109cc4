// The accuracy of a session stays when another solver is selected and auto again.
#include "runtime/session/solver_settings.h"

#include <gtest/gtest.h>

#include "content/input/input_error.h"
#include "runtime/live_view/begin_live.h"
#include "runtime/live_view/recording_control.h"
#include "runtime/session/session_scene.h"

namespace tenon::tests::solver_settings_test {
namespace {

using physics::Accuracy;
using physics::SolverName;
using runtime::SolverSettings;

SolverSettings fast() {
  SolverSettings settings;
  settings.accuracy = "fast";
  return settings;
}

SolverSettings afterSelecting(SolverName solver, const SolverSettings& initial) {
  runtime::LiveStatus status;
  status.solver = solver;
  return runtime::solverNow(initial, status);
}

Accuracy accuracyOf(const SolverSettings& settings) {
  return runtime::solverOptions(settings, 0).accuracy;
}

TEST(SolverSettings, FastStaysWhenAnotherSolverIsSelected) {
  const SolverSettings sweeps = afterSelecting(SolverName::gaussSeidel, fast());
  EXPECT_EQ(sweeps.solver(), SolverName::gaussSeidel);
  EXPECT_EQ(accuracyOf(sweeps), Accuracy::fast);
  const SolverSettings again = afterSelecting(SolverName::automatic, sweeps);
  EXPECT_EQ(again.solver(), SolverName::automatic);
  EXPECT_EQ(accuracyOf(again), Accuracy::fast);
  EXPECT_EQ(accuracyOf(afterSelecting(SolverName::automatic, SolverSettings{})), Accuracy::exact);
}

TEST(SolverSettings, RecordOfAnotherSolverKeepsFast) {
  runtime::SessionHeader header;
  const SolverSettings sweeps = afterSelecting(SolverName::gaussSeidel, fast());
  header.solver = sweeps.name;
  header.solverOptions = sweeps.recordedOptions();
  header.rate = 1000;
  const physics::WorldOptions options = runtime::optionsOf(header);
  EXPECT_EQ(options.solver, SolverName::gaussSeidel);
  EXPECT_EQ(options.solverOptions.accuracy, Accuracy::fast);
}

TEST(SolverSettings, CommandLineRefusesFastWithASolverThatIgnoresIt) {
  SolverSettings settings = fast();
  settings.name = "lemke-fixpoint";
  EXPECT_THROW(accuracyOf(settings), content::InputError);
}

}  // namespace
}  // namespace tenon::tests::solver_settings_test
