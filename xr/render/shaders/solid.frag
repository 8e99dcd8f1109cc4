// The surface of a part.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 p_W;
layout(location = 1) in vec3 n_W;
layout(location = 0) out vec4 color;

void main() {
  vec3 toEye = normalize(view.eye.xyz - p_W);
  vec3 n = normalize(n_W);
  vec3 c = tone(shade(p_W, n, toEye, push.color.rgb, push.material.x, push.material.y));
  // Transparent surfaces are more opaque at grazing angles.
  float edge = 1.0 - abs(dot(n, toEye));
  color = vec4(c, push.color.a < 1.0 ? mix(push.color.a, 1.0, 0.7 * edge * edge) : 1.0);
}
