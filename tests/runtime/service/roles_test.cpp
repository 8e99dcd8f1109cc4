// Every call of the contract with every role: refused exactly where the role is too low.
#include <google/protobuf/descriptor.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <map>
#include <set>

#include "tenon/v1/records.pb.h"
#include "tenon/v1/scenes.pb.h"
#include "tenon/v1/server.pb.h"
#include "tenon/v1/sessions.pb.h"
#include "tenon/v1/solve.pb.h"
#include "tenon/v1/studies.pb.h"
#include "tests/support/program_run.h"
#include "tests/support/traced_program.h"

namespace tenon::tests::roles_test {
namespace {

using grpc::StatusCode;

const std::array<std::string, 3> kRoles{"observe", "work", "administer"};

/// The lowest role that may make each call: as the contract's comments say.
const std::map<std::string, int> kCalls{
    {"Server/GetIdentity", 0}, {"Scenes/Upload", 1},     {"Scenes/Get", 0},        {"Scenes/Download", 0},
    {"Scenes/List", 0},        {"Scenes/Check", 0},      {"Scenes/Thumbnail", 0},  {"Scenes/Delete", 1},
    {"Sessions/Create", 1},    {"Sessions/List", 0},     {"Sessions/Close", 1},    {"Sessions/Step", 1},
    {"Sessions/Apply", 1},     {"Sessions/Control", 1},  {"Sessions/GetState", 0}, {"Sessions/Watch", 0},
    {"Sessions/Hands", 1},     {"Sessions/Snapshot", 1}, {"Sessions/Restore", 1},  {"Records/List", 0},
    {"Records/Download", 0},   {"Records/Verify", 1},    {"Records/Delete", 1},    {"Records/Report", 0},
    {"Solver/Solve", 1},       {"Studies/Start", 1},     {"Studies/Resume", 1},    {"Studies/Stop", 1},
    {"Studies/List", 0},       {"Studies/Watch", 0},     {"Studies/Results", 0},   {"Studies/Delete", 1}};

std::string tokenOf(const std::string& role) {
  return role + "-0123456789abcdef";
}

/// The outcome of a call with an empty request.
StatusCode outcomeOf(grpc::GenericStub& stub, const std::string& call, const std::string& token) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  grpc::Slice nothing;
  const grpc::ByteBuffer request(&nothing, 1);
  grpc::ByteBuffer response;
  std::promise<StatusCode> outcome;
  stub.UnaryCall(&context, "/tenon.v1." + call, {}, &request, &response,
                 [&](const grpc::Status& status) { outcome.set_value(status.error_code()); });
  return outcome.get_future().get();
}

TEST(Roles, EachCallIsRefusedExactlyWhereTheRoleIsTooLow) {
  const TemporaryFolder folder;
  const std::string tokens = folder / "tokens";
  {
    std::ofstream file(tokens);
    for (const std::string& role : kRoles) file << role << " " << role << "-client " << tokenOf(role) << "\n";
  }
  chmod(tokens.c_str(), 0600);
  const std::string address = "unix:" + (folder / "socket");
  TracedProgram server(
      {TENON_PROGRAM, "serve", "--data", folder / "data", "--listen", address, "--tokens", tokens}, {},
      folder.path(), "");
  const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  ASSERT_TRUE(channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(60)))
      << server.said();
  grpc::GenericStub stub(channel);
  for (const auto& [call, lowest] : kCalls) {
    EXPECT_EQ(outcomeOf(stub, call, ""), StatusCode::UNAUTHENTICATED) << call;
    EXPECT_EQ(outcomeOf(stub, call, "work-0123456789abcdeg"), StatusCode::UNAUTHENTICATED) << call;
    for (int role = 0; role < static_cast<int>(kRoles.size()); ++role) {
      const std::string& name = kRoles[static_cast<std::size_t>(role)];
      const StatusCode outcome = outcomeOf(stub, call, tokenOf(name));
      if (role < lowest)
        EXPECT_EQ(outcome, StatusCode::PERMISSION_DENIED) << call << " by " << name;
      else
        EXPECT_TRUE(outcome == StatusCode::OK || outcome == StatusCode::INVALID_ARGUMENT ||
                    outcome == StatusCode::NOT_FOUND)
            << call << " by " << name << ": " << outcome;
    }
  }
  server.send(SIGTERM);
  EXPECT_EQ(server.exitCode(), 0) << server.said();
}

TEST(Roles, TheTableHasEveryCallOfTheContract) {
  // Each file is in the pool once one of its messages is used.
  const std::array<const google::protobuf::Descriptor*, 6> files{
      v1::Identity::descriptor(), v1::Scene::descriptor(),        v1::Session::descriptor(),
      v1::Record::descriptor(),   v1::SolveRequest::descriptor(), v1::Study::descriptor()};
  std::set<std::string> declared, tabled;
  for (const auto* message : files)
    for (int s = 0; s < message->file()->service_count(); ++s)
      for (int m = 0; m < message->file()->service(s)->method_count(); ++m)
        declared.insert(message->file()->service(s)->name() + "/" +
                        message->file()->service(s)->method(m)->name());
  for (const auto& [call, role] : kCalls) tabled.insert(call);
  EXPECT_EQ(tabled, declared);
}

}  // namespace
}  // namespace tenon::tests::roles_test
