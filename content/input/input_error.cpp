// Formats every error about a file as "file: place: problem; remedy", on one line.
#include "content/input/input_error.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

constexpr std::size_t kMaxBytes = 1000;  // of each of the four parts

std::string message(const std::string& file, const std::string& place, const std::string& problem,
                    const std::string& remedy) {
  const std::string where = place.empty() ? "" : oneLine(place, kMaxBytes) + ": ";
  return oneLine(file, kMaxBytes) + ": " + where + oneLine(problem, kMaxBytes) + "; " +
         oneLine(remedy, kMaxBytes);
}

}  // namespace

InputError::InputError(const std::string& file, const std::string& place, const std::string& problem,
                       const std::string& remedy)
    : std::runtime_error(message(file, place, problem, remedy)) {}

}  // namespace tenon::content
