// The time line: what each hand held, goals and notes as marks, and a head that a pointer drags.
//
// Places are numbers in the style (--at, --from, --to), and the track has --start, --span and --end: it may grow.
"use strict";
(function () {
  const make = (...content) => Tenon.make(...content);
  const ORDER = ["contact", "jam", "seated"];  // of marks at one time: the outcome on top

  class Timeline {
    /** `seek(time)`: called while a person drags. */
    constructor(session, track, seek) {
      this.session = session;
      this.track = track;
      this.rows = new Map();
      this.head = make("div.head");
      this.axis = make("div.axis");
      track.append(this.axis, make("div.area", this.head));
      const hands = session.hands.map((hand, k) => this.row(`hand ${k}`, hand.name));
      if (session.goals.length) this.row("goals", "goals");
      this.open = session.hands.map(() => null);  // the bar of what each hand holds
      this.grabbed = new Set();  // parts that were held
      this.touched = new Set();  // goals whose part has touched its other part
      if (session.rows) this.addRecorded(session.rows, hands);
      if (!this.rows.size) this.row("", "");
      this.grow();

      const drag = (event) => {
        const box = track.querySelector(".area").getBoundingClientRect();
        const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
        seek(session.start + share * (session.end - session.start));
      };
      track.addEventListener("pointerdown", (event) => {
        track.setPointerCapture(event.pointerId);
        drag(event);
      });
      track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && drag(event));
    }

    /** The row of a key, made when first needed. */
    row(key, name) {
      if (!this.rows.has(key)) {
        const row = make("div.row", make("span", name));
        this.rows.set(key, row);
        this.axis.before(row);
      }
      return this.rows.get(key);
    }

    addBar(row, label, from, to) {
      const bar = make("div.bar", label);
      bar.title = label;
      bar.style.setProperty("--from", from);
      if (to !== null) bar.style.setProperty("--to", to);  // else the end of the track
      row.append(bar);
      return bar;
    }
    addMark(row, {kind, time_s: time, label}) {
      const mark = make(`div.spot.${kind}`);
      mark.title = `${time.toFixed(3)} s: ${label}`;
      mark.style.setProperty("--at", time);
      row.append(mark);
    }

    /** The rows of a document: those of hands, then those of notes and goals. */
    addRecorded(rows, hands) {
      hands.forEach((row, k) => rows[k].bars.forEach((bar) => this.addBar(row, bar.label, bar.from_s, bar.to_s)));
      const marks = [];
      for (const row of rows.slice(hands.length))
        for (const mark of row.marks)
          if (mark.kind === "mark") this.addMark(this.row("notes", "notes"), mark);
          else marks.push({...mark, label: `${row.name}: ${mark.label}`});
      marks.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
      for (const mark of marks) this.addMark(this.row("goals", "goals"), mark);
    }

    /** An event of a running session, as the rows of a record show it. */
    add(event) {
      const {hand, kind, time_s: time} = event, {goals, parts, hands} = this.session;
      if (hand >= 0 && hand < hands.length && ["grab", "release", "lost"].includes(kind)) {
        if (this.open[hand]) this.open[hand].style.setProperty("--to", time);
        const held = kind === "grab" ? parts[event.parts[0]] : null;
        this.open[hand] = held ? this.addBar(this.row(`hand ${hand}`), held.name, time, null) : null;
        if (held) this.grabbed.add(event.parts[0]);
      }
      if (event.mark) this.addMark(this.row("notes", "notes"), {kind: "mark", time_s: time, label: event.text});
      if ((kind === "jam" || kind === "seated") && goals[event.goal])
        this.addMark(this.row("goals"), {kind, time_s: time, label: `${goals[event.goal].name}: ${kind}`});
      if (kind === "contact-begin")
        goals.forEach((goal, k) => {
          if (this.touched.has(k) || !this.grabbed.has(goal.part)) return;
          if (!event.parts.includes(goal.part) || !event.parts.includes(goal.into)) return;
          this.touched.add(k);
          this.addMark(this.row("goals"), {kind: "contact", time_s: time, label: `${goal.name}: first contact`});
        });
    }

    /** Call after the session got longer. */
    grow() {
      const {start, end} = this.session, {style} = this.track;
      style.setProperty("--start", start);
      style.setProperty("--end", end);
      style.setProperty("--span", Math.max(end - start, 1e-9));
      this.track.setAttribute("aria-valuemin", start);
      this.track.setAttribute("aria-valuemax", end);
      const labels = Tenon.ticks(start, end, 8);
      if (labels.join() !== this.labels) {
        this.labels = labels.join();
        this.axis.replaceChildren(...labels.map((at) => {
          const label = make("span", at === 0 ? "0" : `${at} s`);
          label.style.setProperty("--at", at);
          return label;
        }));
      }
      [...this.axis.children].forEach((label, k) => {  // inside of the track at its ends
        const share = (labels[k] - start) / (end - start || 1);
        label.style.transform = share < 0.02 ? "none" : share > 0.97 ? "translateX(-100%)" : "";
      });
    }
    set(time) {
      this.head.style.setProperty("--at", time);
      this.track.setAttribute("aria-valuenow", time.toFixed(3));
      this.track.setAttribute("aria-valuetext", `${time.toFixed(3)} s`);
    }
  }
  Tenon.Timeline = Timeline;
})();
