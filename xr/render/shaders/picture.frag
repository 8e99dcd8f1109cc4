// Pictures in panels: color times the picture's.
#version 450

layout(set = 0, binding = 0) uniform sampler2D sheet;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 result;

void main() { result = vec4(color.rgb * texture(sheet, uv).rgb, color.a); }
