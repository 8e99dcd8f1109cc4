// Sharp edges of parts as lines, drawn slightly nearer to the eye than their faces.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;

void main() {
  vec3 p = worldPosition(position);
  gl_Position = view.viewProjection * vec4(p, 1);
  gl_Position.z = view.eye.w > 0.0 ? gl_Position.z + view.eye.w : gl_Position.z * 1.0005;  // depth is reversed
  gl_ClipDistance[0] = uncut(p);
}
