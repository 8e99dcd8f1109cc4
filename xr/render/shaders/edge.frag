// A sharp edge: the part's color, darkened.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec4 color;

void main() { color = vec4(tone(0.12 * push.color.rgb), push.color.a < 1.0 ? 0.75 : 0.5); }
