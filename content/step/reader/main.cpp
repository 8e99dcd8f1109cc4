// The program that reads STEP for tenon, in a process of its own: whatever a file does to the library, tenon
// goes on. The file is on descriptor 0; the answer goes to 3 and what is being done, line by line, to 4.
#include <sys/resource.h>
#include <unistd.h>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "content/step/reader/face_mesh.h"
#include "content/step/reader/step_document.h"
#include "content/step/step_model_bytes.h"

namespace {

using namespace tenon::content;

constexpr int kAnswer = 3, kProgress = 4;

/// False where it cannot be read to its end.
bool readAll(int descriptor, std::string& bytes) {
  std::string part(1 << 20, '\0');
  for (;;) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count <= 0) return count == 0;
    bytes.append(part, 0, static_cast<std::size_t>(count));
  }
}

bool writeAll(int descriptor, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/// No file may open another one, and none takes all of the machine: seconds and MiB, 0 for no limit.
void limit(const char* seconds, const char* mebibytes) {
  const auto set = [](auto what, rlim_t most) {
    const rlimit limits{most, most};
    setrlimit(what, &limits);
  };
  set(RLIMIT_CORE, 0);
  set(RLIMIT_NOFILE, 0);
  if (const rlim_t s = std::strtoull(seconds, nullptr, 10)) set(RLIMIT_CPU, s);
  if (const rlim_t m = std::strtoull(mebibytes, nullptr, 10)) set(RLIMIT_AS, m << 20);
}

std::string answerTo(const std::string& bytes) {
  const StepProblem tooLarge{"", "needs more memory than it may take", "export the part with fewer details"};
  try {
    return serialize(
        readStepDocument(bytes, [](const std::string& what) { writeAll(kProgress, what + "\n"); }));
  } catch (const UnreadableStep& error) {
    return serialize(error.why());
  } catch (const Standard_OutOfMemory&) {
    return serialize(tooLarge);
  } catch (const Standard_Failure& failure) {
    return serialize(StepProblem{
        "", std::string("is not geometry that OpenCASCADE can read (") + failure.DynamicType()->Name() + ")",
        "repair the part in CAD and export it again"});
  } catch (const std::bad_alloc&) {
    return serialize(tooLarge);
  } catch (const std::exception& error) {
    return serialize(StepProblem{"", std::string("cannot be read (") + error.what() + ")",
                                 "repair the part in CAD and export it again"});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string bytes;
  if (!readAll(STDIN_FILENO, bytes)) return 1;
  limit(argv[1], argv[2]);
  const bool written = writeAll(kAnswer, answerTo(bytes));
  // Without the library's own ends, which take long and may fail once more.
  _exit(written ? 0 : 1);
}
