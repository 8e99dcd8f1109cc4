// Reads a session document (runtime/web/README.md) into typed arrays: lengths in meters, times in seconds, forces in
// newtons, quaternions as w, x, y, z.
"use strict";
const Tenon = {};

(function () {
  const FORMAT = 2;

  /** The bytes of a base64 text, with its zlib stream expanded. */
  Tenon.expand = async function (base64) {
    if (typeof DecompressionStream === "undefined")
      throw new Error("This browser is too old for the page: it needs Chrome 87, Firefox 113, Safari 16.4 or newer.");
    const text = atob(base64.trim());
    const bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  /** Numbers of a stream, one after the other. */
  class Reader {
    constructor(bytes) {
      this.bytes = bytes;
      this.at = 0;
    }
    unsigned() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        if (this.at >= this.bytes.length) throw new Error("The session in this page is damaged: a stream is too short.");
        const byte = this.bytes[this.at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    }
    signed() {
      const value = this.unsigned();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }

  /** Series of `count` numbers, each the difference from the one before. */
  function readSteps(reader, count, quantum, out) {
    for (let k = 0, last = 0; k < count; ++k) out[k] = (last += reader.signed()) * quantum;
    return out;
  }

  /** Series of `count` numbers, each the difference from the extrapolation of the two before. */
  function readSmooth(reader, count, quantum, out, stride = 1, offset = 0) {
    for (let k = 0, last = 0, step = 0; k < count; ++k) {
      step += reader.signed();
      last += step;
      out[k * stride + offset] = last * quantum;
    }
    return out;
  }

  /** Positions and unit quaternions of one body, frame by frame. */
  class Motion {
    constructor(frames) {
      this.p = new Float64Array(3 * frames);
      this.q = new Float64Array(4 * frames);
    }
    static read(json, frames, readerOf) {
      const motion = new Motion(frames);
      json.position.forEach((stream, k) => readSmooth(readerOf(stream), frames, json.position_quantum_m, motion.p, 3, k));
      json.rotation.forEach((stream, k) => readSmooth(readerOf(stream), frames, json.rotation_quantum, motion.q, 4, k));
      for (let k = 0; k < frames; ++k) motion.normalize(k);
      return motion;
    }
    normalize(frame) {
      const q = this.q, k = 4 * frame, length = Math.hypot(q[k], q[k + 1], q[k + 2], q[k + 3]);
      for (let j = 0; j < 4; ++j) q[k + j] /= length;
    }
    /** The pose between frames `i` and `i + 1`; `share` in 0…1. Returns {p: [x, y, z], q: [w, x, y, z]}. */
    at(i, share) {
      const j = share > 0 ? i + 1 : i, p = [0, 0, 0], q = [0, 0, 0, 0];
      for (let k = 0; k < 3; ++k) p[k] = this.p[3 * i + k] + share * (this.p[3 * j + k] - this.p[3 * i + k]);
      for (let k = 0; k < 4; ++k) q[k] = this.q[4 * i + k] + share * (this.q[4 * j + k] - this.q[4 * i + k]);
      const length = Math.hypot(...q);
      return {p, q: q.map((c) => c / length)};
    }
  }
  Tenon.Motion = Motion;
  Tenon.Reader = Reader;

  function readMesh(json, readerOf) {
    const coordinates = (streams, quantum) => {
      const out = new Float32Array(3 * json.vertices);
      streams.forEach((stream, axis) => {
        const values = readSteps(readerOf(stream), json.vertices, quantum, new Float64Array(json.vertices));
        for (let k = 0; k < json.vertices; ++k) out[3 * k + axis] = values[k];
      });
      return out;
    };
    return {
      positions: coordinates(json.position, json.position_quantum_m),
      normals: coordinates(json.normal, json.normal_quantum),
      triangles: readSteps(readerOf(json.corner), 3 * json.triangles, 1, new Uint32Array(3 * json.triangles)),
      edges: readSteps(readerOf(json.edge_end), 2 * json.edges, 1, new Uint32Array(2 * json.edges)),
    };
  }

  /** The arrows of all frames: arrow k of frame f is at index first[f] + k. */
  function readForces(json, frames, readerOf) {
    const first = new Uint32Array(frames + 1), counts = readerOf(json.count);
    for (let f = 0; f < frames; ++f) first[f + 1] = first[f] + counts.unsigned();
    const total = first[frames], values = json.values.map(readerOf), pairs = readerOf(json.pair);
    const forces = {first, pairs: json.pairs, pair: new Uint32Array(total), point: new Float64Array(3 * total),
      force: new Float64Array(3 * total)};
    const last = new Map();  // by pair, and count of its arrow in the frame
    for (let f = 0; f < frames; ++f) {
      const seen = new Map();
      for (let k = first[f]; k < first[f + 1]; ++k) {
        const pair = (forces.pair[k] = pairs.unsigned()), count = seen.get(pair) || 0, key = pair + ":" + count;
        seen.set(pair, count + 1);
        if (!last.has(key)) last.set(key, [0, 0, 0, 0, 0, 0]);
        const now = last.get(key);
        for (let c = 0; c < 6; ++c) now[c] += values[c].signed();
        for (let c = 0; c < 3; ++c) {
          forces.point[3 * k + c] = now[c] * json.point_quantum_m;
          forces.force[3 * k + c] = now[3 + c] * json.force_quantum_n;
        }
      }
    }
    return forces;
  }

  /** The largest force of a frame [N], for the scale of arrows. */
  Tenon.largestForce = function ({first, force}, frame) {
    let largest = 0;
    for (let k = first[frame]; k < first[frame + 1]; ++k)
      largest = Math.max(largest, Math.hypot(force[3 * k], force[3 * k + 1], force[3 * k + 2]));
    return largest;
  };

  /** {json, readerOf(stream)} of a document's bytes. */
  function unpack(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const length = view.getUint32(0, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    if (json.format !== FORMAT)
      throw new Error(`The session has format ${json.format}, and this page reads format ${FORMAT}: export it again.`);
    const streams = bytes.subarray(4 + length);
    return {json, readerOf: (k) => new Reader(streams.subarray(json.streams[k][0], json.streams[k][0] + json.streams[k][1]))};
  }

  /** What documents of records and of running sessions have in common; `motionOf(part)`: its motion. */
  function common(json, readerOf, motionOf) {
    const meshes = new Map();  // equal parts share a mesh
    const meshOf = (part) => {
      const key = JSON.stringify(part.mesh);
      if (!meshes.has(key)) meshes.set(key, readMesh(part.mesh, readerOf));
      return meshes.get(key);
    };
    return {
      title: json.title, facts: json.facts, ground: json.ground, start: 0,
      parts: json.parts.map((part) => ({...part, mesh: part.mesh && meshOf(part), motion: part.mesh && motionOf(part)})),
    };
  }

  /** The running session of a document's bytes, without frames. */
  Tenon.decodeLive = function (bytes) {
    const {json, readerOf} = unpack(bytes);
    return {...json, ...common(json, readerOf, () => new Motion(0))};
  };

  /** The recorded session of a document's bytes. */
  Tenon.decode = function (bytes) {
    const {json, readerOf} = unpack(bytes), frames = json.frames;
    const smooth = (stream, quantum) => readSmooth(readerOf(stream), frames, quantum, new Float64Array(frames));
    const steps = (stream, quantum) => readSteps(readerOf(stream), frames, quantum, new Float64Array(frames));
    const forces = readForces(json.forces, frames, readerOf);
    return {
      ...common(json, readerOf, (part) => Motion.read(part.motion, frames, readerOf)),
      outcome: json.outcome, reached: json.reached, events: json.events, rows: json.rows, end: json.end_s,
      keyframe_every: json.keyframe_every,
      frames: {
        count: frames,
        times: smooth(json.time, json.time_quantum_s),
        valid: steps(json.forces_valid, 1),
        largest: Float64Array.from({length: frames}, (_, f) => Tenon.largestForce(forces, f)),
      },
      hands: json.hands.map((hand) => ({
        name: hand.name,
        motion: Motion.read(hand.motion, frames, readerOf),
        held: steps(hand.held, 1),
      })),
      goals: json.goals.map((goal) => ({
        ...goal,
        words: json.verdicts,
        word: steps(goal.verdict_word, 1),
        depths: smooth(goal.depth, goal.depth_quantum_m),
        tilts: smooth(goal.tilt, goal.tilt_quantum_rad),
        pushes: steps(goal.push, goal.push_quantum_n),
        maxPushes: steps(goal.max_push, goal.push_quantum_n),
        curve: readSteps(readerOf(goal.curve), goal.curve_frames, 1, new Uint32Array(goal.curve_frames)),
      })),
      forces,
    };
  };

  /** The frame at or before `time`, and how far time is towards the next one: {frame, share}. */
  Tenon.frameAt = function (session, time) {
    const times = session.frames.times;
    let low = 0, high = session.frames.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    if (low === session.frames.count - 1) return {frame: low, share: 0};
    const share = (time - times[low]) / (times[low + 1] - times[low]);
    return {frame: low, share: Math.min(Math.max(share, 0), 1)};
  };
})();
