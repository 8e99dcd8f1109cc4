// See undo_history.h.
#include "runtime/simulation/undo_history.h"

#include <utility>

namespace tenon::runtime {

void UndoHistory::begin(Checkpoint start) {
  start_ = std::move(start);
  open_.reset();
  undo_.clear();
  redo_.clear();
}

void UndoHistory::open(Checkpoint before) {
  open_ = std::move(before);
  redo_.clear();
}

void UndoHistory::close() {
  pushUndo(std::move(*open_));
  open_.reset();
}

void UndoHistory::add(Checkpoint before) {
  pushUndo(std::move(before));
  redo_.clear();
}

std::optional<Checkpoint> UndoHistory::popUndo() {
  if (open_) return std::exchange(open_, std::nullopt);
  if (undo_.empty()) return std::nullopt;
  std::optional<Checkpoint> last = std::move(undo_.back());
  undo_.pop_back();
  return last;
}

std::optional<Checkpoint> UndoHistory::popRedo() {
  if (redo_.empty()) return std::nullopt;
  std::optional<Checkpoint> last = std::move(redo_.back());
  redo_.pop_back();
  return last;
}

void UndoHistory::push(std::deque<Checkpoint>& list, Checkpoint state) {
  list.push_back(std::move(state));
  if (list.size() > kMaxPlacements) list.pop_front();
}

}  // namespace tenon::runtime
