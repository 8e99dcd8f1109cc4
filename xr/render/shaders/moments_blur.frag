// A map of half the size: each pixel is the weighted mean, by the weights 1 3 3 1, of four by four.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "moments.glsl"

layout(location = 0) out vec2 moments;

// Beyond the map there is the ground alone.
vec2 momentsAt(ivec2 at) {
  float ground = groundDepth(vec2(at) + 0.5);
  vec2 inside = texelFetch(source, clamp(at, map.rect.xy, map.rect.zw - 1), 0).rg;
  return all(greaterThanEqual(at, map.rect.xy)) && all(lessThan(at, map.rect.zw)) ? inside : vec2(ground, ground * ground);
}

void main() {
  const vec4 weights = vec4(1, 3, 3, 1) / 8.0;
  ivec2 first = 2 * ivec2(gl_FragCoord.xy) - 1;
  moments = vec2(0);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) moments += weights[x] * weights[y] * momentsAt(first + ivec2(x, y));
}
