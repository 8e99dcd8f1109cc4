// See contact_frame.h. Bytes of the same significance are stored side by side: those of unchanged and
// slightly changed numbers are 0.
#include "runtime/record/contact_frame.h"

#include <zstd.h>

#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <tuple>

namespace tenon::runtime {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

constexpr std::uint32_t kNew = std::uint32_t{1} << 31;   ///< without a predecessor; no difference of places
constexpr std::size_t kMaxBytes = std::size_t{1} << 28;  ///< uncompressed
constexpr std::size_t kKeyBytes = 16;                    ///< i, j, feature
constexpr int kLevel = 3;                                ///< of zstd

auto keyOf(const RecordedContact& c) {
  return std::tuple(c.i, c.j, c.feature);
}

/// Finds the contact of the same bodies and features among those before.
class Predecessors {
 public:
  explicit Predecessors(const RecordedContacts& before) : before_(before) {
    for (std::size_t k = 0; k < before.size(); ++k)
      byKey_.emplace(keyOf(before[k]), static_cast<std::uint32_t>(k));
  }
  std::uint32_t of(const RecordedContact& contact, std::size_t near) const {
    if (near < before_.size() && keyOf(before_[near]) == keyOf(contact))
      return static_cast<std::uint32_t>(near);
    const auto found = byKey_.find(keyOf(contact));
    return found == byKey_.end() ? kNew : found->second;
  }

 private:
  const RecordedContacts& before_;
  std::map<std::tuple<int, int, std::uint64_t>, std::uint32_t> byKey_;
};

template <class Number>
void append(std::string& bytes, Number number) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(Number));
  std::memcpy(&bytes[at], &number, sizeof(Number));
}

/// Reads numbers one after the other and refuses to read past the end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) throw std::invalid_argument("contacts end too early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  template <class Number>
  Number number() {
    Number number;
    std::memcpy(&number, take(sizeof(Number)).data(), sizeof(Number));
    return number;
  }
  std::size_t size() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

std::uint32_t bitsOf(const RecordedContact* contact, std::size_t value) {
  return contact == nullptr ? 0 : std::bit_cast<std::uint32_t>(contact->values[value]);
}

std::string compressed(const std::string& bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // nothing else can fail in memory
  out.resize(size);
  return out;
}

std::string decompressed(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxBytes)
    throw std::invalid_argument("contacts are not compressed by zstd, or too many");
  std::string out(static_cast<std::size_t>(size), '\0');
  const std::size_t done = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(done) != 0 || done != out.size())
    throw std::invalid_argument(std::string("contacts cannot be decompressed: ") + ZSTD_getErrorName(done));
  return out;
}

RecordedContact recorded(const physics::ContactForce& c) {
  RecordedContact contact{c.contact.i.value, c.contact.j.value, c.contact.feature, {}};
  const physics::Vector3d &p = c.contact.p, &n = c.contact.n, &f = c.friction;
  const std::array<double, RecordedContact::count> values{
      p.x(), p.y(), p.z(), n.x(), n.y(), n.z(), c.contact.separation, c.force, f.x(), f.y(), f.z(), c.mu};
  for (std::size_t k = 0; k < values.size(); ++k) contact.values[k] = static_cast<float>(values[k]) + 0.0F;
  return contact;
}

}  // namespace

std::string encodeContacts(const RecordedContacts& now, const RecordedContacts& before) {
  const Predecessors predecessors(before);
  std::string bytes, keys;
  append(bytes, static_cast<std::uint32_t>(now.size()));
  std::vector<const RecordedContact*> from(now.size(), nullptr);
  for (std::size_t k = 0; k < now.size(); ++k) {
    const std::uint32_t at = predecessors.of(now[k], k);
    append(bytes, at == kNew ? kNew : static_cast<std::uint32_t>(at - k));
    if (at != kNew) {
      from[k] = &before[at];
      continue;
    }
    append(keys, now[k].i);
    append(keys, now[k].j);
    append(keys, now[k].feature);
  }
  bytes += keys;
  for (std::size_t value = 0; value < RecordedContact::count; ++value)
    for (int shift = 0; shift < 32; shift += 8)
      for (std::size_t k = 0; k < now.size(); ++k)
        bytes += static_cast<char>((bitsOf(&now[k], value) ^ bitsOf(from[k], value)) >> shift & 0xFFU);
  return compressed(bytes);
}

RecordedContacts decodeContacts(std::string_view bytes, const RecordedContacts& before) {
  const std::string plain = decompressed(bytes);
  Bytes rest(plain);
  const std::size_t count = rest.number<std::uint32_t>();
  Bytes sources(rest.take(count * sizeof(std::uint32_t)));
  std::vector<std::uint32_t> from(count);
  RecordedContacts now(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto difference = sources.number<std::uint32_t>();
    from[k] = difference == kNew ? kNew : static_cast<std::uint32_t>(k) + difference;
    if (from[k] == kNew) {
      Bytes key(rest.take(kKeyBytes));
      now[k].i = key.number<int>();
      now[k].j = key.number<int>();
      now[k].feature = key.number<std::uint64_t>();
      continue;
    }
    if (from[k] >= before.size()) throw std::invalid_argument("contacts refer to one that is not there");
    now[k] = before[from[k]];
  }
  for (std::size_t value = 0; value < RecordedContact::count; ++value) {
    std::array<std::string_view, 4> planes;
    for (std::string_view& plane : planes) plane = rest.take(count);
    for (std::size_t k = 0; k < count; ++k) {
      std::uint32_t bits = bitsOf(&now[k], value);
      for (std::size_t b = 0; b < planes.size(); ++b)
        bits ^= std::uint32_t{static_cast<unsigned char>(planes[b][k])} << (8 * b);
      now[k].values[value] = std::bit_cast<float>(bits);
    }
  }
  if (rest.size() != 0) throw std::invalid_argument("contacts have bytes after their end");
  return now;
}

std::optional<std::string> ContactRows::add(const std::vector<physics::ContactForce>& contacts, bool whole) {
  RecordedContacts now;
  now.reserve(contacts.size());
  for (const physics::ContactForce& contact : contacts) now.push_back(recorded(contact));
  if (!whole && now == last_) return std::nullopt;
  std::string bytes = encodeContacts(now, whole ? RecordedContacts() : last_);
  last_ = std::move(now);
  return bytes;
}

}  // namespace tenon::runtime
