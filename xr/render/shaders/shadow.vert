// Parts as one light of the sky sees them, for its tile of the shadow atlas.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;

void main() {
  gl_Position = vec4(placed(position), 1);
  gl_ClipDistance[0] = dot(push.colour, vec4(position, 1));  // here: how far from the section plane
}
