// One stream of a session's frames from its worker, shared by all browsers that show the session.
#pragma once

#include <grpcpp/client_context.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/service/server/session_table.h"

namespace tenon::service {

/// Frames, events and pointing of one session. A reader takes what is new for it when it can send it: a slow
/// one misses frames, no events.
class LiveFeed {
 public:
  static constexpr std::size_t kMaxEvents = 20'000, kMaxPoints = 32;  ///< that are kept

  /// What one reader has got.
  struct Cursor {
    std::int64_t frame = 0, event = 0, point = 0;
    std::vector<std::int64_t> row;  ///< the last one
    std::string failure;
    bool ended = false;
  };
  /// Messages, in this order: texts are JSON objects, `frame` the bytes of deltaBytes(), "": none.
  struct Update {
    std::vector<std::string> texts;
    std::string frame;
    bool ended = false;  ///< nothing follows
  };

  /// Starts the stream. Throws StatusError for a session that has ended.
  LiveFeed(SessionTable& sessions, std::shared_ptr<SessionEntry> entry);
  /// Cancels the stream, and waits for its end.
  ~LiveFeed();
  LiveFeed(const LiveFeed&) = delete;
  LiveFeed& operator=(const LiveFeed&) = delete;

  /// `onNews` is called on another thread, when there is something to take. Returns the reader's number.
  int addReader(Cursor& cursor, std::function<void()> onNews);
  void removeReader(int reader);
  /// False: nothing is new.
  bool take(Cursor& cursor, Update& update) const;
  int parts() const { return entry_->info().scene().parts_size(); }
  /// All readers get the point `at` of a part, in its frame [m], and who points there.
  void point(int part, const std::array<double, 3>& at, const std::string& name);

 private:
  void read();
  void notify();

  SessionTable& sessions_;
  std::shared_ptr<SessionEntry> entry_;
  std::shared_ptr<WorkerProcess> process_;
  SessionEntry::Call inProgress_;
  grpc::ClientContext context_;

  mutable std::mutex mutex_;
  std::map<int, std::function<void()>> readers_;
  int readerNumber_ = 0;
  std::int64_t frameNumber_ = 0;
  std::vector<std::int64_t> row_;
  std::string failure_;
  std::deque<std::string> events_;
  std::int64_t firstEvent_ = 0;
  std::deque<std::string> points_;
  std::int64_t firstPoint_ = 0;
  std::optional<std::string> ended_;  ///< why
  std::thread thread_;
};

/// The feeds of the sessions that are shown now.
class LiveFeeds {
 public:
  explicit LiveFeeds(SessionTable& sessions) : sessions_(sessions) {}

  /// The feed of a session, the same for all that hold it. Throws StatusError for one that has ended.
  std::shared_ptr<LiveFeed> open(const std::string& session);

 private:
  SessionTable& sessions_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<LiveFeed>> feeds_;
};

}  // namespace tenon::service
