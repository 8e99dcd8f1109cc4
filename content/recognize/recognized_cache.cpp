// An entry is a checksum and JSON (see recognized_json.h).
#include "content/recognize/recognized_cache.h"

#include <fmt/format.h>

#include <unistd.h>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "content/input/input_error.h"
#include "content/input/text_file.h"
#include "content/recognize/recognized_json.h"

namespace tenon::content {
namespace {

/// Version of the recognition: increment it when results change.
constexpr int kCacheVersion = 36;
constexpr std::size_t kMaxEntryBytes = std::size_t{64} << 20;

/// A 128-bit hash from two different 64-bit mixers.
class Hash {
 public:
  void add(std::uint64_t value) {
    a_ = (a_ ^ value) * 0x9fb21c651e98df25ULL;
    a_ ^= a_ >> 29;
    b_ = std::rotl(b_ + value * 0xd6e8feb86659fd93ULL, 27) * 0xff51afd7ed558ccdULL;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  std::string text() const {
    const auto mixed = [](std::uint64_t h) {
      h = (h ^ h >> 32) * 0xd6e8feb86659fd93ULL;
      h = (h ^ h >> 32) * 0xd6e8feb86659fd93ULL;
      return h ^ h >> 32;
    };
    return fmt::format("{:016x}{:016x}", mixed(a_), mixed(b_ + a_));
  }

 private:
  std::uint64_t a_ = 0x243f6a8885a308d3ULL, b_ = 0x13198a2e03707344ULL;
};

void addText(const std::string& text, Hash& hash) {
  for (const char c : text) hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
}

std::string checksum(const std::string& text) {
  Hash hash;
  addText(text, hash);
  return hash.text();
}

std::filesystem::path entryPath(const std::string& folder, const std::string& key) {
  return std::filesystem::path(folder) / ("mesh-" + key + ".json");
}

}  // namespace

std::string cacheKey(const TriangleMesh& mesh, BoreRule rule, ThreadRule threads) {
  Hash hash;
  hash.add(std::uint64_t{kCacheVersion});
  hash.add(static_cast<std::uint64_t>(rule));
  hash.add(static_cast<std::uint64_t>(threads));
  hash.add(std::uint64_t{mesh.vertices.size()});
  for (const Vector3d& p : mesh.vertices)
    for (const double c : p) hash.add(c);
  for (const auto& t : mesh.triangles)
    for (const int k : t) hash.add(static_cast<std::uint64_t>(k));
  return hash.text();
}

std::string cacheKey(const std::string& bytes, const std::string& product, const std::string& reader,
                     ThreadRule threads) {
  Hash hash;
  hash.add(std::uint64_t{kCacheVersion});
  hash.add(static_cast<std::uint64_t>(threads));
  for (const std::string* text : {&bytes, &product, &reader}) {
    hash.add(std::uint64_t{text->size()});
    addText(*text, hash);
  }
  return hash.text();
}

std::string toCacheText(const RecognizedPart& p) {
  return withChecksum(jsonOf(p).dump());
}

std::string withChecksum(const std::string& body) {
  return checksum(body) + "\n" + body + "\n";
}

std::optional<RecognizedPart> fromCacheText(const std::string& text) {
  const auto end = text.find('\n');
  if (end == std::string::npos || text.back() != '\n') return std::nullopt;
  const std::string body = text.substr(end + 1, text.size() - end - 2);
  if (text.substr(0, end) != checksum(body)) return std::nullopt;
  try {
    return recognizedPartOf(nlohmann::json::parse(body));
  } catch (const std::exception&) {  // see recognized_json.h
    return std::nullopt;
  }
}

std::optional<RecognizedPart> readCache(const std::string& folder, const std::string& key) {
  if (folder.empty()) return std::nullopt;
  try {
    return fromCacheText(
        readTextFile(entryPath(folder, key).string(), {"cache", kMaxEntryBytes, "remove it"}));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void writeCache(const std::string& folder, const std::string& key, const RecognizedPart& part) {
  if (folder.empty()) return;
  const std::string text = toCacheText(part);
  if (text.size() > kMaxEntryBytes) return;  // recognized again each time
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string target = entryPath(folder, key).string();
  const std::string temporary = fmt::format("{}.{}", target, ::getpid());
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) {
      std::filesystem::remove(temporary, error);
      return;
    }
  }
  std::filesystem::rename(temporary, target, error);
  if (error) std::filesystem::remove(temporary, error);
}

std::string userCacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && std::filesystem::path(cache).is_absolute())
    return (std::filesystem::path(cache) / "tenon").string();
  const char* home = std::getenv("HOME");
  if (home && std::filesystem::path(home).is_absolute())
    return (std::filesystem::path(home) / ".cache" / "tenon").string();
  return "";
}

}  // namespace tenon::content
