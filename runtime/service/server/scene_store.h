// The scenes of a server: one file each, named by its id, read and checked in worker processes.
#pragma once

#include <grpcpp/server_context.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/service/server/accounts.h"
#include "runtime/service/server/jobs.h"
#include "runtime/service/server/serve_options.h"
#include "worker/worker.pb.h"

namespace tenon::service {

/// All members may be called from any thread, and throw StatusError.
class SceneStore {
 public:
  /// `folder` exists. Borrows all.
  SceneStore(std::string folder, const ServeOptions& options, Accounts& accounts, Jobs& jobs);

  /// Checks and stores a scene of a client; returns its description. An invalid one is not stored. `context`:
  /// of the call, whose cancellation ends it.
  v1::Scene add(worker::StoredScene scene, const std::string& client, const grpc::ServerContext& context);
  worker::StoredScene load(const std::string& id) const;
  v1::Scene description(const std::string& id) const;
  std::vector<v1::Scene> list() const;
  std::string check(const std::string& id, const google::protobuf::Map<std::string, double>& parameters,
                    const std::string& client, const grpc::ServerContext& context) const;
  /// Empty: unknown.
  std::string owner(const std::string& id) const;
  void remove(const std::string& id);

 private:
  std::string fileOf(const std::string& id) const;
  std::vector<std::string> ids() const;

  std::string folder_;
  const ServeOptions& options_;
  Accounts& accounts_;
  Jobs& jobs_;
  mutable std::mutex mutex_;  ///< of the number of scenes
};

}  // namespace tenon::service
