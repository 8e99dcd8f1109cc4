// The cap of a cut part: its base color, lit and hatched.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 p_W;
layout(location = 1) in vec2 q;  // in the plane [m]
layout(location = 0) out vec4 color;

void main() {
  vec3 n = frame.section.xyz;
  float across = (push.material.w > 0.5 ? q.x + q.y : q.x - q.y) * inversesqrt(2.0) / frame.counts.w;
  float width = fwidth(across);
  float line = 1.0 - smoothstep(0.10 - 0.5 * width, 0.10 + 0.5 * width, abs(fract(across) - 0.5));
  line = mix(line, 0.2, smoothstep(0.3, 0.6, width));
  Gathered g = gather(p_W, n);
  float light = min(0.45 + 0.35 * g.open + 0.2 * g.key, 1.0) * (1.0 - 0.8 * line);
  color = vec4(light * tone(mix(push.color.rgb, vec3(0.95), 0.4)), 1);
}
