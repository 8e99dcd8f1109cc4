// The files that come with the program are found from where it is built.
#include "content/input/program_files.h"

#include <gtest/gtest.h>

namespace tenon::content {
namespace {

TEST(ProgramFiles, ScenesAndSchemaAreFound) {
  EXPECT_TRUE(std::filesystem::exists(findProgramFile("share/tenon/scenes") / "bolt-in-plate.json"));
  EXPECT_TRUE(std::filesystem::exists(findProgramFile("share/tenon/schema/scene.schema.json")));
}

TEST(ProgramFiles, AFileThatIsNotInstalledHasNoPath) {
  EXPECT_EQ(findProgramFile("share/tenon/absent"), "");
}

}  // namespace
}  // namespace tenon::content
