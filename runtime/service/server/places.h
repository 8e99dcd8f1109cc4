// How many streams of states each client reads: every one takes a thread of the server while it lasts.
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace tenon::service {

/// All members may be called from any thread.
class Streams {
 public:
  static constexpr int kMaxOfClient = 256;

  /// A stream of a client, while it lasts. Throws StatusError with RESOURCE_EXHAUSTED beyond kMaxOfClient.
  class Place {
   public:
    Place(Streams& streams, std::string client);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Streams& streams_;
    std::string client_;
  };

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

}  // namespace tenon::service
