// See gpu_timer.h.
#include "xr/vulkan/gpu_timer.h"

#include <utility>

namespace tenon::xr {

namespace {

/// One for each timestamp, and one that is not read: after a pass of two views Mesa 25's software rendering
/// writes a timestamp twice, as the standard says of those within such a pass.
constexpr std::uint32_t kQueryCount = 3;

}  // namespace

GpuTimer::GpuTimer(const ChosenDevice& chosen, const vk::raii::Device& device) {
  const std::uint32_t bits = chosen.physical.getQueueFamilyProperties()[chosen.family].timestampValidBits;
  if (bits == 0) return;
  mask_ = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  period_ = 1e-6 * static_cast<double>(chosen.physical.getProperties().limits.timestampPeriod);
  queries_ = device.createQueryPool({.queryType = vk::QueryType::eTimestamp, .queryCount = kQueryCount});
}

void GpuTimer::begin(const vk::raii::CommandBuffer& commands) {
  if (period_ == 0) return;
  isRecorded_ = true;
  commands.resetQueryPool(*queries_, 0, kQueryCount);
  commands.writeTimestamp2(vk::PipelineStageFlagBits2::eTopOfPipe, *queries_, 0);
}

void GpuTimer::end(const vk::raii::CommandBuffer& commands) const {
  if (isRecorded_) commands.writeTimestamp2(vk::PipelineStageFlagBits2::eBottomOfPipe, *queries_, 1);
}

std::optional<double> GpuTimer::consume() {
  if (!std::exchange(isRecorded_, false)) return std::nullopt;
  const auto [result, ticks] = queries_.getResults<std::uint64_t>(
      0, 2, 2 * sizeof(std::uint64_t), sizeof(std::uint64_t), vk::QueryResultFlagBits::e64);
  if (result != vk::Result::eSuccess) return std::nullopt;
  return period_ * static_cast<double>((ticks[1] - ticks[0]) & mask_);
}

}  // namespace tenon::xr
