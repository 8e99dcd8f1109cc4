// Ground with shadows and a grid, fading into the backdrop.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "backdrop.glsl"

layout(location = 0) in vec3 p_W;
layout(location = 0) out vec4 color;

// Coverage of the pixel by grid lines of this cell size; fades out where cells are below a few pixels.
float grid(vec2 p, float cell, float pixels) {
  vec2 q = p / cell;
  vec2 w = max(fwidth(q), vec2(1e-6));
  vec2 line = 1.0 - smoothstep(0.5 * pixels * w, (0.5 * pixels + 1.0) * w, abs(fract(q - 0.5) - 0.5));
  vec2 fade = 1.0 - smoothstep(0.08, 0.3, w);
  return max(line.x * fade.x, line.y * fade.y);
}

void main() {
  vec3 toEye = normalize(view.eye.xyz - p_W);
  Gathered g = gather(p_W, vec3(0, 0, 1));
  vec3 wall = backdrop(-toEye);
  float light = 0.42 * g.key + 0.58 * g.open;
  float lines = max(0.09 * grid(p_W.xy, frame.ground.y, 0.2), 0.20 * grid(p_W.xy, 10.0 * frame.ground.y, 0.6));
  float far = distance(p_W.xy, frame.bounds.xy) / frame.ground.z;
  float near = 1.0 - smoothstep(0.12, 0.75, far);
  vec3 c = mix(vec3(0.80, 0.82, 0.84), vec3(0.74, 0.75, 0.76), near);
  c = mix(wall, c * (1.0 - lines * near), 1.0 - smoothstep(0.3, 0.9, far));
  color = vec4(c * mix(0.16, 1.0, min(light, 1.0)), 1);
}
