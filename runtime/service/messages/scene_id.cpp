// See scene_id.h.
#include "runtime/service/messages/scene_id.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace tenon::service {

namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }
  void add(const std::string& bytes) {
    std::array<unsigned char, 8> size{};
    for (std::size_t k = 0; k < size.size(); ++k)
      size[k] = static_cast<unsigned char>(static_cast<std::uint64_t>(bytes.size()) >> (8 * k));
    require(EVP_DigestUpdate(context_.get(), size.data(), size.size()) == 1);
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  std::string digits() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int count = 0;
    require(EVP_DigestFinal_ex(context_.get(), bytes.data(), &count) == 1);
    std::string text;
    for (unsigned int k = 0; k < count; ++k) text += fmt::format("{:02x}", bytes[k]);
    return text;
  }

 private:
  static void require(bool done) {
    if (!done) throw std::runtime_error("SHA-256 cannot be computed");
  }
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sceneId(const std::string& name, const std::string& text,
                    const std::map<std::string, std::string>& files) {
  Sha256 hash;
  hash.add(name);
  hash.add(text);
  for (const auto& [path, bytes] : files) {
    hash.add(path);
    hash.add(bytes);
  }
  return hash.digits();
}

bool isId(const std::string& text, std::size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace tenon::service
