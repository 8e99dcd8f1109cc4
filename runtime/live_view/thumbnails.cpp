// Pictures are rendered at twice their size and averaged. A kept picture is a file of raw pixels, named by a
// hash of all that it depends on.
#include "runtime/live_view/thumbnails.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "content/reader/load_scene.h"
#include "content/recognize/recognized_cache.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/background_thread.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;

constexpr int kOversampling = 2;
constexpr std::size_t kMaxKept = 400;  ///< pictures in the folder
constexpr std::size_t kPictureBytes = std::size_t(4) * Thumbnails::kWidth * Thumbnails::kHeight;
/// To be changed with the look of the pictures.
constexpr const char* kPictureVersion = "thumbnail 1\n";

/// FNV-1a, 64 bits, in hexadecimal digits.
std::string hashOf(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::optional<xr::Image> readKept(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  xr::Image picture{Thumbnails::kWidth, Thumbnails::kHeight, {}};
  picture.rgba.assign(std::istreambuf_iterator<char>(in), {});
  return picture.rgba.size() == kPictureBytes ? std::optional(std::move(picture)) : std::nullopt;
}

/// Removes the oldest pictures beyond kMaxKept.
void removeOldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code none;
    files.emplace_back(entry->last_write_time(none), entry->path());
  }
  if (files.size() <= kMaxKept) return;
  std::sort(files.begin(), files.end());
  for (std::size_t k = 0; k + kMaxKept < files.size(); ++k) fs::remove(files[k].second, error);
}

/// Failures are ignored: the picture is rendered again next time.
void keep(const fs::path& folder, const std::string& file, const xr::Image& picture) {
  std::error_code error;
  fs::create_directories(folder, error);
  try {
    AtomicFile(file).commit(std::string(picture.rgba.begin(), picture.rgba.end()));
    removeOldest(folder);
  } catch (const std::exception&) {  // a full or read-only disk
  }
}

/// The mean of each square of pixels.
xr::Image reduced(const xr::Image& large) {
  xr::Image small{large.width / kOversampling, large.height / kOversampling, {}};
  small.rgba.reserve(kPictureBytes);
  const auto at = [&](int x, int y, int c) {
    const int index = 4 * (y * large.width + x) + c;
    return large.rgba[static_cast<std::size_t>(index)];
  };
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x)
      for (int c = 0; c < 4; ++c) {
        int sum = 0;
        for (int dy = 0; dy < kOversampling; ++dy)
          for (int dx = 0; dx < kOversampling; ++dx)
            sum += at(kOversampling * x + dx, kOversampling * y + dy, c);
        small.rgba.push_back(static_cast<std::uint8_t>(sum / (kOversampling * kOversampling)));
      }
  return small;
}

}  // namespace

Thumbnails::~Thumbnails() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Thumbnails::request(ThumbnailRequest request) {
  {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kColumns * kRows || !known_.insert(request.key).second) return;
    waiting_.push_back(std::move(request));
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  wake_.notify_all();
}

std::optional<xr::Image> Thumbnails::changedSheet() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(changed_, false)) return std::nullopt;
  return sheet_;
}

std::map<std::string, PictureCell> Thumbnails::cells() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

bool Thumbnails::isBusy() const {
  const std::lock_guard lock(mutex_);
  return making_ || !waiting_.empty();
}

void Thumbnails::run() {
  lowerPriority();  // also that of the threads of a software renderer
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return stop_ || !waiting_.empty(); });
    if (stop_) return;
    const ThumbnailRequest next = std::move(waiting_.front());
    waiting_.pop_front();
    making_ = true;
    lock.unlock();
    try {
      make(next);
    } catch (const std::exception&) {  // opening the scene reports the error
    }
    lock.lock();
    making_ = false;
  }
}

void Thumbnails::make(const ThumbnailRequest& request) {
  const std::string text = request.text();
  const fs::path folder = folder_.empty() ? fs::path() : fs::path(folder_) / "thumbnails";
  const std::string file = (folder / (hashOf(kPictureVersion + text) + ".rgba")).string();
  if (!folder.empty())
    if (const auto kept = readKept(file)) return put(request.key, *kept);
  const xr::Image picture = thumbnailOf(request.parse(text));
  put(request.key, picture);
  if (!folder.empty()) keep(folder, file, picture);
}

void Thumbnails::put(const std::string& key, const xr::Image& picture) {
  const std::lock_guard lock(mutex_);
  if (sheet_.rgba.empty()) {
    sheet_ = {kColumns * kWidth, kRows * kHeight, {}};
    sheet_.rgba.assign(kPictureBytes * kColumns * kRows, 255);
  }
  const int index = static_cast<int>(cells_.size()), left = index % kColumns * kWidth,
            top = index / kColumns * kHeight;
  for (int y = 0; y < kHeight; ++y)
    std::copy_n(picture.rgba.begin() + std::ptrdiff_t(4) * y * kWidth, 4 * kWidth,
                sheet_.rgba.begin() + std::ptrdiff_t(4) * ((top + y) * sheet_.width + left));
  const auto across = static_cast<float>(sheet_.width), down = static_cast<float>(sheet_.height);
  cells_[key] = {static_cast<float>(left) / across, static_cast<float>(top) / down,
                 static_cast<float>(left + kWidth) / across, static_cast<float>(top + kHeight) / down};
  changed_ = true;
}

xr::Image thumbnailOf(const content::Scene& scene) {
  const xr::PartMeshes meshes(scene);
  std::vector<physics::Pose> X_WP;
  std::vector<physics::Vector3d> points;
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    X_WP.push_back(scene.parts[k].X_WP);
    if (meshes.of(k))
      for (const physics::Vector3d& p : meshes.of(k)->positions) points.push_back(X_WP[k] * p);
  }
  constexpr int kWide = kOversampling * Thumbnails::kWidth, kHigh = kOversampling * Thumbnails::kHeight;
  const xr::View view = xr::fitView(points, *xr::viewDirection("iso"), static_cast<double>(kWide) / kHigh);
  xr::RenderScene renderScene = xr::compose(scene, meshes, X_WP);
  renderScene.captions.clear();  // too small to be read
  return reduced(xr::Offscreen(kWide, kHigh, {6, 18}).draw({&view, 1}, renderScene));
}

ThumbnailRequest sceneThumbnail(const std::string& file) {
  return {file, [file] { return content::readSceneText(file); },
          [file](const std::string& text) {
            content::MeshReadOptions meshes;
            meshes.cacheFolder = content::userCacheFolder();
            return content::parseScene(text, file, {}, meshes, content::SceneChecks::entries);
          }};
}

}  // namespace tenon::runtime
