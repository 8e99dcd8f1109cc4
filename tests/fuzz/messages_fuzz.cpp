// Fuzzes what clients of the service send: any bytes give commands and hand samples that a world accepts, or an error.
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "content/input/input_error.h"
#include "runtime/service/messages/command_messages.h"
#include "tenon/v1/sessions.pb.h"
#include "tests/runtime/live_scene.h"

namespace {

using namespace tenon;

void give(runtime::LockstepSimulation& simulation, const v1::HandsRequest& request) {
  try {
    if (request.has_command())
      simulation.apply(service::commandOf(request.command(), simulation));
    else if (request.has_sample())
      simulation.follow({request.sample().hand()}, service::sampleOf(request.sample(), simulation.scene()), 0);
  } catch (const content::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static runtime::LockstepSimulation simulation(tests::liveScene(), tests::liveOptions(), true);
  v1::ApplyRequest commands;
  v1::HandsRequest request;
  if (commands.ParseFromArray(data, static_cast<int>(size)))
    for (const v1::Command& command : commands.commands()) {
      *request.mutable_command() = command;
      give(simulation, request);
    }
  if (request.ParseFromArray(data, static_cast<int>(size))) give(simulation, request);
  simulation.step();  // throws for what the checks should have refused
  simulation.reset();
  return 0;
}
