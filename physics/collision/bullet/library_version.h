// The Bullet library that this program is built with. Includes no Bullet header.
#pragma once

#include <string>

namespace tenon::physics {

/// Version and precision of Bullet: "3.24, double precision".
std::string bulletVersion();

}  // namespace tenon::physics
