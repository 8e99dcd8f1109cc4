// See remote_source.h.
#include "runtime/service/client/remote_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "content/input/input_error.h"
#include "content/step/read_step.h"
#include "runtime/service/client/remote_live.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

/// Returns what `body` returns; a refusal of the server is one line at the start of a window.
template <class Body>
auto orRefused(Body body) {
  try {
    return body();
  } catch (const StatusError& error) {
    throw content::MissingComponent(std::string("--connect: ") + error.what());
  }
}

class RemoteSource final : public runtime::LiveSource {
 public:
  RemoteSource(const ConnectOptions& options, const std::string& session)
      : server_(orRefused([&] { return std::make_shared<RemoteServer>(options); })) {
    if (!session.empty()) joined_ = orRefused([&] { return server_->runningSession("--session", session); });
  }

  std::optional<runtime::OpenedScene> runningScene() override {
    if (!joined_) return std::nullopt;
    runtime::LoadedScene loaded = orRefused([&] { return server_->sceneOf(*joined_); });
    return runtime::OpenedScene{std::move(loaded.scene), std::move(loaded.text), std::move(loaded.meshFiles)};
  }

  bool takesScenes() const override { return false; }

  std::unique_ptr<runtime::LiveSession> begin(runtime::OpenedScene opened,
                                              const runtime::LiveStart& start) override {
    if (joined_ && !start.record) {
      const v1::Session session = *std::exchange(joined_, std::nullopt);
      return orRefused([&] {
        return std::make_unique<RemoteLive>(RemoteSession(server_, session), opened.scene,
                                            RemoteLiveOptions{true, true, false, "", false});
      });
    }
    if (start.record && !start.force && std::filesystem::exists(*start.record))
      throw content::InputError(*start.record, "", "exists",
                                "name another file, or overwrite it with --force");
    const auto scene = opened.scene;
    return orRefused([&] {
      RemoteSession session(server_, server_->create(requestOf(std::move(opened), start)));
      const RemoteLiveOptions options{start.scripted, start.handsAwaitOpening, true,
                                      start.record.value_or(""), start.force};
      auto live = std::make_unique<RemoteLive>(session, scene, options);
      if (start.guidance) live->setGuidance(true);
      if (!start.paused) live->play();
      return live;
    });
  }

 private:
  v1::CreateSessionRequest requestOf(runtime::OpenedScene opened, const runtime::LiveStart& start) const {
    v1::CreateSessionRequest request;
    request.set_solver(start.solver.name);
    request.set_accuracy(start.solver.accuracy);
    for (const std::string& option : start.solver.options) {
      const std::size_t at = option.find('=');
      (*request.mutable_solver_options())[option.substr(0, at)] =
          at == std::string::npos ? "" : option.substr(at + 1);
    }
    request.set_rate(start.rate);
    request.set_free_hands(!start.scripted);
    request.set_record(start.record.has_value());
    for (const content::Parameter& parameter : opened.scene->parameters)
      (*request.mutable_parameters())[parameter.name] = parameter.value;
    request.set_scene(server_->upload({opened.scene, std::move(opened.text), std::move(opened.meshFiles)}));
    return request;
  }

  std::shared_ptr<RemoteServer> server_;
  std::optional<v1::Session> joined_;
};

}  // namespace

std::shared_ptr<runtime::LiveSource> remoteSessions(const ConnectOptions& options,
                                                    const std::string& session) {
  return std::make_shared<RemoteSource>(options, session);
}

}  // namespace tenon::service
