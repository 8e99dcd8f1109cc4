// A panel: its sheet, and which piece of the image is on it.
#version 450

layout(push_constant) uniform Push {
  mat4 clip;   // from the sheet (−½…½ on its sides) to clip space
  vec4 piece;  // of the image: left, top, right, bottom
} push;

layout(location = 0) out vec2 uv;

void main() {
  vec2 share = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  uv = mix(push.piece.xy, push.piece.zw, vec2(share.x, 1.0 - share.y));
  gl_Position = push.clip * vec4(share - 0.5, 0, 1);
}
