// The ground as one large square.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec3 p_W;

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  p_W = vec3(frame.bounds.xy + corner * frame.ground.z, frame.ground.x);
  gl_Position = view.viewProjection * vec4(p_W, 1);
}
