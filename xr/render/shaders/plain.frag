// The ground of a panel: one colour that lets nothing through.
#version 450

layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 result;

void main() { result = vec4(colour.rgb, 1); }
