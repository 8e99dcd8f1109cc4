// libpng's simplified interface.
#include "tests/support/png_picture.h"

#include <png.h>
#include <filesystem>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tenon::tests {

PngPicture readPng(const std::string& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, file.c_str()) == 0) return {};
  image.format = PNG_FORMAT_RGB;
  PngPicture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) == 0) return {};
  return picture;
}

PngPicture readPpm(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string kind;
  int most = 0;
  PngPicture picture;
  if (!(in >> kind >> picture.width >> picture.height >> most) || kind != "P6") return {};
  in.get();
  picture.rgb.assign(std::istreambuf_iterator<char>(in), {});
  const std::size_t bytes = std::size_t(3) * picture.width * picture.height;
  return picture.rgb.size() == bytes ? picture : PngPicture();
}

PictureDifference difference(const PngPicture& a, const PngPicture& b) {
  if (a.width != b.width || a.height != b.height || a.rgb.empty()) return {};
  constexpr int kBlock = 8;
  const int across = (a.width + kBlock - 1) / kBlock, down = (a.height + kBlock - 1) / kBlock;
  std::vector<int> sums(std::size_t(3) * across * down);  // of the differences with their signs
  double all = 0;
  for (std::size_t k = 0; k < a.rgb.size(); ++k) {
    const int d = a.rgb[k] - b.rgb[k], pixel = static_cast<int>(k / 3);
    const int block = pixel / a.width / kBlock * across + pixel % a.width / kBlock;
    sums[3 * static_cast<std::size_t>(block) + k % 3] += d;
    all += std::abs(d);
  }
  int worst = 0;
  for (const int sum : sums) worst = std::max(worst, std::abs(sum));
  return {all / static_cast<double>(a.rgb.size()), worst / double(kBlock * kBlock)};
}

double blackShare(const PngPicture& picture, int x) {
  int black = 0;
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* const p =
        &picture.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                          static_cast<std::size_t>(x))];
    black += p[0] == 0 && p[1] == 0 && p[2] == 0 ? 1 : 0;
  }
  return static_cast<double>(black) / picture.height;
}

std::string unlikeGolden(const std::string& name, const std::string& file) {
  namespace fs = std::filesystem;
  constexpr double kMean = 1, kWorst = 16;
  const std::string golden = std::string(TENON_SOURCE_DIR) + "/tests/runtime/golden/" + name + ".png";
  const PictureDifference d = difference(readPng(golden), readPng(file));
  if (d.mean < kMean && d.worst < kWorst) return "";
  const fs::path kept = fs::temp_directory_path() / ("tenon-differs-" + name + ".png");
  std::error_code failed;
  fs::copy_file(file, kept, fs::copy_options::overwrite_existing, failed);
  return "mean " + std::to_string(d.mean) + ", worst block " + std::to_string(d.worst) +
         "; the picture is kept as " + kept.string();
}

}  // namespace tenon::tests
