// The time line: what each hand held, goals and notes as marks, and a head that a pointer drags.
"use strict";
(function () {
  class Timeline {
    /** `seek(time)`: called while a person drags. */
    constructor(session, track, seek) {
      const make = Tenon.make, end = session.end;
      this.end = end;
      this.track = track;
      const percent = (time) => `${(100 * time / end).toFixed(3)}%`;
      const addRow = (name, bars, marks) => {
        const row = make("div.row", make("span", name));
        for (const bar of bars) {
          const element = make("div.bar", bar.label);
          element.style.left = percent(bar.from_s);
          element.style.width = percent(bar.to_s - bar.from_s);
          element.title = bar.label;
          row.append(element);
        }
        for (const mark of marks) {
          const element = make(`div.spot.${mark.kind}`);
          element.style.left = percent(mark.time_s);
          element.title = `${mark.time_s.toFixed(3)} s: ${mark.label}`;
          row.append(element);
        }
        track.append(row);
      };
      const hands = session.rows.slice(0, session.hands.length), rest = session.rows.slice(session.hands.length);
      for (const row of hands) addRow(row.name, row.bars, row.marks);
      const notes = [], goals = [];
      for (const row of rest)
        for (const mark of row.marks)
          (mark.kind === "mark" ? notes : goals).push({...mark, label: mark.kind === "mark" ? mark.label : `${row.name}: ${mark.label}`});
      const order = ["contact", "jam", "seated"];  // the outcome on top
      goals.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
      if (session.goals.length) addRow("goals", [], goals);
      if (notes.length) addRow("notes", [], notes);
      if (!track.children.length) addRow("", [], []);
      const axis = make("div.axis");
      const labels = Tenon.ticks(0, end, 8);
      labels.forEach((at) => {
        const label = make("span", at === 0 ? "0" : `${at} s`);
        label.style.left = percent(at);
        if (at === 0) label.style.transform = "none";
        else if (at > 0.97 * end) label.style.transform = "translateX(-100%)";
        axis.append(label);
      });
      this.head = make("div.head");
      track.append(axis, make("div.area", this.head));
      track.setAttribute("aria-valuemax", end);

      const drag = (event) => {
        const box = track.querySelector(".area").getBoundingClientRect();
        seek(Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * end);
      };
      track.addEventListener("pointerdown", (event) => {
        track.setPointerCapture(event.pointerId);
        drag(event);
      });
      track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && drag(event));
    }
    set(time) {
      this.head.style.left = `${(100 * time / this.end).toFixed(3)}%`;
      this.track.setAttribute("aria-valuenow", time.toFixed(3));
      this.track.setAttribute("aria-valuetext", `${time.toFixed(3)} s`);
    }
  }
  Tenon.Timeline = Timeline;
})();
