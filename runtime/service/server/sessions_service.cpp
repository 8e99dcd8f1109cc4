// tenon.v1.Sessions: checks the caller, and passes the call on to the session's worker.
#include <fmt/format.h>

#include <utility>

#include "runtime/service/messages/status.h"
#include "runtime/service/server/hands_relay.h"
#include "runtime/service/server/services.h"
#include "tenon/v1/sessions.grpc.pb.h"

namespace tenon::service {

namespace {

/// Only the stream of hands, which must end with a status while its client may still write, has the callback
/// interface.
class SessionsService final : public v1::Sessions::WithCallbackMethod_Hands<v1::Sessions::Service> {
 public:
  explicit SessionsService(const ServiceParts& parts) : parts_(parts) {}

 private:
  using Context = grpc::ServerContext;
  using Status = grpc::Status;
  using Stub = worker::Worker::StubInterface;

  /// Passes a call on; it is canceled, and its deadline ends, with that of the client.
  template <class Request, class Response>
  Status relay(Context* context, Role role, const Request* request, Response* response,
               Status (Stub::*call)(grpc::ClientContext*, const Request&, Response*)) {
    return guarded([&] {
      parts_.access.require(*context, role);
      const auto entry = parts_.sessions.find(request->session());
      const SessionEntry::Call inProgress(*entry);
      const auto process = entry->use();
      const auto onward = grpc::ClientContext::FromServerContext(*context);
      requireOk(parts_.sessions.outcome(*entry, *process,
                                        (process->stub().*call)(onward.get(), *request, response)));
    });
  }

  Status Create(Context* context, const v1::CreateSessionRequest* request, v1::Session* session) override {
    return guarded([&] {
      *session = parts_.sessions.create(*request, parts_.access.require(*context, Role::work), *context);
    });
  }
  Status List(Context* context, const v1::ListSessionsRequest* /*request*/,
              v1::ListSessionsResponse* response) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      for (v1::Session& session : parts_.sessions.list()) *response->add_sessions() = std::move(session);
    });
  }
  Status Close(Context* context, const v1::CloseSessionRequest* request,
               v1::CloseSessionResponse* response) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      const auto entry = parts_.sessions.find(request->session());
      requireOwner(caller, entry->info().owner(), "session", "close");
      response->set_record_complete(parts_.sessions.close(*entry, "closed"));
    });
  }
  Status Step(Context* context, const v1::StepRequest* request, v1::State* state) override {
    return relay(context, Role::work, request, state, &Stub::Step);
  }
  Status Apply(Context* context, const v1::ApplyRequest* request, v1::ApplyResponse* response) override {
    return relay(context, Role::work, request, response, &Stub::Apply);
  }
  Status Control(Context* context, const v1::ControlRequest* request, v1::Pace* pace) override {
    if (request->control_case() == v1::ControlRequest::kEndRecord) {
      const Status allowed = guarded([&] {
        requireOwner(parts_.access.require(*context, Role::work),
                     parts_.sessions.find(request->session())->info().owner(), "record", "end");
      });
      if (!allowed.ok()) return allowed;
    }
    return relay(context, Role::work, request, pace, &Stub::Control);
  }
  Status GetState(Context* context, const v1::GetStateRequest* request, v1::State* state) override {
    return relay(context, Role::observe, request, state, &Stub::GetState);
  }
  Status Snapshot(Context* context, const v1::SnapshotRequest* request,
                  v1::SnapshotResponse* response) override {
    return relay(context, Role::work, request, response, &Stub::Snapshot);
  }
  Status Restore(Context* context, const v1::RestoreRequest* request, v1::State* state) override {
    return relay(context, Role::work, request, state, &Stub::Restore);
  }

  Status Watch(Context* context, const v1::WatchRequest* request,
               grpc::ServerWriter<v1::State>* writer) override {
    return guarded([&] {
      const ClientQuota::Slot slot(parts_.streams, parts_.access.require(*context, Role::observe).name);
      const auto entry = parts_.sessions.find(request->session());
      const SessionEntry::Call inProgress(*entry);
      const auto process = entry->use();
      const auto onward = grpc::ClientContext::FromServerContext(*context);
      const auto states = process->stub().Watch(onward.get(), *request);
      v1::State state;
      while (states->Read(&state)) {
        if (writer->Write(state)) continue;
        onward->TryCancel();  // the client is gone
        break;
      }
      requireOk(parts_.sessions.outcome(*entry, *process, states->Finish()));
    });
  }

  grpc::ServerBidiReactor<v1::HandsRequest, v1::State>* Hands(grpc::CallbackServerContext* context) override {
    return relayHands(*context, parts_);
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeSessionsService(const ServiceParts& parts) {
  return std::make_unique<SessionsService>(parts);
}

}  // namespace tenon::service
