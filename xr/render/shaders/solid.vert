// Parts and arrows: from their frames to the world and the view.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 p_W;
layout(location = 1) out vec3 n_W;

void main() {
  vec3 p = worldPosition(position);
  p_W = p;
  // The inverse transpose of a rotation times an axis scale, up to its length.
  vec3 x = push.model[0].xyz, y = push.model[1].xyz, z = push.model[2].xyz;
  vec3 n = normal / (x * x + y * y + z * z);
  n_W = vec3(dot(x, n), dot(y, n), dot(z, n));
  gl_Position = view.viewProjection * vec4(p, 1);
  gl_ClipDistance[0] = push.material.z > 0.5 ? 1.0 : uncut(p);
}
