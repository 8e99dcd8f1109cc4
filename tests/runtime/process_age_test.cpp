// The age of the process, by a clock of its own.
#include "runtime/vr/process_age.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

namespace tenon::tests {
namespace {

TEST(ProcessAge, IsMoreThanTheTimeOfItsProcessor) {
  timespec used{};
  ASSERT_EQ(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used), 0);
  const double least = static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  const double age = runtime::processAge();
  EXPECT_GT(age, 0);
  EXPECT_GE(age, least - 0.01) << "of one thread";
  EXPECT_GE(runtime::processAge(), age);
}

TEST(ProcessAge, IsThatOfTheChildInAChild) {
  const auto begin = std::chrono::steady_clock::now();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const double age = runtime::processAge();
    _exit(::write(ends[1], &age, sizeof age) == sizeof age ? 0 : 1);
  }
  close(ends[1]);  // else read() waits for ever where the child fails
  double age = -1;
  ASSERT_EQ(read(ends[0], &age, sizeof age), static_cast<ssize_t>(sizeof age));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  const std::chrono::duration<double> most = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(age, most.count() + 0.02) << "two ticks";
}

}  // namespace
}  // namespace tenon::tests
