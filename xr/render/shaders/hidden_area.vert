// A triangle of the image that is not seen, at the nearest depth: nothing is drawn over it.
#version 450

layout(push_constant) uniform Push {
  mat4 clip;  // here: the corners in its columns, in clip space
  vec4 imageRect;
} push;

void main() { gl_Position = vec4(push.clip[gl_VertexIndex].xy, 1, 1); }
