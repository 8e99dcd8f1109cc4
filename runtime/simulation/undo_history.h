// States of a live session to which undo, redo and reset return.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "runtime/assess/goal_watch.h"
#include "runtime/simulation/simulation.h"

namespace tenon::runtime {

/// A state to return to, bit for bit.
struct Checkpoint {
  std::string text;       ///< of the change that followed it: "reset", "bolt by right"
  std::int64_t tick = 0;  ///< number of the step that produced it
  Simulation::State simulation;
  std::vector<GoalWatch> watches;
  physics::Dynamics dynamics{};  ///< of the next step, also where the change is still queued
  bool scripted = false;         ///< only the scene's scripts led there, so that they can continue from there
};

/// A placement is open from the first grasp until no hand holds a part, and then one entry of the undo list.
class UndoHistory {
 public:
  static constexpr std::size_t kMaxPlacements = 100;

  /// Discards everything and sets the state before the first step.
  void begin(Checkpoint start);
  /// After begin().
  const Checkpoint& start() const { return *start_; }

  /// Begins a placement; there is nothing to redo afterwards.
  void open(Checkpoint before);
  bool isOpen() const { return open_.has_value(); }
  /// Ends the placement, which can then be undone.
  void close();
  /// Drops the placement without an entry.
  void discardOpen() { open_.reset(); }

  /// Adds the state before a change other than a placement; there is nothing to redo afterwards.
  void add(Checkpoint before);
  /// The state before the open placement, else before the last change; empty if there is none. The caller
  /// pushes the present state to the redo list.
  std::optional<Checkpoint> popUndo();
  std::optional<Checkpoint> popRedo();
  void pushUndo(Checkpoint state) { push(undo_, std::move(state)); }
  void pushRedo(Checkpoint state) { push(redo_, std::move(state)); }

  int undoable() const { return static_cast<int>(undo_.size()) + (open_ ? 1 : 0); }
  int redoable() const { return static_cast<int>(redo_.size()); }
  /// Text of the next undo, redo; empty if there is none.
  std::string undoText() const {
    return open_ ? open_->text : undo_.empty() ? std::string() : undo_.back().text;
  }
  std::string redoText() const { return redo_.empty() ? std::string() : redo_.back().text; }

 private:
  static void push(std::deque<Checkpoint>& list, Checkpoint state);

  std::optional<Checkpoint> start_, open_;  ///< before the first step; before the current placement
  std::deque<Checkpoint> undo_, redo_;      ///< the latest last
};

}  // namespace tenon::runtime
