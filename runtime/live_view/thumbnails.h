// Small pictures of scenes and parts for the lists of a window: rendered once, on a thread of their own, and
// kept in the user's cache folder.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "content/model/scene.h"
#include "xr/display/image.h"

namespace tenon::runtime {

/// Left, top, right and bottom of a picture in the sheet, 0…1.
using PictureCell = std::array<float, 4>;

struct ThumbnailRequest {
  std::string key;                    ///< of the picture
  std::function<std::string()> text;  ///< all that the picture depends on; may throw
  /// The scene of this text; may throw.
  std::function<content::Scene(const std::string& text)> parse;
};

class Thumbnails {
 public:
  static constexpr int kWidth = 160, kHeight = 120, kColumns = 8, kRows = 10;  ///< [pixels], cells

  /// `folder`: of the kept pictures; "": none are kept.
  explicit Thumbnails(std::string folder) : folder_(std::move(folder)) {}
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  /// Has a picture made, once for each key, and none if the sheet is full. What cannot be read or rendered
  /// has no picture.
  void request(ThumbnailRequest request);
  /// The sheet of all pictures, if there are more than at the last call.
  std::optional<xr::Image> changedSheet();
  std::map<std::string, PictureCell> cells() const;
  bool isBusy() const;

 private:
  void run();
  void make(const ThumbnailRequest& request);
  void put(const std::string& key, const xr::Image& picture);

  const std::string folder_;
  mutable std::mutex mutex_;  ///< of all that follows but thread_
  std::condition_variable wake_;
  std::deque<ThumbnailRequest> waiting_;
  std::set<std::string> known_;
  std::map<std::string, PictureCell> cells_;
  xr::Image sheet_;
  bool changed_ = false, stop_ = false, making_ = false;
  std::thread thread_;
};

/// The picture of a scene at its start, kWidth by kHeight. Throws xr::GraphicsUnavailable.
xr::Image thumbnailOf(const content::Scene& scene);

/// A request for a scene file; its key is the name of the file.
ThumbnailRequest sceneThumbnail(const std::string& file);

}  // namespace tenon::runtime
