// States of a live session to which undo, redo and reset return.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace tenon::runtime {

/// A placement is open from the first grasp until no hand holds a part, and then one entry of the undo list.
/// `Checkpoint`: a state to return to, bit for bit, with a member `text` that names the change that followed
/// it.
template <class Checkpoint>
class UndoHistory {
 public:
  static constexpr std::size_t kMaxPlacements = 100;

  /// Discards everything and sets the state before the first step.
  void begin(Checkpoint start) {
    start_ = std::move(start);
    open_.reset();
    undo_.clear();
    redo_.clear();
  }
  /// After begin().
  const Checkpoint& start() const { return *start_; }

  /// Begins a placement; there is nothing to redo afterwards.
  void open(Checkpoint before) {
    open_ = std::move(before);
    redo_.clear();
  }
  bool isOpen() const { return open_.has_value(); }
  /// Ends the placement, which can then be undone.
  void close() {
    pushUndo(std::move(*open_));
    open_.reset();
  }
  /// Drops the placement without an entry.
  void discardOpen() { open_.reset(); }

  /// Adds the state before a change other than a placement; there is nothing to redo afterwards.
  void add(Checkpoint before) {
    pushUndo(std::move(before));
    redo_.clear();
  }
  /// The state before the open placement, else before the last change; empty if there is none. The caller
  /// pushes the present state to the redo list.
  std::optional<Checkpoint> popUndo() { return open_ ? std::exchange(open_, std::nullopt) : popLast(undo_); }
  std::optional<Checkpoint> popRedo() { return popLast(redo_); }
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
  static std::optional<Checkpoint> popLast(std::deque<Checkpoint>& list) {
    if (list.empty()) return std::nullopt;
    std::optional<Checkpoint> last = std::move(list.back());
    list.pop_back();
    return last;
  }
  static void push(std::deque<Checkpoint>& list, Checkpoint state) {
    list.push_back(std::move(state));
    if (list.size() > kMaxPlacements) list.pop_front();
  }

  std::optional<Checkpoint> start_, open_;  ///< before the first step; before the current placement
  std::deque<Checkpoint> undo_, redo_;      ///< the latest last
};

}  // namespace tenon::runtime
