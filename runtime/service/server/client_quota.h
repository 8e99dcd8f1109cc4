// How many things of one kind each client has at once: streams of states, each of which takes a thread of the
// server while it lasts, or downloads, each of which takes a copy of a file.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace tenon::service {

/// All members may be called from any thread.
class ClientQuota {
 public:
  /// `kind`: in messages, such as "streams"; `most`: of one client.
  ClientQuota(std::string kind, int most) : kind_(std::move(kind)), most_(most) {}

  /// One of a client's, while it lasts. Throws StatusError with RESOURCE_EXHAUSTED beyond the most.
  class Slot {
   public:
    Slot(ClientQuota& quota, std::string client);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

   private:
    ClientQuota& quota_;
    std::string client_;
  };

 private:
  const std::string kind_;
  const int most_;
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

}  // namespace tenon::service
