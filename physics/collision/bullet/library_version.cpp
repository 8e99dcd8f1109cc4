// See library_version.h.
#include "physics/collision/bullet/library_version.h"

#include <LinearMath/btScalar.h>

#include <sstream>

namespace tenon::physics {

std::string bulletVersion() {
  const int version = btGetVersion();  // 324: 3.24
  std::ostringstream text;
  text << version / 100 << '.' << version / 10 % 10 << version % 10
       << (sizeof(btScalar) == sizeof(double) ? ", double precision" : ", single precision");
  return text.str();
}

}  // namespace tenon::physics
