// A triangle of the image that is not seen, at the nearest depth: nothing is drawn over it.
#version 450
#extension GL_EXT_multiview : require

layout(push_constant) uniform Push {
  mat4 sheet;      // here: the corners in its columns, in clip space
  vec4 imageRect;  // here: the number of the view
} push;

void main() {
  // Of other views the triangle is a point outside of the image.
  gl_Position = gl_ViewIndex == int(push.imageRect.x) ? vec4(push.sheet[gl_VertexIndex].xy, 1, 1) : vec4(2, 2, 1, 1);
}
