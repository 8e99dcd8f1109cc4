// See hash_chain.h.
#include "runtime/record/hash_chain.h"

#include <bit>
#include <string_view>

#include "runtime/record/command_row.h"

namespace tenon::runtime {

namespace {

class Fnv1a {
 public:
  void add(std::uint64_t value) {
    for (int k = 0; k < 8; ++k) addByte(static_cast<unsigned char>(value >> (8 * k)));
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    addBytes(text);
  }
  void addBytes(std::string_view bytes) {
    for (const char c : bytes) addByte(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return hash_; }

 private:
  void addByte(unsigned char byte) { hash_ = (hash_ ^ byte) * 1099511628211ull; }

  std::uint64_t hash_ = 14695981039346656037ull;
};

}  // namespace

std::uint64_t bytesHash(std::string_view bytes) {
  Fnv1a hash;
  hash.addBytes(bytes);
  return hash.value();
}

std::uint64_t chainStart(const SessionHeader& header) {
  Fnv1a hash;
  hash.add(std::string_view(header.sceneText));
  hash.add(static_cast<std::uint64_t>(header.meshFiles.size()));
  for (const auto& [path, bytes] : header.meshFiles) {
    hash.add(std::string_view(path));
    hash.add(bytesHash(bytes));
  }
  for (const auto& [name, value] : header.parameters) {
    hash.add(std::string_view(name));
    hash.add(value);
  }
  hash.add(std::string_view(header.solver));
  hash.add(static_cast<std::uint64_t>(header.solverOptions.size()));
  for (const std::string& option : header.solverOptions) hash.add(std::string_view(option));
  hash.add(header.rate);
  hash.add(header.seed);
  return hash.value();
}

std::uint64_t chainNext(std::uint64_t chain, std::span<const physics::Command> commands,
                        std::uint64_t stateHash, std::span<const WorldChange> changes) {
  Fnv1a hash;
  hash.add(chain);
  const auto add = [&](const CommandRow& row) {
    hash.add(row.kind);
    hash.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(row.hand)));
    hash.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(row.body)));
    if (row.toTick) hash.add(static_cast<std::uint64_t>(*row.toTick));
    if (!row.solver.empty()) hash.add(row.solver);
    if (row.rate > 0) hash.add(row.rate);
    if (row.dynamics) {
      const physics::Dynamics& d = *row.dynamics;
      for (int k = 0; k < 3; ++k) hash.add(d.gravity[k]);
      hash.add(d.linearDamping);
      hash.add(d.angularDamping);
      if (d.restitution) hash.add(*d.restitution);
    }
    if (row.thruster >= 0) {
      hash.add(static_cast<std::uint64_t>(row.thruster));
      hash.add(row.level);
    }
    if (!row.X) return;
    for (int k = 0; k < 3; ++k) hash.add(row.X->p[k]);
    for (int k = 0; k < 4; ++k) hash.add(row.X->q.coeffs()[k]);
  };
  for (const WorldChange& change : changes) add(rowOf(change));
  for (const physics::Command& command : commands) add(rowOf(command));
  hash.add(stateHash);
  return hash.value();
}

}  // namespace tenon::runtime
