// See routes.h.
#include "runtime/service/http/routes.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/service/messages/scene_id.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/server/metrics.h"
#include "runtime/service/server/record_files.h"
#include "runtime/service/server/scene_store.h"
#include "runtime/service/server/study_table.h"
#include "runtime/service/server/worker_job.h"
#include "runtime/study/study_tables.h"
#include "runtime/web/scene_json.h"
#include "runtime/web/served_page.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;
using nlohmann::json;

constexpr std::size_t kIdDigits = 16;
constexpr std::chrono::seconds kDocumentLimit{120};  ///< to make a document
constexpr std::string_view kSessions = "/data/sessions/", kRecords = "/data/records/",
                           kStudies = "/data/studies/", kLive = "/live", kMetrics = "/metrics";

unsigned httpStatusOf(StatusCode code) {
  switch (code) {
    case StatusCode::UNAUTHENTICATED:
      return 401;
    case StatusCode::PERMISSION_DENIED:
      return 403;
    case StatusCode::NOT_FOUND:
      return 404;
    case StatusCode::ABORTED:
      return 410;
    case StatusCode::INVALID_ARGUMENT:
      return 422;
    case StatusCode::RESOURCE_EXHAUSTED:
    case StatusCode::UNAVAILABLE:
      return 503;
    default:
      return 500;
  }
}

WebReply jsonReply(const json& value) {
  return {200, "application/json", value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

/// Calls `body`; its errors are replies.
WebReply replyOf(const std::function<WebReply()>& body) {
  WebReply reply;
  const grpc::Status status = guarded([&] { reply = body(); });
  return status.ok() ? reply : textReply(httpStatusOf(status.error_code()), status.error_message());
}

/// The id behind `before`, if that is all of `target`.
std::optional<std::string> idIn(std::string_view target, std::string_view before) {
  if (!target.starts_with(before)) return std::nullopt;
  std::string id(target.substr(before.size()));
  return isId(id, kIdDigits) ? std::optional(id) : std::nullopt;
}

WebReply documentReply(std::string bytes) {
  return {200, "application/octet-stream", std::move(bytes), true};
}

WebReply metricsReply(const ServiceParts& parts) {
  return {200, "text/plain; version=0.0.4; charset=utf-8", metricsText(parts)};
}

std::string titleOf(const v1::Scene& scene) {
  return runtime::shown(scene.title().empty() ? scene.name() : scene.title());
}

/// `title`: of its scene, "" if that is deleted.
json studyJson(const v1::Study& study, const std::string& title) {
  return {{"id", study.id()},
          {"title", title.empty() ? "a scene that is deleted" : title},
          {"owner", runtime::shown(study.owner())},
          {"running", study.running()},
          {"ended", runtime::shown(study.ended())},
          {"cases", study.cases()},
          {"done", study.done()},
          {"successes", study.successes()},
          {"yield", study.yield()},
          {"yield_low", study.yield_low()},
          {"yield_high", study.yield_high()},
          {"rate", study.rate()},
          {"time_left", study.time_left()}};
}

json sessionJson(const v1::Session& session) {
  const v1::Scene& scene = session.scene();
  return {{"id", session.id()},
          {"title", titleOf(scene)},
          {"scene", runtime::shown(scene.name())},
          {"owner", runtime::shown(session.owner())},
          {"parts", scene.parts_size()},
          {"goals", scene.goals_size()},
          {"record", session.record()},
          {"ended", session.ended()}};
}

}  // namespace

WebReply textReply(unsigned status, const std::string& text) {
  return {status, "text/plain; charset=utf-8", text + "\n"};
}

Routes::Routes(const ServiceParts& parts, const WebAddress& address)
    : parts_(parts), address_(address), feeds_(parts.sessions) {}

Caller Routes::observer(const std::string& token) const {
  return parts_.access.require(token, Role::observe);
}

WebAnswer Routes::answer(const WebRequest& request) const {
  if (!isOwnHost(address_, request.host))
    return {textReply(421, "Host is not a name of this machine: open the address that tenon serve prints"),
            {}};
  if (request.method != "GET" && request.method != "HEAD")
    return {textReply(405, "this page only shows: use GET"), {}};
  if (request.target == "/" || idIn(request.target, "/sessions/") || idIn(request.target, "/records/") ||
      idIn(request.target, "/studies/"))
    return {{200, "text/html; charset=utf-8", runtime::servedPage(parts_.access.hasTokens()), false, false},
            {}};
  if (request.target.starts_with("/data/") || request.target == kMetrics) return data(request);
  if (const runtime::PageFile* file = runtime::pageFile(request.target))
    return {{200, file->type, file->deflated, true, false}, {}};
  return {textReply(404, "no such page: open / for the sessions and studies of this server"), {}};
}

std::optional<WebReply> Routes::refusal(const WebRequest& request, std::string& session) const {
  if (!isOwnHost(address_, request.host))
    return textReply(421, "Host is not a name of this machine: open the address that tenon serve prints");
  if (!isOwnOrigin(address_, request.origin, request.host))
    return textReply(403, "Origin is another site's: only this server's page may watch sessions");
  std::string_view target = request.target;
  if (!target.ends_with(kLive)) return textReply(404, "nothing here can be watched");
  target.remove_suffix(kLive.size());
  const auto id = idIn(target, kSessions);
  if (!id) return textReply(404, "nothing here can be watched");
  session = *id;
  return std::nullopt;
}

WebAnswer Routes::data(const WebRequest& request) const {
  if (!request.origin.empty() && !isOwnOrigin(address_, request.origin, request.host))
    return {textReply(403, "Origin is another site's: only this server's page may read its data"), {}};
  WebAnswer answer;
  answer.reply = replyOf([&]() -> WebReply {
    const Caller caller = parts_.access.require(request.authorization, Role::observe);
    if (request.target == "/data/list") return list(caller);
    if (request.target == kMetrics) {
      answer.work = [this] { return replyOf([this] { return metricsReply(parts_); }); };
      return {};
    }
    if (const auto session = idIn(request.target, kSessions)) {
      answer.work = [this, id = *session] { return replyOf([&] { return sessionDocument(id); }); };
      return {};
    }
    if (const auto record = idIn(request.target, kRecords)) {
      answer.work = [this, id = *record, client = caller.name] {
        return replyOf([&] { return recordDocument(id, client); });
      };
      return {};
    }
    if (const auto id = idIn(request.target, kStudies)) return study(*id);
    for (const char* format : runtime::kStudyFormats) {
      const std::string ending = std::string("/") + format;
      if (!std::string_view(request.target).ends_with(ending)) continue;
      const auto id = idIn(request.target.substr(0, request.target.size() - ending.size()), kStudies);
      if (!id) continue;
      answer.work = [this, id = *id, format, client = caller.name] {
        return replyOf([&] { return studyReport(id, format, client); });
      };
      return {};
    }
    throw StatusError(StatusCode::NOT_FOUND, "no such data");
  });
  return answer;
}

WebReply Routes::list(const Caller& caller) const {
  json sessions = json::array(), records = json::array();
  std::map<std::string, v1::Session> known;
  for (const v1::Session& session : parts_.sessions.list()) {
    known[session.id()] = session;
    if (session.running()) sessions.push_back(sessionJson(session));
  }
  for (const RecordFile& file : listRecords(parts_.sessions)) {
    if (file.isGrowing) continue;
    const auto session = known.find(file.id);
    json record =
        session == known.end() ? json{{"id", file.id}, {"title", ""}} : sessionJson(session->second);
    record["bytes"] = file.bytes;
    record["written"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(file.written));
    records.push_back(std::move(record));
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const json& a, const json& b) { return a["written"] > b["written"]; });
  json studies = json::array();
  std::map<std::string, std::string> titles;
  for (const v1::Scene& scene : parts_.scenes.list()) titles[scene.id()] = titleOf(scene);
  for (const v1::Study& one : parts_.studies.list()) studies.push_back(studyJson(one, titles[one.scene()]));
  std::stable_sort(studies.begin(), studies.end(),
                   [](const json& a, const json& b) { return a["running"] > b["running"]; });
  return jsonReply({{"client", runtime::shown(caller.name)},
                    {"role", toText(caller.role)},
                    {"tokens", parts_.access.hasTokens()},
                    {"sessions", sessions},
                    {"records", records},
                    {"studies", studies}});
}

WebReply Routes::study(const std::string& id) const {
  const v1::Study study = parts_.studies.find(id);
  for (const v1::Scene& scene : parts_.scenes.list())
    if (scene.id() == study.scene()) return jsonReply(studyJson(study, titleOf(scene)));
  return jsonReply(studyJson(study, ""));
}

WebReply Routes::studyReport(const std::string& id, const std::string& format,
                             const std::string& client) const {
  worker::StudyReportJob job;
  job.set_file(parts_.studies.resultsFile(id));
  job.set_format(format);
  Job process(parts_.jobs, client);
  return {
      200, "text/plain; charset=utf-8",
      documentBytes([&](grpc::ClientContext& context) { return process.stub().StudyReport(&context, job); },
                    [](const grpc::Status& status) { return jobOutcome(status, "report", kDocumentLimit); })};
}

void Routes::cancel() {
  const std::lock_guard lock(mutex_);
  canceled_ = true;
  for (grpc::ClientContext* call : calls_) call->TryCancel();
}

std::string Routes::documentBytes(
    const std::function<
        std::unique_ptr<grpc::ClientReaderInterface<worker::DocumentChunk>>(grpc::ClientContext&)>& call,
    const std::function<grpc::Status(const grpc::Status&)>& outcome) const {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kDocumentLimit);
  {
    const std::lock_guard lock(mutex_);
    if (canceled_) throw StatusError(StatusCode::UNAVAILABLE, "the server is stopping");
    calls_.insert(&context);
  }
  std::string bytes;
  worker::DocumentChunk chunk;
  const auto forget = [this](grpc::ClientContext* done) {
    const std::lock_guard lock(mutex_);
    calls_.erase(done);
  };
  const std::unique_ptr<grpc::ClientContext, decltype(forget)> listed(&context, forget);
  const auto chunks = call(context);
  while (chunks->Read(&chunk)) bytes += chunk.data();
  requireOk(outcome(chunks->Finish()));
  return bytes;
}

WebReply Routes::sessionDocument(const std::string& id) const {
  const auto entry = parts_.sessions.find(id);
  const v1::Session info = entry->info();
  if (!info.running()) return jsonReply(sessionJson(info));
  const SessionEntry::Call inProgress(*entry);
  const auto process = entry->use();
  worker::DescribeLiveJob job;
  *job.mutable_session() = info;
  return documentReply(documentBytes(
      [&](grpc::ClientContext& context) { return process->stub().DescribeLive(&context, job); },
      [&](const grpc::Status& status) {
        return jobOutcome(parts_.sessions.outcome(*entry, *process, status), "session", kDocumentLimit);
      }));
}

WebReply Routes::recordDocument(const std::string& id, const std::string& client) const {
  worker::ExportRecordJob job;
  job.set_file(existingRecord(parts_.sessions, id));
  Job process(parts_.jobs, client);
  return documentReply(
      documentBytes([&](grpc::ClientContext& context) { return process.stub().ExportRecord(&context, job); },
                    [](const grpc::Status& status) { return jobOutcome(status, "record", kDocumentLimit); }));
}

}  // namespace tenon::service
