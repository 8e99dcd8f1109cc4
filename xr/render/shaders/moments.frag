// The first two moments of a map's depths: those of the parts, and of the ground where there is none.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "moments.glsl"

layout(location = 0) out vec2 moments;

void main() {
  float part = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r, ground = groundDepth(gl_FragCoord.xy);
  float depth = part < 1.0 ? min(part, ground) : ground;
  moments = vec2(depth, depth * depth);
}
