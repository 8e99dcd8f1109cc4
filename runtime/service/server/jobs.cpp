// See jobs.h.
#include "runtime/service/server/jobs.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/service/messages/status.h"

namespace tenon::service {

int Jobs::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

void Jobs::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  freed_.notify_all();
}

Job::Place::Place(Jobs& jobs) : jobs_(jobs) {
  std::unique_lock lock(jobs_.mutex_);
  const bool inTime = jobs_.freed_.wait_for(
      lock, kPatience, [this] { return jobs_.stopped_ || jobs_.running_ < jobs_.most_; });
  if (jobs_.stopped_) throw StatusError(grpc::StatusCode::UNAVAILABLE, "the server is stopping");
  if (!inTime)
    throw StatusError(
        grpc::StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{} jobs run, as many as this server allows; try again later", jobs_.most_));
  ++jobs_.running_;
}

Job::Place::~Place() {
  {
    const std::lock_guard lock(jobs_.mutex_);
    --jobs_.running_;
  }
  jobs_.freed_.notify_one();
}

Job::Job(Jobs& jobs, std::string client)
    : jobs_((jobs.accounts_.requireWithin(client), jobs)), client_(std::move(client)), place_(jobs) {}

Job::~Job() {
  jobs_.accounts_.addProcessorTime(client_, process_.processorTime());
}

}  // namespace tenon::service
