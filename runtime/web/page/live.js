// A running session: its frames as they come over a WebSocket, kept for the time line.
"use strict";
(function () {
  const MAX_NUMBERS = 8e6;  // of frames that are kept, 64 MB; then the older half is dropped

  class LiveSession {
    /** Without frames; `bytes`: of the document. */
    constructor(bytes) {
      Object.assign(this, Tenon.decodeLive(bytes));
      this.end = 0;
      this.events = [];
      this.row = [];
      this.playing = false;  // by the clock; else steps are computed on request
      this.paused = true;    // neither by the clock nor on request did it advance lately
      this.speed = 1;
      this.frames = {count: 0, times: new Float64Array(0), valid: new Float64Array(0), largest: new Float64Array(0)};
      this.hands.forEach((hand) => Object.assign(hand, {motion: new Tenon.Motion(0), held: new Float64Array(0)}));
      this.goals.forEach((goal) => Object.assign(goal, {words: this.verdicts, word: new Float64Array(0),
        depths: new Float64Array(0), tilts: new Float64Array(0), pushes: new Float64Array(0),
        maxPushes: new Float64Array(0), curve: []}));
      this.pairNumbers = new Map();
      this.forces = {first: new Uint32Array(1), pairs: [], pair: new Uint32Array(0), point: new Float64Array(0),
        force: new Float64Array(0)};
      // [owner, key, numbers in a frame] of all arrays with numbers of frames.
      this.columns = ["times", "valid", "largest"].map((key) => [this.frames, key, 1]);
      for (const {motion} of [...this.parts, ...this.hands])
        if (motion) this.columns.push([motion, "p", 3], [motion, "q", 4]);
      for (const hand of this.hands) this.columns.push([hand, "held", 1]);
      for (const goal of this.goals)
        for (const key of ["word", "depths", "tilts", "pushes", "maxPushes"]) this.columns.push([goal, key, 1]);
      this.width = this.columns.reduce((sum, [, , width]) => sum + width, 0);
      this.capacity = 0;
    }

    static enlarged(array, length) {
      const larger = new array.constructor(length);
      larger.set(array.subarray(0, Math.min(array.length, length)));
      return larger;
    }

    /** Makes room for one more frame. */
    reserve() {
      if (this.frames.count * this.width + this.forces.first[this.frames.count] * 7 >= MAX_NUMBERS)
        this.drop(this.frames.count >> 1);
      if (this.frames.count < this.capacity) return;
      this.capacity = Math.max(256, 2 * this.capacity);
      for (const [owner, key, width] of this.columns)
        owner[key] = LiveSession.enlarged(owner[key], width * this.capacity);
      this.forces.first = LiveSession.enlarged(this.forces.first, this.capacity + 1);
    }

    /** Drops the first frames. */
    drop(count) {
      for (const [owner, key, width] of this.columns) owner[key].copyWithin(0, width * count);
      const {forces, frames} = this, from = forces.first[count], end = forces.first[frames.count];
      forces.pair.copyWithin(0, from, end);
      for (const key of ["point", "force"]) forces[key].copyWithin(0, 3 * from, 3 * end);
      for (let f = count; f <= frames.count; ++f) forces.first[f - count] = forces.first[f] - from;
      for (const goal of this.goals)
        goal.curve = goal.curve.filter((frame) => frame >= count).map((frame) => frame - count);
      frames.count -= count;
      this.start = frames.times[0];
    }

    /** The next frame, as differences from the one before. */
    add(bytes) {
      const reader = new Tenon.Reader(bytes), count = reader.unsigned(), row = new Array(count);
      for (let k = 0; k < count; ++k) row[k] = (this.row[k] || 0) + reader.signed();
      this.row = row;
      const time = row[0] * (1 / this.rate_hz), {frames} = this;
      // The state of the last frame again, where only the pace changed.
      const isNew = !frames.count || time > frames.times[frames.count - 1], played = this.playing;
      if (!isNew) --frames.count;
      this.reserve();
      this.store(row, frames.count, time);
      ++frames.count;
      this.paused = !this.playing && (played || !isNew || frames.count === 1);
      if (frames.count === 1) this.start = time;
      this.end = time;
    }

    /** Stores a row as frame `f`. */
    store(row, f, time) {
      let at = 4;
      const {frames} = this;
      frames.times[f] = time;
      frames.valid[f] = row[1];
      this.playing = row[2] === 1;
      this.speed = row[3] * this.speed_quantum;
      const readPose = ({motion, position_quantum_m: step, rotation_quantum: turn}) => {
        for (let k = 0; k < 3; ++k) motion.p[3 * f + k] = row[at++] * step;
        for (let k = 0; k < 4; ++k) motion.q[4 * f + k] = row[at++] * turn;
        motion.normalize(f);
      };
      for (const part of this.parts) if (part.motion) readPose(part);
      for (const hand of this.hands) {
        readPose(hand);
        hand.held[f] = row[at++];
      }
      for (const goal of this.goals) {
        goal.word[f] = row[at++];
        goal.depths[f] = row[at++] * goal.depth_quantum_m;
        goal.tilts[f] = row[at++] * goal.tilt_quantum_rad;
        goal.pushes[f] = row[at++] * goal.push_quantum_n;
        goal.maxPushes[f] = row[at++] * goal.push_quantum_n;
        const isPoint = row[at++] === 1;
        if (goal.curve[goal.curve.length - 1] === f) goal.curve.pop();
        if (isPoint) goal.curve.push(f);
      }
      this.storeForces(row, f, at);
      frames.largest[f] = Tenon.largestForce(this.forces, f);
    }

    storeForces(row, f, at) {
      const {forces} = this, count = (row.length - at) / 8, first = forces.first[f];
      if (first + count > forces.pair.length) {
        const length = 2 * (first + count);
        forces.pair = LiveSession.enlarged(forces.pair, length);
        for (const key of ["point", "force"]) forces[key] = LiveSession.enlarged(forces[key], 3 * length);
      }
      for (let k = first; k < first + count; ++k) {
        const i = row[at++], j = row[at++], key = `${i} ${j}`;
        if (!this.pairNumbers.has(key)) this.pairNumbers.set(key, forces.pairs.push([i, j]) - 1);
        forces.pair[k] = this.pairNumbers.get(key);
        for (let c = 0; c < 3; ++c) forces.point[3 * k + c] = row[at++] * this.force_point_quantum_m;
        for (let c = 0; c < 3; ++c) forces.force[3 * k + c] = row[at++] * this.force_quantum_n;
      }
      forces.first[f + 1] = first + count;
    }

    /** A new connection: its first frame is a difference from nothing. */
    reconnected() {
      this.row = [];
    }
  }
  Tenon.LiveSession = LiveSession;

  const RETRY = [0.5, 1, 2, 4, 8];  // [s]

  /**
   * Watches a session until it ends. `on` has functions: frame(bytes), events(list), point({part, at, name}),
   * failure(text), ended(text, record), refused(text), lost(seconds until the next try), connected().
   */
  class LiveConnection {
    constructor(id, token, on) {
      Object.assign(this, {id, token, on, tries: 0, over: false, seen: new Set()});
      this.open();
    }

    open() {
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      this.socket = new WebSocket(`${scheme}://${location.host}/data/sessions/${this.id}/live`);
      this.socket.binaryType = "arraybuffer";
      this.socket.onopen = () => {
        this.socket.send(JSON.stringify({token: this.token}));
        this.on.connected();
      };
      this.socket.onmessage = ({data}) => {
        if (typeof data !== "string") {
          this.tries = 0;
          this.on.frame(new Uint8Array(data));
        } else {
          this.receive(JSON.parse(data));
        }
      };
      this.socket.onclose = () => {
        if (this.over) return;
        const wait = RETRY[Math.min(this.tries++, RETRY.length - 1)];
        this.on.lost(wait);
        setTimeout(() => this.open(), 1e3 * wait);
      };
    }

    receive(message) {
      if (message.events) {
        // A new connection gets all events again.
        const fresh = message.events.filter((event) => !this.seen.has(JSON.stringify(event)));
        for (const event of fresh) this.seen.add(JSON.stringify(event));
        if (fresh.length) this.on.events(fresh);
      }
      if (message.point) this.on.point(message.point);
      if (message.failure !== undefined) this.on.failure(message.failure);
      if (message.ended !== undefined || message.error !== undefined) this.over = true;
      if (message.ended !== undefined) this.on.ended(message.ended, message.record);
      if (message.error !== undefined) this.on.refused(message.error);
    }

    point(part, at) {
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({point: {part, at}}));
    }
  }
  Tenon.LiveConnection = LiveConnection;
})();
