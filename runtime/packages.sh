# The packages Tenon is built and tested with, and the one way to get them. Sourced by
# runtime/quickstart.sh and tests/run.sh; names are those of Debian 12.
# shellcheck shell=bash

# To build and run the program.
tenon_build_packages=(
  g++ cmake ninja-build pkg-config
  libeigen3-dev          # linear algebra
  libbullet-dev          # collision detection, in its double-precision build
  libsleef-dev           # sin, exp ... with the same bits on every processor
  libvulkan-dev          # headers of Vulkan and Vulkan-Hpp, and the loader
  glslc spirv-tools      # shaders
  libpng-dev             # pictures
  libstb-dev fonts-dejavu-core   # writing in pictures
  libglfw3-dev libimgui-dev      # the window and its panels
  libopenxr-dev          # headers of OpenXR, and the loader
  nlohmann-json3-dev     # scene files
  libmuparser-dev        # expressions in scene files
  libtinygltf-dev        # meshes in glTF
  zlib1g-dev libjs-three # pages for browsers: compression, three.js
  libcli11-dev           # command line
  libfmt-dev
  libboost-dev           # exact arithmetic of meshes; connections of tenon serve
  libsqlitecpp-dev libsqlite3-dev libzstd-dev   # session files
  libocct-data-exchange-dev libtbb-dev   # OpenCASCADE: STEP files
  pybind11-dev python3-dev python3-numpy   # import tenon
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc libssl-dev   # tenon serve: calls,
  prometheus-cpp-dev                                                                  # page, metrics
)
# Without a graphics driver, Mesa's software device draws the pictures.
[ -n "$(find /usr/share/vulkan/icd.d /etc/vulkan/icd.d -name '*.json' 2>/dev/null)" ] ||
  tenon_build_packages+=(mesa-vulkan-drivers)

# In addition, to run every test.
tenon_test_packages=(
  libopenal-dev          # sound, an optional component
  libgtest-dev libbenchmark-dev
  ccache                 # four builds of the same sources
  clang-14 libclang-rt-14-dev   # the second compiler, its sanitizers and fuzzer
  clang-format-14 clang-tidy-14
  libclang-14-dev llvm-14-dev   # headers for clang-tidy's plugin (tests/harness/own_declarations.cpp)
  python3 python3-jsonschema    # checks of the tree, scenes against their schema
  mypy                   # types of the Python module
  groff-base             # reads the manual page
  doxygen                # pages of the public headers
  mesa-vulkan-drivers    # a Vulkan device on machines without a graphics card
  vulkan-validationlayers   # finds wrong use of Vulkan
  chromium               # reads the exported report
  ffmpeg                 # encodes movies of sessions, and reads them
  openxr-layer-corevalidation   # finds wrong use of OpenXR
  slurm-wlm munge        # a cluster on this machine
  python3-distributed    # another one: Dask
  xvfb xdotool           # a virtual screen, and its mouse
  libx11-dev openbox x11-xserver-utils   # who drops files there, minimises windows, and pulls the monitor's plug
)

# One line on stderr, then the end.
die() {
  echo "$(basename "$0"): $*" >&2
  exit 3
}

# Prints those of the given packages that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# Prints the words to put before a command that needs root, or fails.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    echo env
  elif ! command -v sudo >/dev/null; then
    return 1
  elif [ -t 0 ]; then
    echo sudo env
  else
    sudo -n true 2>/dev/null && echo sudo -n env
  fi
}

# Installs what is missing of the given packages. Without anything missing it touches neither apt nor
# the network. Ends the script with one line where a package cannot be had.
ensure_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "this script installs with apt (Debian 12, Ubuntu 24.04); elsewhere install these by hand: $*"
  local missing prefix log
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then
    echo "All $# packages are installed."
    return
  fi
  echo "Installing ${#missing[@]} of $# packages: ${missing[*]}"
  prefix=$(root_prefix) || die "installing needs root or sudo; as root: apt-get install ${missing[*]}"
  mkdir -p build
  log=build/packages.log
  local options=(-q -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1
                 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
  # A source of the machine's own that fails to update must not stop us: the install decides.
  # shellcheck disable=SC2086  # the prefix is several words
  $prefix apt-get "${options[@]}" update >"$log" 2>&1 </dev/null || true
  # shellcheck disable=SC2086
  if ! $prefix DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends \
      "${missing[@]}" >>"$log" 2>&1 </dev/null; then
    die "cannot install ${missing[*]}: $(grep -m1 '^E:' "$log" || tail -n1 "$log"); all of it is in $PWD/$log"
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -eq 0 ] || die "apt did not install ${missing[*]}; what it said is in $PWD/$log"
}

# CMake's presets and imported targets are used as of 3.25.
require_cmake() {
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  printf '3.25\n%s\n' "$version" | sort --version-sort --check=quiet ||
    die "CMake $version is too old, 3.25 is needed: use Debian 12 or Ubuntu 24.04, or put a newer cmake first in PATH"
}
