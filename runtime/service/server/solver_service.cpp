// tenon.v1.Solver.
#include "runtime/service/server/services.h"
#include "runtime/service/server/worker_job.h"
#include "tenon/v1/solve.grpc.pb.h"

namespace tenon::service {

namespace {

class SolverService final : public v1::Solver::Service {
 public:
  explicit SolverService(const ServiceParts& parts) : parts_(parts) {}

 private:
  grpc::Status Solve(grpc::ServerContext* context, const v1::SolveRequest* request,
                     v1::SolveResponse* response) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      Job process(parts_.jobs, caller.name);
      runJob(process, *context, "the problem", *request, *response, &worker::Worker::StubInterface::Solve);
    });
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeSolverService(const ServiceParts& parts) {
  return std::make_unique<SolverService>(parts);
}

}  // namespace tenon::service
