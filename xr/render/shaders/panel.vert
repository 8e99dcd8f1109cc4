// A panel: a rectangle in the world with a part of the image.
#version 450
#extension GL_GOOGLE_include_directive : require
#define VIEW_SET 1
#include "view.glsl"

layout(push_constant) uniform Push {
  mat4 sheet;      // from the panel (−½…½ along its sides) to the world
  vec4 imageRect;  // in the image: left, top, right, bottom
} push;

layout(location = 0) out vec2 uv;

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  uv = mix(push.imageRect.xy, push.imageRect.zw, vec2(corner.x, 1.0 - corner.y));
  gl_Position = view.viewProjection * (push.sheet * vec4(corner - 0.5, 0, 1));
}
