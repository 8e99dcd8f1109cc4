// Parts and arrows: from their own frames to the world and the view.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 p_W;
layout(location = 1) out vec3 n_W;
layout(location = 2) flat out int instance;

void main() {
  mat4 model = instances[gl_InstanceIndex].model;
  vec4 p = model * vec4(position, 1);
  p_W = p.xyz;
  // The inverse transpose of a rotation times a scale along the axes, but for its length.
  mat3 m = mat3(model);
  n_W = m * (normal / vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2])));
  instance = gl_InstanceIndex;
  gl_Position = push.viewProjection * p;
  gl_ClipDistance[0] = instances[gl_InstanceIndex].look.z < 0.0 ? 1.0 : uncut(p.xyz);
}
