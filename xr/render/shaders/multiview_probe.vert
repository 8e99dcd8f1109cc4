// A triangle that reaches beyond the view, in a color of the view.
#version 450
#extension GL_EXT_multiview : require

layout(location = 0) out vec4 color;

void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 20.0 - 10.0;
  color = gl_ViewIndex == 0 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
  gl_Position = vec4(corner, 0.5, 1);
  gl_ClipDistance[0] = 1.0 - corner.x;  // as the section of a scene does
}
