// The wall behind the scene.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "backdrop.glsl"

layout(location = 0) in vec4 far;
layout(location = 0) out vec4 color;

void main() { color = vec4(backdrop(normalize(far.xyz / far.w - view.eye.xyz)), 1); }
