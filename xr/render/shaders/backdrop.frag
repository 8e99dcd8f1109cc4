// The wall behind everything.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "backdrop.glsl"

layout(location = 0) in vec4 far;
layout(location = 0) out vec4 colour;

void main() { colour = vec4(backdrop(normalize(far.xyz / far.w - view.eye.xyz)), 1); }
