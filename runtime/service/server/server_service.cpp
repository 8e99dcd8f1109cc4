// tenon.v1.Server.
#include "physics/solver/solver_name.h"
#include "runtime/record/environment.h"
#include "runtime/record/program_identity.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/server/services.h"
#include "tenon/v1/server.grpc.pb.h"

namespace tenon::service {

namespace {

class ServerService final : public v1::Server::Service {
 public:
  explicit ServerService(const ServiceParts& parts) : parts_(parts) {}

 private:
  grpc::Status GetIdentity(grpc::ServerContext* context, const v1::GetIdentityRequest* /*request*/,
                           v1::Identity* identity) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::observe);
      const runtime::ProgramIdentity program = runtime::thisProgram();
      identity->set_version(program.version);
      identity->set_api("tenon.v1");
      identity->set_sources(program.sources);
      identity->set_compiler(program.compiler);
      identity->set_processor(program.processor);
      identity->set_system(program.system);
      for (const auto& [name, text] : physics::kSolverNames) identity->add_solvers(std::string(text));
      identity->set_role(toText(caller.role));
      identity->set_max_sessions(parts_.options.maxSessions);
      identity->set_max_upload_bytes(parts_.options.maxUploadBytes());
      identity->set_idle_timeout(parts_.options.idleTimeout);
    });
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeServerService(const ServiceParts& parts) {
  return std::make_unique<ServerService>(parts);
}

}  // namespace tenon::service
