#!/bin/bash
# Brings Monado, an OpenXR runtime that needs no headset, for tests: monado.sh [FOLDER].
#
# Prints the path of a program `with`: `with monado-service` starts the service, `with PROGRAM ...` a program
# that finds the runtime and a Vulkan driver that both can share pictures by. Where the system has Monado, that is
# used; else Debian packages of a release that has it are unpacked into FOLDER (default: the user's cache), apart
# from the system's own, and run by their own dynamic linker. What is there already is used again. Where it cannot be
# had, one line on stderr says why; exit code 1.
set -euo pipefail

suite=trixie
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/tenon}
prefix=$cache/monado-$suite
triple=x86_64-linux-gnu
packages=(monado-service libopenxr1-monado libopenxr-loader1 mesa-vulkan-drivers)

give_up() {
  echo "no Monado: $1; install monado-service and libopenxr1-monado, or look into $cache/monado.log" >&2
  exit 1
}

if command -v monado-service >/dev/null && [ -e /usr/share/openxr/1/openxr_monado.json ]; then
  mkdir -p "$cache"
  printf '#!/bin/sh\nexec env XR_RUNTIME_JSON=/usr/share/openxr/1/openxr_monado.json "$@"\n' >"$cache/with-monado"
  chmod +x "$cache/with-monado"
  echo "$cache/with-monado"
  exit
fi

[ -x "$prefix/with" ] && { echo "$prefix/with"; exit; }
[ "$(uname -m)" = x86_64 ] || give_up "its packages are unpacked for x86_64 alone"
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || give_up "this is no Debian"
mkdir -p "$cache"
exec 9>"$cache/monado.lock"
flock 9
[ -x "$prefix/with" ] && { echo "$prefix/with"; exit; }

# The mirror and the key that the system trusts already, with another suite.
work=$(mktemp -d "$cache/monado.XXXXXX")
trap 'rm -rf "$work"' EXIT
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m1 -E '/debian/?$' || true)
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -n "$mirror" ] || mirror=http://deb.debian.org/debian
[ -e "$key" ] || give_up "the key of Debian's archive ($key) is not here"
mkdir -p "$work"/state/lists/partial "$work"/archives/partial "$work"/root
: >"$work/status"
echo "deb [signed-by=$key] $mirror $suite main" >"$work/sources.list"
# Settings of the system that say how to reach the mirror hold; what is installed does not count.
options=(-o Dir::State="$work/state" -o Dir::State::status="$work/status" -o Dir::Cache="$work"
  -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::Etc::preferencesparts=/dev/null -o APT::Install-Recommends=false -o APT::Sandbox::User=
  -o Acquire::Languages=none -o APT::Architecture=amd64 -o Acquire::Retries=3 -o Debug::NoLocking=true)
{
  apt-get "${options[@]}" update && apt-get "${options[@]}" -y -d install "${packages[@]}"
} >"$cache/monado.log" 2>&1 9>&- || give_up "its packages did not come from $mirror"
for package in "$work"/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/root" --no-same-owner
done
[ -e "$work/root/usr/bin/monado-service" ] || give_up "the packages have no monado-service"

# Programs may ask for the loader by the name that only development packages have: it must be the same one.
ln -sf libvulkan.so.1 "$work/root/usr/lib/$triple/libvulkan.so"

root=$prefix/root
libraries=$root/usr/lib/$triple
mkdir -p "$work/share"
cat >"$work/share/runtime.json" <<JSON
{"file_format_version": "1.0.0", "runtime": {"name": "Monado", "library_path": "$libraries/libopenxr_monado.so"}}
JSON
cat >"$work/share/lavapipe.json" <<JSON
{"file_format_version": "1.0.0", "ICD": {"library_path": "$libraries/libvulkan_lvp.so", "api_version": "1.3.0"}}
JSON
cat >"$work/with" <<WITH
#!/bin/bash
# Runs a program with Monado and the libraries that came with it: made by tests/harness/monado.sh.
export XR_RUNTIME_JSON=$prefix/share/runtime.json VK_ICD_FILENAMES=$prefix/share/lavapipe.json
program=\$1
shift
[ "\$program" != monado-service ] || program=$root/usr/bin/monado-service
exec $libraries/ld-linux-x86-64.so.2 --library-path \\
  $libraries/blas:$libraries/lapack:$libraries/pulseaudio:$libraries:$root/usr/lib:/usr/lib/$triple "\$program" "\$@"
WITH
chmod +x "$work/with"
rm -rf "$prefix" "$work/state" "$work/archives"
trap - EXIT
mv "$work" "$prefix"
echo "$prefix/with"
