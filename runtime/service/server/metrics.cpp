// See metrics.h.
#include "runtime/service/server/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <sys/resource.h>

#include <unistd.h>
#include <chrono>
#include <cstdint>
#include <deque>
#include <fstream>
#include <utility>
#include <vector>

#include "runtime/record/program_identity.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

constexpr std::chrono::milliseconds kLimit{200};  ///< for the answer of a worker

/// Families of metrics in the order of their first values.
class Families {
 public:
  void add(const char* name, const char* help, MetricType type, double value,
           std::vector<ClientMetric::Label> labels = {}) {
    ClientMetric metric;
    metric.label = std::move(labels);
    (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    familyOf(name, help, type).metric.push_back(std::move(metric));
  }

  std::string text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  prometheus::MetricFamily& familyOf(const char* name, const char* help, MetricType type) {
    for (prometheus::MetricFamily& family : families_)
      if (family.name == name) return family;
    families_.push_back({name, help, type, {}});
    return families_.back();
  }

  std::vector<prometheus::MetricFamily> families_;
};

void addServer(Families& out, const ServiceParts& parts) {
  const SessionTable::Counts counts = parts.sessions.counts();
  out.add("tenon_build_info", "1, with the program's version", MetricType::Gauge, 1,
          {{"version", runtime::thisProgram().version}});
  out.add("tenon_sessions", "Sessions that run", MetricType::Gauge, counts.running);
  out.add("tenon_sessions_started_total", "Sessions that were started", MetricType::Counter,
          static_cast<double>(counts.started));
  out.add("tenon_sessions_crashed_total", "Sessions whose process ended by itself", MetricType::Counter,
          static_cast<double>(counts.crashed));
  out.add("tenon_jobs", "Checks, verifications and the like that run", MetricType::Gauge,
          parts.jobs.running());
  out.add("tenon_studies", "Studies that run", MetricType::Gauge, parts.studies.running());
}

void addProcess(Families& out) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  out.add("process_cpu_seconds_total", "Processor time of the server, without its sessions",
          MetricType::Counter, seconds(used.ru_utime) + seconds(used.ru_stime));
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  out.add("process_resident_memory_bytes", "Memory of the server, without its sessions", MetricType::Gauge,
          static_cast<double>(resident * sysconf(_SC_PAGESIZE)));
}

void addSession(Families& out, const std::string& id, const worker::Measurement& measured) {
  const std::vector<ClientMetric::Label> label{{"session", id}};
  const double played = static_cast<double>(measured.played_steps()),
               dropped = static_cast<double>(measured.dropped_steps());
  out.add("tenon_session_steps_total", "Steps computed", MetricType::Counter,
          static_cast<double>(measured.steps()), label);
  out.add("tenon_session_step_seconds_total", "Time that these steps took", MetricType::Counter,
          measured.step_time(), label);
  out.add("tenon_session_dropped_steps_total", "Steps due by the clock, but dropped", MetricType::Counter,
          dropped, label);
  out.add("tenon_session_real_time_ratio", "Steps computed, of those due by the clock", MetricType::Gauge,
          played + dropped > 0 ? played / (played + dropped) : 1, label);
  out.add("tenon_session_late_seconds", "Lateness of the last step by the clock", MetricType::Gauge,
          measured.lateness(), label);
  out.add("tenon_session_streams", "Streams of states", MetricType::Gauge, measured.streams(), label);
}

}  // namespace

std::string metricsText(const ServiceParts& parts) {
  Families out;
  addServer(out, parts);
  addProcess(out);
  for (const v1::Session& session : parts.sessions.list()) {
    if (!session.running()) continue;
    // A session that ends just now is left out.
    guarded([&] {
      const auto process = parts.sessions.find(session.id())->observe();
      if (!process) return;
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + kLimit);
      worker::Measurement measured;
      requireOk(process->stub().Measure(&context, {}, &measured));
      addSession(out, session.id(), measured);
    });
  }
  return out.text();
}

}  // namespace tenon::service
