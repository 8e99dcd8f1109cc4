// The public calls: each checks the caller's role, then calls store, table or worker.
#pragma once

#include <grpcpp/impl/service_type.h>

#include <memory>
#include <vector>

#include "runtime/service/server/access.h"
#include "runtime/service/server/accounts.h"
#include "runtime/service/server/client_quota.h"
#include "runtime/service/server/database_copy.h"
#include "runtime/service/server/jobs.h"
#include "runtime/service/server/scene_store.h"
#include "runtime/service/server/session_table.h"
#include "runtime/service/server/study_table.h"

namespace tenon::service {

/// What the calls have in common; borrowed.
struct ServiceParts {
  const ServeOptions& options;
  const Access& access;
  Accounts& accounts;
  Jobs& jobs;
  ClientQuota& streams;
  Downloads& downloads;
  SceneStore& scenes;
  SessionTable& sessions;
  StudyTable& studies;
  ServiceLog& log;
};

/// Of tenon.v1.Server, Scenes, Sessions, Records, Solver and Studies. They borrow the parts.
std::unique_ptr<grpc::Service> makeServerService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> makeScenesService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> makeSessionsService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> makeRecordsService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> makeSolverService(const ServiceParts& parts);
std::unique_ptr<grpc::Service> makeStudiesService(const ServiceParts& parts);

}  // namespace tenon::service
