// Parts projected along one light, into its tile of the shadow atlas.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;

void main() {
  gl_Position = vec4(worldPosition(position), 1);
  gl_ClipDistance[0] = dot(push.color, vec4(position, 1));  // here: the section plane in the part's frame
}
