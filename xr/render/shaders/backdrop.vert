// A triangle over the whole view at infinite depth.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec4 far;

void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0;
  // A point on the pixel's ray at depth 0.5, which is at twice the near plane's distance.
  far = inverse(view.viewProjection) * vec4(corner, 0.5, 1);
  gl_Position = vec4(corner, 0, 1);
}
