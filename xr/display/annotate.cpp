// Glyphs by stb_truetype, blended over the image.
#include "xr/display/annotate.h"

#include <algorithm>
#include <cmath>
#include <optional>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb/stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include "xr/appearance/palette.h"

extern "C" const unsigned char tenonFontBegin[];

namespace tenon::xr {

namespace {

using Rgb = Eigen::Vector3d;  // sRGB, 0…1

Rgb rgbOf(Color color) {
  return {color.red / 255.0, color.green / 255.0, color.blue / 255.0};
}

const Rgb kInkRgb = rgbOf(palette::kInk), kPaperRgb = rgbOf(palette::kPaper);
constexpr double kOpacity = palette::kPaperOpacity / 255.0;

/// A rectangle of pixels.
struct Area {
  double x = 0, y = 0, width = 0, height = 0;

  bool overlaps(const Area& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
};

void blend(Image& image, int x, int y, const Rgb& color, double alpha) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  std::uint8_t* const pixel = &image.rgba[4 * (std::size_t(y) * image.width + x)];
  for (int k = 0; k < 3; ++k)
    pixel[k] = static_cast<std::uint8_t>(std::lround((1 - alpha) * pixel[k] + 255 * alpha * color[k]));
}

/// Fraction of the pixel with center (x, y) that a rectangle with rounded corners covers.
double coverage(const Area& area, double radius, double x, double y) {
  const double dx = std::abs(x - area.x - area.width / 2) - (area.width / 2 - radius);
  const double dy = std::abs(y - area.y - area.height / 2) - (area.height / 2 - radius);
  const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0);
  return std::clamp(radius - outside + 0.5, 0.0, 1.0);
}

void fill(Image& image, const Area& area, double radius, const Rgb& color, double alpha) {
  for (int y = static_cast<int>(area.y) - 1; y <= area.y + area.height + 1; ++y)
    for (int x = static_cast<int>(area.x) - 1; x <= area.x + area.width + 1; ++x)
      blend(image, x, y, color, alpha * coverage(area, radius, x + 0.5, y + 0.5));
}

/// The next character of UTF-8 text; advances `at`. Invalid UTF-8 is read byte by byte.
int nextCharacter(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(at++);
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  if (more == 0) return static_cast<int>(first);
  unsigned code = first & (0x3fu >> more);
  for (int k = 0; k < more; ++k) code = code << 6 | (byte(at++) & 0x3fu);
  return static_cast<int>(code);
}

/// DejaVu Sans at one size.
class Font {
 public:
  explicit Font(double pixels) {
    stbtt_InitFont(&font_, tenonFontBegin, 0);
    scale_ = stbtt_ScaleForMappingEmToPixels(&font_, static_cast<float>(pixels));
    int up = 0, down = 0, gap = 0;
    stbtt_GetFontVMetrics(&font_, &up, &down, &gap);
    ascent_ = up * scale_;
    height_ = (up - down) * scale_;
  }

  double height() const { return height_; }

  double widthOf(const std::string& text) const {
    double width = 0;
    for (std::size_t at = 0; at < text.size();) width += advanceOf(nextCharacter(text, at));
    return width;
  }

  /// With its top left corner at (x, y).
  void write(Image& image, double x, double y, const std::string& text, const Rgb& color) const {
    for (std::size_t at = 0; at < text.size();) {
      const int code = nextCharacter(text, at);
      glyph(image, x, std::round(y + ascent_), code, color);
      x += advanceOf(code);
    }
  }

 private:
  double advanceOf(int code) const {
    int advance = 0, bearing = 0;
    stbtt_GetCodepointHMetrics(&font_, code, &advance, &bearing);
    return advance * scale_;
  }

  void glyph(Image& image, double x, double baseline, int code, const Rgb& color) const {
    const double left = std::floor(x);
    int width = 0, height = 0, dx = 0, dy = 0;
    const auto scale = static_cast<float>(scale_), shift = static_cast<float>(x - left);
    unsigned char* const bitmap =
        stbtt_GetCodepointBitmapSubpixel(&font_, scale, scale, shift, 0, code, &width, &height, &dx, &dy);
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column)
        blend(image, static_cast<int>(left) + dx + column, static_cast<int>(baseline) + dy + row, color,
              bitmap[row * width + column] / 255.0);
    stbtt_FreeBitmap(bitmap, nullptr);
  }

  stbtt_fontinfo font_{};
  double scale_ = 1;  ///< size of a font unit [pixels]
  double ascent_ = 0, height_ = 0;
};

/// The area of a label: right of a vertical arrow, above a horizontal one, otherwise beyond its tip. None if
/// the point is outside the image.
std::optional<Area> areaOf(const Label& label, const View& view, const Image& image, const Font& font) {
  const Eigen::Vector3d at = projected(view, label.at), from = projected(view, label.from);
  if (at.z() <= view.nearPlane || at.x() < 0 || at.x() > 1 || at.y() < 0 || at.y() > 1) return std::nullopt;
  const double across = view.width * image.width, down = view.height * image.height;
  const double dx = (at.x() - from.x()) * across, dy = (at.y() - from.y()) * down;
  const bool hasFrom = from.z() > view.nearPlane;
  const bool leftwards = hasFrom && dx < -0.4 * std::abs(dy), downwards = hasFrom && dy > 0.4 * std::abs(dx);
  const double gap = 0.4 * font.height();
  Area area{view.x * image.width + at.x() * across + gap, view.y * image.height + at.y() * down + gap,
            font.widthOf(label.text) + 2 * gap, 1.2 * font.height()};
  if (leftwards) area.x -= 2 * gap + area.width;
  if (!downwards) area.y -= 2 * gap + area.height;
  area.x = std::clamp(area.x, 0.0, std::max(image.width - area.width, 0.0));
  return area;
}

void writeLabels(Image& image, const View& view, const RenderScene& scene, const Font& font) {
  std::vector<Area> used;
  for (const Label& label : scene.labels) {
    const std::optional<Area> area = areaOf(label, view, image, font);
    if (!area ||
        std::any_of(used.begin(), used.end(), [&](const Area& other) { return other.overlaps(*area); }))
      continue;
    used.push_back(*area);
    fill(image, *area, 0.3 * font.height(), kPaperRgb, kOpacity);
    font.write(image, area->x + 0.4 * font.height(), area->y + 0.1 * font.height(), label.text, kInkRgb);
  }
}

void writeCaptions(Image& image, const std::vector<Caption>& captions, const Font& font) {
  const double lineHeight = 1.35 * font.height(), margin = 0.8 * font.height(), swatch = 1.6 * font.height();
  double width = 0;
  for (const Caption& caption : captions)
    width = std::max(width, font.widthOf(caption.text) + (caption.color ? swatch + margin / 2 : 0));
  const Area box{margin, image.height - margin - lineHeight * static_cast<double>(captions.size()) - margin,
                 width + 2 * margin, lineHeight * static_cast<double>(captions.size()) + margin};
  fill(image, box, 0.4 * font.height(), kPaperRgb, kOpacity);
  double y = box.y + 0.5 * margin;
  for (const Caption& caption : captions) {
    double x = box.x + margin;
    if (caption.color) {
      const Rgb color = caption.color->unaryExpr(&encodeSrgb);
      fill(image, {x, y + 0.45 * lineHeight, swatch, 0.2 * font.height()}, 0.1 * font.height(), color, 1);
      x += swatch + margin / 2;
    }
    font.write(image, x, y + 0.5 * (lineHeight - font.height()), caption.text, kInkRgb);
    y += lineHeight;
  }
}

}  // namespace

void annotate(Image& image, std::span<const View> views, const RenderScene& scene) {
  if (scene.labels.empty() && scene.captions.empty()) return;
  const Font font(std::clamp(image.height / 50.0, 10.0, 40.0));
  for (const View& view : views) writeLabels(image, view, scene, font);
  if (!scene.captions.empty()) writeCaptions(image, scene.captions, font);
}

}  // namespace tenon::xr
