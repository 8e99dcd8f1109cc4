// See live_feed.h.
#include "runtime/service/http/live_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/service/http/frame_deltas.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

using nlohmann::json;

/// Texts number `first` and later from `kept`, whose first has number `number`.
template <class Take>
std::int64_t takeNew(const std::deque<std::string>& kept, std::int64_t number, std::int64_t first,
                     const Take& take) {
  const std::int64_t end = number + static_cast<std::int64_t>(kept.size());
  for (std::int64_t k = std::max(first, number); k < end; ++k)
    take(kept[static_cast<std::size_t>(k - number)]);
  return end;
}

void keep(std::deque<std::string>& kept, std::int64_t& number, std::string text, std::size_t most) {
  kept.push_back(std::move(text));
  if (kept.size() <= most) return;
  kept.pop_front();
  ++number;
}

std::string textOf(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

LiveFeed::LiveFeed(SessionTable& sessions, std::shared_ptr<SessionEntry> entry)
    : sessions_(sessions), entry_(std::move(entry)), process_(entry_->use()), inProgress_(*entry_) {
  thread_ = std::thread([this] { read(); });
}

LiveFeed::~LiveFeed() {
  context_.TryCancel();
  thread_.join();
}

void LiveFeed::read() {
  v1::WatchRequest request;  // at the default rate
  const auto frames = process_->stub().WatchLive(&context_, request);
  worker::LiveFrame frame;
  while (frames->Read(&frame)) {
    {
      const std::lock_guard lock(mutex_);
      row_.assign(frame.row().begin(), frame.row().end());
      failure_ = frame.failure();
      ++frameNumber_;
      for (std::string& event : *frame.mutable_events())
        keep(events_, firstEvent_, std::move(event), kMaxEvents);
    }
    notify();
  }
  const grpc::Status status = sessions_.outcome(*entry_, *process_, frames->Finish());
  const v1::Session info = entry_->info();
  const std::lock_guard lock(mutex_);
  ended_ = !info.ended().empty() ? info.ended() : status.error_message();
  for (const auto& [reader, onNews] : readers_) onNews();
}

void LiveFeed::notify() {
  const std::lock_guard lock(mutex_);
  for (const auto& [reader, onNews] : readers_) onNews();
}

int LiveFeed::addReader(Cursor& cursor, std::function<void()> onNews) {
  const std::lock_guard lock(mutex_);
  cursor.point = firstPoint_ + static_cast<std::int64_t>(points_.size());
  readers_.emplace(++readerNumber_, std::move(onNews));
  return readerNumber_;
}

void LiveFeed::removeReader(int reader) {
  const std::lock_guard lock(mutex_);
  readers_.erase(reader);
}

bool LiveFeed::take(Cursor& cursor, Update& update) const {
  const std::lock_guard lock(mutex_);
  update = {};
  std::string events;
  cursor.event = takeNew(events_, firstEvent_, cursor.event,
                         [&](const std::string& event) { events += (events.empty() ? "" : ",") + event; });
  if (!events.empty()) update.texts.push_back(fmt::format(R"({{"events":[{}]}})", events));
  cursor.point = takeNew(points_, firstPoint_, cursor.point,
                         [&](const std::string& point) { update.texts.push_back(point); });
  if (cursor.failure != failure_) update.texts.push_back(textOf({{"failure", failure_}}));
  cursor.failure = failure_;
  if (frameNumber_ > cursor.frame) {
    update.frame = deltaBytes(row_, cursor.row);
    cursor.row = row_;
    cursor.frame = frameNumber_;
  }
  if (ended_ && !cursor.ended) {
    update.texts.push_back(textOf({{"ended", *ended_}, {"record", entry_->info().record()}}));
    update.ended = cursor.ended = true;
  }
  return !update.texts.empty() || !update.frame.empty();
}

void LiveFeed::point(int part, const std::array<double, 3>& at, const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    keep(points_, firstPoint_, textOf({{"point", {{"part", part}, {"at", at}, {"name", name}}}}), kMaxPoints);
  }
  notify();
}

std::shared_ptr<LiveFeed> LiveFeeds::open(const std::string& session) {
  const std::lock_guard lock(mutex_);
  std::erase_if(feeds_, [](const auto& feed) { return feed.second.expired(); });
  if (auto feed = feeds_[session].lock()) return feed;
  auto feed = std::make_shared<LiveFeed>(sessions_, sessions_.find(session));
  feeds_[session] = feed;
  return feed;
}

}  // namespace tenon::service
