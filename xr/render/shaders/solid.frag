// The outside of a part.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 p_W;
layout(location = 1) in vec3 n_W;
layout(location = 2) flat in int instance;
layout(location = 0) out vec4 colour;

void main() {
  Instance i = instances[instance];
  vec3 toEye = normalize(push.eye.xyz - p_W);
  vec3 n = normalize(n_W);
  if (i.look.z < 0.0) {  // an arrow: the same in light and shadow
    float facing = 0.5 + 0.5 * dot(n, toEye);
    colour = vec4(i.colour.rgb * facing, push.eye.w > 0.5 ? 1.0 : i.colour.a);
    return;
  }
  vec3 c = tone(shade(p_W, n, toEye, i.colour.rgb, i.look.x, i.look.y));
  // Glass shows its edges.
  float edge = pow(1.0 - abs(dot(n, toEye)), 2.0);
  colour = vec4(c, i.colour.a < 1.0 ? mix(i.colour.a, 1.0, 0.7 * edge) : 1.0);
}
