// See observer.h.
#include "runtime/service/http/observer.h"

#include <array>
#include <boost/asio/post.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/input/input_error.h"

namespace tenon::service {

namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kPointInterval{200};  ///< between two points of one observer
constexpr double kMaxPoint = 1e4;                         ///< [m]

[[noreturn]] void failMessage(const char* field, const char* problem) {
  throw content::InputError("message", field, problem,
                            "send {\"point\": {\"part\": INDEX, \"at\": [x, y, z]}}");
}

std::array<double, 3> pointIn(const json& point) {
  const auto at = point.find("at");
  if (at == point.end() || !at->is_array() || at->size() != 3)
    failMessage("at", "is not a list of three numbers");
  std::array<double, 3> p{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(*at)[k].is_number()) failMessage("at", "is not a list of three numbers");
    p[k] = (*at)[k].get<double>();
    if (!(std::abs(p[k]) <= kMaxPoint)) failMessage("at", "is out of range");
  }
  return p;
}

int partIn(const json& point, int parts) {
  const auto part = point.find("part");
  if (part == point.end() || !part->is_number_integer()) failMessage("part", "is not the index of a part");
  const auto index = part->get<std::int64_t>();
  if (index < 0 || index >= parts) failMessage("part", "is not the index of a part");
  return static_cast<int>(index);
}

}  // namespace

std::string errorMessage(const std::string& text) {
  return json({{"error", text}}).dump(-1, ' ', false, json::error_handler_t::replace);
}

ObserverState::~ObserverState() {
  if (!feed_) return;
  feed_->removeReader(reader_);
  ports_.routes.log().write("observer-left", {{"session", session_}, {"client", name_}});
  // The last one ends the feed's stream, which may take a while.
  boost::asio::post(ports_.work, [feed = std::move(feed_)] {});
}

void ObserverState::signIn(const std::string& token, const std::function<void()>& onNews) {
  name_ = ports_.routes.observer(token).name;
  auto feed = ports_.routes.feed(session_);
  reader_ = feed->addReader(cursor_, onNews);
  feed_ = std::move(feed);
  ports_.routes.log().write("observer-joined", {{"session", session_}, {"client", name_}});
}

void ObserverState::receive(const std::string& text, const std::function<void()>& onNews) {
  constexpr bool kThrows = false;
  const json message = json::parse(text, nullptr, kThrows);
  if (!message.is_object()) failMessage("", "is not a JSON object");
  if (!feed_) {
    const auto token = message.find("token");
    if (token == message.end() || !token->is_string())
      throw content::InputError("message", "token", "is missing", "send {\"token\": TEXT} first");
    signIn(token->get<std::string>(), onNews);
    return;
  }
  const auto point = message.find("point");
  if (point == message.end() || !point->is_object()) failMessage("point", "is missing");
  const auto p = pointIn(*point);
  const int part = partIn(*point, feed_->parts());
  const auto now = std::chrono::steady_clock::now();
  if (now < nextPoint_) return;
  nextPoint_ = now + kPointInterval;
  feed_->point(part, p, name_.empty() ? "an observer" : name_);
}

bool ObserverState::take(LiveFeed::Update& update) {
  return feed_->take(cursor_, update);
}

}  // namespace tenon::service
