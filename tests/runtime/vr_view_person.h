// A person with a headset and what is at places of its images.
#pragma once

#include <algorithm>
#include <array>

#include "tests/runtime/vr_layer_person.h"

namespace tenon::tests {

class VrViewPerson : public VrLayerPerson {
 protected:
  /// A place of the room in the left eye: tangents to the right and up; the eye's frame.
  Vector3d inEye(const Json& eye, const Vector3d& p_S) const {
    return poseOf(eye["in_room"]).inverse() * p_S;
  }
  /// Its pixel in the left eye's half of a picture, and how far that is from the edge at least.
  std::array<int, 2> pixelOf(const Json& eye, const Vector3d& p_S, const PngPicture& picture) const {
    const Vector3d p = inEye(eye, p_S);
    const Json& t = eye["tangents"];
    const double x = (p.x() / -p.z() - t[0].get<double>()) / (t[1].get<double>() - t[0].get<double>());
    const double y = (t[3].get<double>() - p.y() / -p.z()) / (t[3].get<double>() - t[2].get<double>());
    return {static_cast<int>(0.5 * picture.width * x), static_cast<int>(picture.height * y)};
  }
  bool sees(const Json& eye, const Vector3d& p_S) const {
    const Vector3d p = inEye(eye, p_S);
    if (p.z() >= 0) return false;
    const double x = p.x() / -p.z(), y = p.y() / -p.z();
    const Json& t = eye["tangents"];
    return x > t[0].get<double>() && x < t[1].get<double>() && y > t[2].get<double>() &&
           y < t[3].get<double>();
  }
};

/// The mean of red, green and blue around a pixel.
inline physics::Vector3d colourAt(const PngPicture& picture, const std::array<int, 2>& pixel, int radius) {
  physics::Vector3d sum = physics::Vector3d::Zero();
  int count = 0;
  for (int y = std::max(0, pixel[1] - radius); y <= std::min(picture.height - 1, pixel[1] + radius); ++y)
    for (int x = std::max(0, pixel[0] - radius); x <= std::min(picture.width - 1, pixel[0] + radius); ++x) {
      const std::size_t at = 3 * (static_cast<std::size_t>(y) * picture.width + x);
      sum += physics::Vector3d(picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]);
      ++count;
    }
  return sum / std::max(count, 1);
}

}  // namespace tenon::tests
