// Fuzzes what clients of the service send: any numbers in commands and hand samples, and any bytes as
// messages, give inputs that a world accepts, or an error.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "content/input/input_error.h"
#include "runtime/service/messages/command_messages.h"
#include "tenon/v1/sessions.pb.h"
#include "tests/runtime/live_scene.h"

namespace {

using namespace tenon;

/// Numbers of the input; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool isEmpty() const { return size_ == 0; }
  template <class Number>
  Number take() {
    Number number{};
    const std::size_t count = std::min(sizeof number, size_);
    std::memcpy(&number, data_, count);
    data_ += count;
    size_ -= count;
    return number;
  }
  /// Mostly an index of a short list.
  int index() { return static_cast<int>(take<std::int8_t>()) / 16; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

void fill(Bytes& bytes, v1::Vector3* v) {
  v->set_x(bytes.take<double>());
  v->set_y(bytes.take<double>());
  v->set_z(bytes.take<double>());
}

void fill(Bytes& bytes, v1::Pose* pose) {
  fill(bytes, pose->mutable_position());
  if (bytes.take<std::uint8_t>() % 2 == 0) return;
  pose->mutable_orientation()->set_w(bytes.take<double>());
  pose->mutable_orientation()->set_x(bytes.take<double>());
}

void fillSample(Bytes& bytes, v1::HandSample* sample) {
  sample->set_hand(bytes.index());
  sample->set_tracked(bytes.take<std::uint8_t>() % 4 != 0);
  sample->set_closed(bytes.take<std::uint8_t>() % 2 != 0);
  fill(bytes, sample->mutable_pose());
  if (bytes.take<std::uint8_t>() % 2 != 0) sample->set_part(bytes.index());
  sample->set_grab_radius(bytes.take<double>());
  sample->set_move_duration(bytes.take<double>());
}

void fillDynamics(Bytes& bytes, v1::SetDynamics* set) {
  fill(bytes, set->mutable_gravity());
  set->set_linear_damping(bytes.take<double>());
  set->set_angular_damping(bytes.take<double>());
  set->set_restitution(bytes.take<double>());
}

v1::HandsRequest requestOf(Bytes& bytes) {
  v1::HandsRequest request;
  switch (bytes.take<std::uint8_t>() % 7) {
    case 0:
      fillSample(bytes, request.mutable_sample());
      break;
    case 1:
      request.mutable_command()->mutable_move_hand()->set_hand(bytes.index());
      fill(bytes, request.mutable_command()->mutable_move_hand()->mutable_target());
      break;
    case 2:
      request.mutable_command()->mutable_grasp()->set_hand(bytes.index());
      request.mutable_command()->mutable_grasp()->set_part(bytes.index());
      if (bytes.take<std::uint8_t>() % 2 != 0)
        fill(bytes, request.mutable_command()->mutable_grasp()->mutable_pose());
      break;
    case 3:
      request.mutable_command()->mutable_release()->set_hand(bytes.index());
      break;
    case 4:
      request.mutable_command()->mutable_set_pose()->set_part(bytes.index());
      fill(bytes, request.mutable_command()->mutable_set_pose()->mutable_pose());
      break;
    case 5:
      fillDynamics(bytes, request.mutable_command()->mutable_set_dynamics());
      break;
    default:
      request.mutable_command()->mutable_set_thruster()->set_thruster(bytes.index());
      request.mutable_command()->mutable_set_thruster()->set_level(bytes.take<double>());
  }
  return request;
}

void give(runtime::LockstepSimulation& simulation, const v1::HandsRequest& request) {
  try {
    if (request.has_command())
      simulation.apply(service::commandOf(request.command(), simulation));
    else if (request.has_sample())
      simulation.follow({request.sample().hand()}, service::sampleOf(request.sample(), simulation.scene()),
                        0);
  } catch (const content::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static runtime::LockstepSimulation simulation(tests::liveScene(), tests::liveOptions(), true);
  v1::HandsRequest raw;
  if (raw.ParseFromArray(data, static_cast<int>(size))) give(simulation, raw);
  constexpr int kMostRequests = 20;
  Bytes bytes(data, size);
  for (int k = 0; k < kMostRequests && !bytes.isEmpty(); ++k) give(simulation, requestOf(bytes));
  simulation.step();  // throws for what the checks should have refused
  simulation.reset();
  return 0;
}
