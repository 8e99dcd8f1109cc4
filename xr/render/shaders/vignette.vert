// A triangle over the whole view with the tangents of its rays.
#version 450
#extension GL_GOOGLE_include_directive : require
#define VIEW_SET 1
#include "view.glsl"

layout(location = 0) out vec2 tangent;

void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  tangent = mix(view.tangents.xy, view.tangents.zw, corner);
  gl_Position = vec4(corner * 2.0 - 1.0, 0, 1);
}
