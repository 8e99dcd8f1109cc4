// The inside of a part, seen where it is cut open: its plain colour, which the face of the cut shades.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec4 colour;

void main() { colour = vec4(tone(mix(push.colour.rgb, vec3(0.95), 0.4)), 1); }
