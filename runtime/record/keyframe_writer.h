// Writes the rows of keyframes: what did not change since the last one is not written again.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/record/contact_frame.h"
#include "runtime/record/insert_row.h"
#include "runtime/record/step_record.h"

namespace tenon::runtime {

class KeyframeWriter {
 public:
  /// `statements` must outlive it.
  explicit KeyframeWriter(InsertStatements& statements) : statements_(statements) {}

  /// Writes keyframe number `keyframe`, of tick `tick`.
  void write(std::int64_t tick, std::int64_t keyframe, const StepRecord& record);

 private:
  void writeBodies(std::int64_t tick, bool whole, const std::vector<physics::BodyState>& bodies);
  void writeHands(std::int64_t tick, bool whole, const std::vector<physics::HandState>& hands);
  void writeJoints(std::int64_t tick, bool whole, const std::vector<physics::JointState>& joints);
  void writeGoals(std::int64_t tick, bool whole, const std::vector<GoalState>& goals);

  InsertStatements& statements_;
  // --- as last written
  std::vector<physics::BodyState> bodies_;
  std::vector<physics::HandState> hands_;
  std::vector<physics::JointState> joints_;
  std::vector<GoalState> goals_;
  ContactRows contacts_;
};

}  // namespace tenon::runtime
