// Shares of the connections of the page's port.
#include "runtime/service/http/connections.h"

#include <gtest/gtest.h>

#include <string>

namespace tenon::tests::connections_test {
namespace {

using service::Connections;

TEST(Connections, AnAddressLeavesRepliesOfRefusalToOthers) {
  Connections connections;
  const auto from = [](int k) { return boost::asio::ip::make_address("127.0.0." + std::to_string(k)); };
  for (std::size_t k = 0; k < Connections::kMaxOfAddress; ++k) EXPECT_FALSE(connections.add(from(2)).refused);
  int last = 0;
  for (std::size_t k = 0; k < Connections::kMaxRefusedOfAddress; ++k) {
    const Connections::Added added = connections.add(from(2));
    EXPECT_TRUE(added.refused);
    EXPECT_NE(last = added.number, 0);
  }
  EXPECT_EQ(connections.add(from(2)).number, 0) << "closed at once";
  while (!connections.add(from(3)).refused) {
  }
  const Connections::Added other = connections.add(from(4));
  EXPECT_TRUE(other.refused);
  EXPECT_NE(other.number, 0) << "another address is answered";
  connections.remove(last);
  EXPECT_NE(connections.add(from(2)).number, 0) << "one that is answered makes room for the next";
}

}  // namespace
}  // namespace tenon::tests::connections_test
