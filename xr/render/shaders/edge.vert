// Sharp edges of parts as lines, nearer to the eye by a hair than the faces that they are on.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 2) flat out int instance;

void main() {
  vec4 p = instances[gl_InstanceIndex].model * vec4(position, 1);
  instance = gl_InstanceIndex;
  gl_Position = push.viewProjection * p;
  gl_Position.z *= 1.0005;  // depth is reversed
  gl_ClipDistance[0] = uncut(p.xyz);
}
