// The background of a panel: one opaque color.
#version 450

layout(location = 1) in vec4 color;
layout(location = 0) out vec4 result;

void main() { result = vec4(color.rgb, 1); }
