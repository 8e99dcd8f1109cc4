// The STEP reader of tenon, in a separate process so that a crash of OpenCASCADE does not affect tenon. Reads
// the file from descriptor 0, writes the output to descriptor 3 and progress lines to descriptor 4.
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

constexpr int kOutput = 3, kProgress = 4;

/// Returns false on a read error.
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

/// Limits CPU seconds and memory [MiB]; 0 for no limit. Also forbids opening files.
void setLimits(const char* seconds, const char* mebibytes) {
  const auto set = [](auto resource, rlim_t maximum) {
    const rlimit limits{maximum, maximum};
    setrlimit(resource, &limits);
  };
  set(RLIMIT_CORE, 0);
  set(RLIMIT_NOFILE, 0);
  if (const rlim_t s = std::strtoull(seconds, nullptr, 10)) set(RLIMIT_CPU, s);
  if (const rlim_t m = std::strtoull(mebibytes, nullptr, 10)) set(RLIMIT_AS, m << 20);
}

std::string outputFor(const std::string& bytes) {
  const StepProblem tooLarge{"", "needs more memory than allowed", "export the part with fewer details"};
  try {
    return serialize(
        readStepDocument(bytes, [](const std::string& line) { writeAll(kProgress, line + "\n"); }));
  } catch (const UnreadableStep& error) {
    return serialize(error.details());
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
  setLimits(argv[1], argv[2]);
  const bool written = writeAll(kOutput, outputFor(bytes));
  // Skips the destructors of OpenCASCADE, which are slow and may crash.
  _exit(written ? 0 : 1);
}
