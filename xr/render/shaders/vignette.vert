// A triangle over the whole view with the tangents of its rays.
#version 450

layout(push_constant) uniform Push {
  mat4 clip;
  vec4 imageRect;  // here: tangents of the view, left, up, right, down
} push;

layout(location = 0) out vec2 tangent;

void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  tangent = mix(push.imageRect.xy, push.imageRect.zw, corner);
  gl_Position = vec4(corner * 2.0 - 1.0, 0, 1);
}
