// tenon vr --connect with a real OpenXR runtime: hands here, physics on a server.
#include <memory>

#include "tests/runtime/service/server_program.h"
#include "tests/runtime/vr_person.h"

namespace tenon::tests {
namespace {

class RemoteVr : public VrPerson {};

TEST_F(RemoteVr, AHandLiftsTheScrewOnTheServerAndItsRecordIsVerified) {
  ServerProgram server;
  ASSERT_FALSE(server.address().empty()) << server.program().said();
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(
      start({unhurried("bolt-in-plate"), "--connect", server.address(), "--record", session}));
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  ASSERT_TRUE(carry(kRight, tilted({-0.028, 0, 0.050}, 0), 6)) << said();
  EXPECT_NEAR(partPose("screw").p.z(), 0.050, 1e-3);
  EXPECT_EQ(handNow(kRight)["holds"], "screw");
  ASSERT_TRUE(letGo(kRight)) << said();
  EXPECT_TRUE(waitFor([&](const Json&) { return partPose("screw").p.z() < 0.045; })) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(server.program().said().find("ended by signal"), std::string::npos) << server.program().said();
  const Outcome verified = runTenon({"replay", session, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
}

}  // namespace
}  // namespace tenon::tests
