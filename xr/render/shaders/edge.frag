// A sharp edge: the part's colour, darkened.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec4 colour;

void main() { colour = vec4(tone(0.12 * push.colour.rgb), push.colour.a < 1.0 ? 0.75 : 0.5); }
