// Jobs of a worker that need no session: reports, images, problems.
#include <map>
#include <string>

#include "content/input/input_error.h"
#include "content/model/build_world.h"
#include "content/reader/load_problem.h"
#include "runtime/record/session_reader.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/worker/stored_scene.h"
#include "runtime/service/worker/worker_service.h"
#include "runtime/session/scene_picture.h"
#include "runtime/session/session_report.h"
#include "runtime/session/solve_problem.h"
#include "xr/display/offscreen.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::service {

namespace {

constexpr int kMinPixels = 16, kMaxPixels = 1024;

int pixelsOf(const char* field, int given, int otherwise) {
  if (given == 0) return otherwise;
  if (given < kMinPixels || given > kMaxPixels)
    throw content::InputError("ThumbnailRequest", field, std::to_string(given) + " is out of range",
                              "give a number from 16 to 1024");
  return given;
}

void throwIfCanceled(const grpc::ServerContext& context) {
  if (context.IsCancelled()) throw StatusError(grpc::StatusCode::CANCELLED, "the call was canceled");
}

}  // namespace

grpc::Status WorkerService::Report(Context* context, const worker::ReportJob* job,
                                   worker::ReportResponse* response) {
  return guarded([&] {
    runtime::SessionReader session(job->file());
    response->set_html(
        runtime::reportOf(session, [context](const std::string&) { throwIfCanceled(*context); }).html);
  });
}

grpc::Status WorkerService::Thumbnail(Context* /*context*/, const worker::ThumbnailJob* job,
                                      v1::ThumbnailResponse* response) {
  return guarded([&] {
    const v1::ThumbnailRequest& request = job->request();
    const runtime::ImageSize size{pixelsOf("width", request.width(), 320),
                                  pixelsOf("height", request.height(), 240)};
    const runtime::LoadedScene loaded = loadStored(job->scene(), request.parameters());
    runtime::PictureOptions options;
    if (!request.view().empty()) options.view = request.view();
    const runtime::ScenePicture picture(loaded.scene, options);
    const physics::World world = content::buildWorld(*loaded.scene, {});
    try {
      xr::Offscreen display(size.width, size.height);
      response->set_png(xr::toPng(picture.draw(display, size, world)));
    } catch (const xr::GraphicsUnavailable& error) {
      throw StatusError(grpc::StatusCode::FAILED_PRECONDITION,
                        std::string("the server cannot draw: ") + error.what());
    }
  });
}

grpc::Status WorkerService::Solve(Context* /*context*/, const v1::SolveRequest* request,
                                  v1::SolveResponse* response) {
  return guarded([&] {
    runtime::SolveSettings settings;
    if (!request->solver().empty()) settings.solver = request->solver();
    // Sorted: the order of a message's map is not fixed.
    const std::map<std::string, std::string> options(request->solver_options().begin(),
                                                     request->solver_options().end());
    for (const auto& [name, value] : options) settings.settings.push_back(name + "=" + value);
    if (request->seed() != 0) settings.seed = request->seed();
    const auto solutions =
        runtime::solveProblem(content::parseProblem(request->problem(), "problem"), settings);
    response->set_json(runtime::solutionsJson(solutions));
    response->set_solved(!anyHas(solutions, runtime::SolveStatus::failed) &&
                         anyHas(solutions, runtime::SolveStatus::solved));
  });
}

}  // namespace tenon::service
