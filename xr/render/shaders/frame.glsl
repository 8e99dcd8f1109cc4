// Shared by the shaders of a frame: lights, section plane, instances, sky visibility of a point and the radiance
// of the studio around it. Lengths in meters, linear colors.
#extension GL_GOOGLE_include_directive : require

const int kMaxLights = 256;  // as in sky_lights.h
const int kMaxWideLights = 32;  // likewise
const float kPi = 3.14159265;

// Numbers of lights; the first ones are the key light's. Specialization constants: with few lights the loops are
// unrolled, which makes software rendering several times faster.
layout(constant_id = 0) const int kKeys = 18;
layout(constant_id = 1) const int kLights = 96;
// A pipeline for transparent parts. With few lights these receive no shadows, which would hardly be visible.
layout(constant_id = 2) const bool kTransparent = false;

struct Light {
  vec4 right;   // axes of its shadow map; w: corner of its tile in the atlas, 0…1
  vec4 up;
  vec4 toward;  // unit, from the scene to the light; w: its fraction of the irradiance of an unshaded, horizontal surface
};

layout(set = 0, binding = 0) uniform Frame {
  vec4 bounds;   // bounding sphere of the shadow casters: center, radius
  vec4 section;  // n, d: points with n·p > d are cut away; n = 0: none
  vec4 ground;   // height, cell, radius of the fade-out; w: 1 if there is a ground
  vec4 counts;   // width and height of a tile, 0…1 of the atlas; pixel of a map [m]; distance of hatches [m]
  Light lights[kMaxLights];
} frame;

#include "view.glsl"

layout(set = 0, binding = 2) uniform sampler2DShadow skyShadow;
// Of wide lights, see shadow_moments.h: means over few pixels of the maps, and over many.
layout(set = 0, binding = 3) uniform sampler2D fineMoments;
layout(set = 0, binding = 4) uniform sampler2D wideMoments;

// Constants of one draw call.
layout(push_constant) uniform Draw {
  vec4 model[3];  // rows: from the part's frame to the world, or to the map of a light
  vec4 color;    // a: opacity
  vec4 material;  // metallic, roughness, 1 for an arrow, 1 for the other hatching or an opaque arrow
} push;

vec3 worldPosition(vec3 p) {
  vec4 q = vec4(p, 1);
  return vec3(dot(push.model[0], q), dot(push.model[1], q), dot(push.model[2], q));
}

float uncut(vec3 p) { return frame.section.w - dot(frame.section.xyz, p); }

// Few lights are wide, their loops are unrolled and their shadows come from filtered maps.
const bool kWide = kLights <= kMaxWideLights;
// Side of the shadow map of a sky light over that of its tile, as in sky_lights.h.
const float kSkyMap = kWide ? 0.5 : 1.0;
const float kKeyTangent = 0.07;  // of the angular radius of all key lights, as in sky_lights.cpp
const float kWideMean = 16.0;  // width of a wide mean [pixels of a map]

// Where shadows of a point are looked up in maps of this side, off the surface, in units of the bounding sphere.
vec3 lookup(vec3 p, vec3 n, float mapSide) {
  return (p + n * (1.5 * frame.counts.z / mapSide) - frame.bounds.xyz) / frame.bounds.w;
}

// A bound of the fraction of depths with these moments that lie behind `depth`, the part without contrast cut off.
float behind(vec2 moments, float depth) {
  float nearer = depth - moments.x;
  float variance = max(moments.y - moments.x * moments.x, 2e-6);
  float bound = variance / (variance + nearer * nearer);
  return nearer <= 0.0 ? 1.0 : clamp((bound - 0.1) / 0.9, 0.0, 1.0);
}

// A point in the map of a light: where it is in the atlas, its depth, and whether it is in the map at all.
struct InMap {
  vec2 at;
  float depth;
  bool inside;
};

InMap inMap(int k, vec3 local, float side) {
  Light light = frame.lights[k];
  vec2 uv = 0.5 + 0.5 * vec2(dot(local, light.right.xyz), dot(local, light.up.xyz));
  float depth = 0.5 - 0.5 * dot(local, light.toward.xyz);
  // Beyond the far end of the map, which is cleared to 1, nothing casts a shadow; filtered maps hold the ground there.
  if (!kWide || frame.ground.w == 0.0) depth = min(depth, 1.0);
  float margin = (kWide ? 4.0 : 0.5) * frame.counts.z / (2.0 * side * frame.bounds.w);
  return InMap(vec2(light.right.w, light.up.w) + uv * side * frame.counts.xy, depth,
               all(greaterThan(uv, vec2(margin))) && all(lessThan(uv, vec2(1.0 - margin))));
}

// 1 if key light k reaches the point, 0 in its shadow; `local` is the point in units of the bounding sphere. Of a wide
// light the visible fraction: the penumbra is as wide as the distance makes it of what shades the point, which follows
// from the wide mean.
float reachesFromKey(int k, vec3 local) {
  InMap p = inMap(k, local, 1.0);
  float lit;
  if (kWide) {
    vec2 around = textureLod(wideMoments, p.at, 0.0).rg;
    float open = behind(around, p.depth);
    float shading = (around.x - open * p.depth) / max(1.0 - open, 1e-3);
    float tangent = kKeyTangent * inversesqrt(float(kKeys));  // of one of them
    float pixels = 2.0 * tangent * max(p.depth - shading, 0.0) * 2.0 * frame.bounds.w / frame.counts.z;
    lit = mix(behind(textureLod(fineMoments, p.at, 0.0).rg, p.depth), open, min(pixels / kWideMean, 1.0));
  } else {
    lit = texture(skyShadow, vec3(p.at, p.depth - 0.0015));
  }
  return p.inside ? lit : 1.0;
}

// The same of light k of the sky.
float reachesFromSky(int k, vec3 local) {
  InMap p = inMap(k, local, kSkyMap);
  float lit = kWide ? behind(textureLod(wideMoments, p.at, 0.0).rg, p.depth)
                    : texture(skyShadow, vec3(p.at, p.depth - 0.0015));
  return p.inside ? lit : 1.0;
}

// True if a light without effect should be skipped: in unrolled loops skipping costs more than it saves.
bool skips(bool idle) { return !kWide && idle; }

struct Gathered {
  float key;        // irradiance from the key light over that of an unshaded, horizontal surface
  float sky;        // the same from the sky
  float open;       // visible fraction of the sky, weighted by the cosine
  float reflected;  // visible fraction of the sky around the direction of reflection
};

// Without the reflected part.
Gathered gather(vec3 p, vec3 n) {
  vec3 local = lookup(p, n, 1.0);
  Gathered g = Gathered(0, 0, 0, 0);
  float all = 1e-6;
  for (int k = 0; k < kKeys; ++k) {
    vec4 toward = frame.lights[k].toward;
    float c = max(dot(n, toward.xyz), 0.0);
    if (skips(c <= 0.0)) continue;
    g.key += toward.w * c * reachesFromKey(k, local);
  }
  local = lookup(p, n, kSkyMap);
  for (int k = kKeys; k < kLights; ++k) {
    vec4 toward = frame.lights[k].toward;
    float c = max(dot(n, toward.xyz), 0.0);
    if (skips(c <= 0.0)) continue;
    float v = c * reachesFromSky(k, local);
    g.sky += toward.w * v;
    g.open += v;
    all += c;
  }
  g.open /= all;
  return g;
}

// Weight of light in the reflection, by the cosine of its angle to the direction of reflection.
float lobeOf(float c) {
  if (!kWide) return exp(3.0 * (c - 1.0));
  float near = 0.5 + 0.5 * c;  // its fourth power is close to the exponential and cheaper
  return near * near * near * near;
}

Gathered gather(vec3 p, vec3 n, vec3 r) {
  vec3 local = lookup(p, n, 1.0);
  Gathered g = Gathered(0, 0, 0, 0);
  float all = 1e-6, lobes = 1e-6;
  for (int k = 0; k < kKeys; ++k) {
    vec4 toward = frame.lights[k].toward;
    float c = max(dot(n, toward.xyz), 0.0);
    if (skips(c <= 0.0)) continue;
    g.key += toward.w * c * reachesFromKey(k, local);
  }
  local = lookup(p, n, kSkyMap);
  for (int k = kKeys; k < kLights; ++k) {
    vec4 toward = frame.lights[k].toward;
    float c = max(dot(n, toward.xyz), 0.0);
    float lobe = lobeOf(dot(r, toward.xyz));
    if (skips(c <= 0.0 && lobe < 0.02)) continue;
    float v = reachesFromSky(k, local);
    g.sky += toward.w * c * v;
    g.open += c * v;
    all += c;
    g.reflected += lobe * v;
    lobes += lobe;
  }
  g.open /= all;
  g.reflected /= lobes;
  return g;
}

// A lamp with a soft edge around a direction.
float lamp(vec3 d, vec3 toward, float inner, float soft) {
  return smoothstep(inner - soft, inner + 0.3 * soft, dot(d, toward));
}

// Radiance of the studio: floor, walls, a large lamp overhead and two at the sides, blurred by roughness.
vec3 studio(vec3 d, float roughness) {
  float soft = 0.06 + 0.9 * roughness;
  vec3 wall = mix(vec3(0.66, 0.68, 0.71), vec3(0.26, 0.28, 0.31), smoothstep(-0.1, 0.9, d.z));
  vec3 c = mix(wall, vec3(0.80, 0.79, 0.77) * mix(1.0, 0.72, clamp(-d.z, 0.0, 1.0)), smoothstep(0.0, soft, -d.z));
  float dim = 1.0 / (1.0 + 1.6 * roughness);
  c += vec3(1.9, 1.86, 1.8) * dim * lamp(d, normalize(vec3(-0.45, -0.35, 0.85)), 0.86, soft);
  c += vec3(1.0, 1.05, 1.15) * dim * lamp(d, normalize(vec3(0.9, 0.25, 0.35)), 0.90, soft);
  c += vec3(0.9) * dim * lamp(d, normalize(vec3(-0.2, 0.95, 0.3)), 0.88, soft);
  return c;
}

// Filmic curve, ACES as fitted by K. Narkowicz (2016).
vec3 tone(vec3 c) {
  c *= 0.72;
  return clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}

// Radiance from a surface towards the eye.
vec3 shade(vec3 p, vec3 n, vec3 toEye, vec3 base, float metallic, float roughness) {
  vec3 r = reflect(-toEye, n);
  Gathered g = kTransparent && kWide ? Gathered(max(n.z, 0.0), 0.5 + 0.5 * n.z, 0.9, 0.9) : gather(p, n, r);
  float below = clamp(-n.z, 0.0, 1.0);  // surfaces facing down are lit by the floor alone
  float bounce = 0.30 * (0.5 - 0.5 * n.z) * mix(mix(0.4, 1.0, g.open), 1.2, below);
  vec3 diffuse = base * (1.0 - metallic) * (0.95 * g.key + 0.75 * g.sky + bounce);
  // Schlick's Fresnel term, the grazing part lowered by roughness (S. Lagarde).
  vec3 f0 = mix(vec3(0.04), base, metallic);
  float away = 1.0 - max(dot(n, toEye), 0.0), away2 = away * away;
  float grazing = away2 * away2 * away;
  vec3 f = f0 + (max(vec3(1.0 - roughness), f0) - f0) * grazing;
  float seen = mix(0.18, 1.0, g.reflected) * mix(0.35, 1.0, mix(1.0, g.open, 0.75));
  seen = mix(seen, 0.5, below);
  vec3 specular = f * studio(r, roughness) * seen;
  // Diffuse scattering of rough metals, so that shadows are visible on them too.
  specular += metallic * base * (roughness * (0.55 * g.key + 0.35 * g.sky) + 0.1 * bounce);
  return diffuse + specular;
}
