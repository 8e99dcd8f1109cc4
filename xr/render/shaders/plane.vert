// The section plane as one large square, the same for all caps, so that their depths are bit-identical.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec3 p_W;
layout(location = 1) out vec2 q;

void main() {
  vec3 n = frame.section.xyz;
  vec3 side = normalize(abs(n.z) < 0.9 ? cross(vec3(0, 0, 1), n) : vec3(1, 0, 0));
  vec3 up = cross(n, side);
  vec3 center = frame.bounds.xyz + n * uncut(frame.bounds.xyz);
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  p_W = center + 1.1 * frame.bounds.w * (corner.x * side + corner.y * up);
  q = vec2(dot(p_W, side), dot(p_W, up));
  gl_Position = view.viewProjection * vec4(p_W, 1);
}
