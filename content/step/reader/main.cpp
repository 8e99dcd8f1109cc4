// The STEP reader of tenon, in a separate process so that a crash of OpenCASCADE does not affect tenon. Reads
// the file from descriptor 0, writes the output to descriptor 3 and progress lines to descriptor 4.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "content/step/reader/product_meshes.h"
#include "content/step/reader/step_document.h"
#include "content/step/reader/unreadable_step.h"
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

std::string outputFor(const std::string& bytes, int products, double seconds) {
  const auto progress = [](const std::string& line) { writeAll(kProgress, line + "\n"); };
  try {
    const StepDocument document = readStepDocument(bytes, progress);
    return serialize(document.model, meshProducts(document, products, seconds, progress));
  } catch (...) {
    return serialize(problemOfException());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string bytes;
  if (!readAll(STDIN_FILENO, bytes)) return 1;
  const int products = memfd_create("products", 0);  // before no file can be opened
  if (products < 0) return 1;
  setLimits(argv[1], argv[2]);
  const bool written = writeAll(kOutput, outputFor(bytes, products, std::strtod(argv[1], nullptr)));
  // Skips the destructors of OpenCASCADE, which are slow and may crash.
  _exit(written ? 0 : 1);
}
