// A triangle over the whole viewport: a map of the shadow atlas.
#version 450

void main() { gl_Position = vec4(vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0, 0, 1); }
