// The color of the triangle; the blue channel tells whether this stage has the same view.
#version 450
#extension GL_EXT_multiview : require

layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main() { result = vec4(color.rg, gl_ViewIndex == 0 ? 0.0 : 1.0, 1); }
