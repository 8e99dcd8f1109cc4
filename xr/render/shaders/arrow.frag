// An arrow: shaded by its angle to the eye alone, without lights and shadows.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 p_W;
layout(location = 1) in vec3 n_W;
layout(location = 0) out vec4 color;

void main() {
  float facing = 0.5 + 0.5 * dot(normalize(n_W), normalize(view.eye.xyz - p_W));
  color = vec4(push.color.rgb * facing, push.material.w > 0.5 ? 1.0 : push.color.a);
}
