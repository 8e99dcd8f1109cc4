// The views of a pass. A pass that draws into one layer has one, the first; one that draws both eyes of a headset
// into two layers at once (RendererOptions::multiview) has one for each of them.
#extension GL_EXT_multiview : require

struct ViewOfPass {
  mat4 viewProjection;
  vec4 eye;       // position; w: of an orthographic view the depth by which edges are nearer, else 0
  vec4 tangents;  // of the angles from the line of sight to the sides: left, up, right, down
};

#ifndef VIEW_SET
#define VIEW_SET 0
#endif

layout(set = VIEW_SET, binding = 1) uniform Views { ViewOfPass ofPass[2]; } views;

#define view views.ofPass[gl_ViewIndex]
