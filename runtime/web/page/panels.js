// The panels beside the scene: goals with their charts, events, parts, and how the session was recorded.
"use strict";
(function () {
  /** An element: make("p.note", "text") or make("div", child, child). */
  const make = (Tenon.make = function (kind, ...content) {
    const [name, ...classes] = kind.split("."), element = document.createElement(name);
    if (classes.length) element.className = classes.join(" ");
    element.append(...content);
    return element;
  });
  const SVG = "http://www.w3.org/2000/svg";
  function draw(name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const REACHED = ["inserted", "tight"], FAILED = ["jammed", "blocked", "too-deep"];
  /** Class of a verdict's word. */
  Tenon.kindOf = (word) => REACHED.includes(word) ? "good" : FAILED.includes(word) ? "bad" : word === "released" ? "wait" : "none";

  /** Round numbers in [low, high], about `count`. */
  function ticks(low, high, count) {
    const range = high - low || 1, power = 10 ** Math.floor(Math.log10(range / count));
    const step = [1, 2, 5, 10].map((s) => s * power).find((s) => range / s <= count), out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * range; ++k) out.push(+(k * step).toPrecision(6));
    return out;
  }
  Tenon.ticks = ticks;

  /** The least and largest of `values` and the two given bounds. */
  const rangeOf = (values, low, high) => [values.reduce((a, b) => Math.min(a, b), low), values.reduce((a, b) => Math.max(a, b), high)];

  /** Push against depth of a goal: the whole curve, what is past, and the present point. */
  class Chart {
    constructor(goal) {
      this.goal = goal;
      const width = 340, height = 132, left = 46, right = 8, top = 8, bottom = 30;
      this.svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Push against depth"});
      const depths = [], pushes = [];
      for (const frame of goal.curve) {
        depths.push(goal.depths[frame] * 1e3);
        pushes.push(goal.pushes[frame]);
      }
      // Not Math.min(...depths): a long session has more points than a call may have arguments.
      const [low, high] = rangeOf(depths, 0, goal.depth_m * 1e3), [least, highest] = rangeOf(pushes, 0, 1e-3);
      const most = highest * 1.06;
      const x = (this.x = (depth) => left + (depth - low) / (high - low || 1) * (width - left - right));
      const y = (this.y = (push) => height - bottom - (push - least) / (most - least) * (height - top - bottom));
      for (const at of ticks(low, high, 6)) {
        this.svg.append(draw("line", {class: "grid", x1: x(at), x2: x(at), y1: top, y2: height - bottom}));
        this.svg.append(draw("text", {x: x(at), y: height - bottom + 12, "text-anchor": "middle"}, at));
      }
      for (const at of ticks(least, most, 4)) {
        this.svg.append(draw("line", {class: "grid", x1: left, x2: width - right, y1: y(at), y2: y(at)}));
        this.svg.append(draw("text", {x: left - 5, y: y(at) + 3.5, "text-anchor": "end"}, at));
      }
      this.svg.append(draw("text", {x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle"}, "depth [mm]"));
      this.svg.append(draw("text", {x: 9, y: (top + height - bottom) / 2, "text-anchor": "middle",
        transform: `rotate(-90 9 ${(top + height - bottom) / 2})`}, "push [N]"));
      this.points = depths.map((depth, k) => `${x(depth).toFixed(1)},${y(pushes[k]).toFixed(1)}`);
      this.svg.append(draw("polyline", {class: "whole", points: this.points.join(" ")}));
      this.past = draw("polyline", {class: "past"});
      this.dot = draw("circle", {class: "dot", r: 4.5});
      this.svg.append(this.past, this.dot);
      this.passed = -1;
    }
    set(frame) {
      const curve = this.goal.curve;
      let low = 0, high = curve.length;  // number of the curve's frames up to this one
      while (low < high) {
        const middle = (low + high) >> 1;
        if (curve[middle] <= frame) low = middle + 1;
        else high = middle;
      }
      if (low !== this.passed) this.past.setAttribute("points", this.points.slice(0, low).join(" "));
      this.passed = low;
      const inside = low > 0 && curve[low - 1] === frame;
      this.dot.style.display = inside ? "" : "none";
      if (!inside) return;
      this.dot.setAttribute("cx", this.x(this.goal.depths[frame] * 1e3));
      this.dot.setAttribute("cy", this.y(this.goal.pushes[frame]));
    }
  }

  class Goals {
    /** `look(goal)`: called to show a goal's hole cut open. */
    constructor(session, panel, look) {
      this.session = session;
      if (!session.goals.length) panel.append(make("p.note", session.outcome));
      this.cards = session.goals.map((goal, index) => {
        const card = make("article.goal"), verdict = make("span.pill"), bar = make("i"), why = make("p.why");
        const figures = ["depth", "push now", "peak push", "tilt"].map((label) => {
          const value = make("span");
          return {value, cell: make("div", make("small", label), value)};
        });
        const button = make("button", "Cut open");
        button.title = "Show the hole cut open along its axis";
        button.addEventListener("click", () => look(goal));
        card.append(make("h2", make("span", goal.name), verdict), make("div.depth", bar),
          make("div.figures", ...figures.map((figure) => figure.cell)), why);
        const chart = goal.curve.length ? new Chart(goal) : null;
        if (chart) card.append(chart.svg);
        card.append(make("div.foot", make("span", chart ? "" : "The part was never at the hole."), button));
        panel.append(card);
        const jams = session.events.filter((event) => event.goal === index && event.kind === "jam");
        return {goal, card, verdict, bar, why, figures: figures.map((figure) => figure.value), chart, jams};
      });
    }

    set(frame, time) {
      let reached = 0;
      const last = this.session.frames.count - 1;
      for (const {goal, card, verdict, bar, why, figures, chart, jams} of this.cards) {
        const word = goal.words[goal.word[frame]], kind = Tenon.kindOf(word), depth = goal.depths[frame];
        reached += kind === "good";
        verdict.textContent = word;
        verdict.className = `pill ${kind}`;
        card.classList.toggle("reached", kind === "good");
        card.classList.toggle("failed", kind === "bad");
        bar.style.width = `${(100 * Math.min(Math.max(depth / (goal.depth_m || 1), 0), 1)).toFixed(1)}%`;
        figures[0].textContent = depth > 0 ? `${(depth * 1e3).toFixed(3)} of ${+(goal.depth_m * 1e3).toFixed(3)} mm` : "not in the hole";
        figures[1].textContent = Tenon.forceText(goal.pushes[frame]);
        figures[2].textContent = Tenon.forceText(goal.maxPushes[frame]);
        figures[3].textContent = depth > 0 ? `${(goal.tilts[frame] * 180 / Math.PI).toFixed(2)}°` : "–";
        // The cause of the last stop up to here; at the end that of the report.
        const jam = jams.filter((event) => event.time_s <= time + 1e-9).pop();
        const cause = kind === "good" ? "" : frame === last ? goal.why : jam ? jam.detail : "";
        why.textContent = cause;
        why.hidden = !cause || cause === word;
        if (chart) chart.set(frame);
      }
      return reached;
    }
  }
  Tenon.Goals = Goals;

  const isContact = (event) => event.kind.startsWith("contact-");

  class Events {
    /** `jump(event)`: called when an event is clicked. */
    constructor(session, panel, jump) {
      this.panel = panel;
      const contacts = session.events.filter(isContact).length;
      const box = make("input");
      box.type = "checkbox";
      box.id = "contacts-box";
      const list = make("ul.list");
      this.rows = session.events.map((event) => {
        const button = make("button", make("time", `${event.time_s.toFixed(3)} s`), make("i"), make("span", event.text));
        button.addEventListener("click", () => jump(event));
        const item = make("li", button);
        item.className = event.mark ? "mark" : event.kind;
        list.append(item);
        return {event, item};
      });
      const filter = () => {
        for (const {event, item} of this.rows) item.hidden = isContact(event) && !box.checked;
      };
      box.addEventListener("change", filter);
      box.checked = contacts === session.events.length;
      if (contacts) panel.append(make("div.bar-of-list", make("label", box, `Contacts (${contacts})`)));
      if (!session.events.length) panel.append(make("p.note", "The session has no events."));
      panel.append(list);
      this.rows.forEach((row) => row.item.classList.add("later"));
      this.past = 0;  // rows up to the present time
      this.shown = null;
      filter();
    }

    /** Marks the last event up to `time`, and returns it; keeps it in view while playing. */
    set(time, playing) {
      // Only rows between the last time and this one change.
      const isPast = (row) => row && row.event.time_s <= time + 1e-9;
      for (; isPast(this.rows[this.past]); ++this.past) this.rows[this.past].item.classList.remove("later");
      for (; this.past > 0 && !isPast(this.rows[this.past - 1]); --this.past) this.rows[this.past - 1].item.classList.add("later");
      if (this.shown) this.shown.item.classList.remove("now");
      let last = this.past - 1;
      while (last >= 0 && this.rows[last].item.hidden) --last;
      if (last < 0) {
        this.shown = null;
        return null;
      }
      const now = this.rows[last];
      now.item.classList.add("now");
      if (playing && !this.panel.hidden && now !== this.shown) {
        const box = this.panel.getBoundingClientRect(), at = now.item.getBoundingClientRect();
        if (at.top < box.top || at.bottom > box.bottom)
          this.panel.scrollTop += at.top - box.top - box.height / 2;
      }
      this.shown = now;
      return now.event;
    }

    /** The shown event before or after `time`; null: there is none. */
    neighbor(time, step) {
      const shown = this.rows.filter((row) => !row.item.hidden).map((row) => row.event);
      return step > 0 ? shown.find((event) => event.time_s > time + 1e-6) || null
        : shown.reverse().find((event) => event.time_s < time - 1e-6) || null;
    }
  }
  Tenon.Events = Events;

  const EYE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="2.8"/><path class="slash" d="M4 4l16 16"/></svg>';

  class Parts {
    /** `show(index, visible)`, `pick(index)`: called when a person hides or chooses a part. */
    constructor(session, panel, show, pick) {
      const all = make("button", "Show all"), list = make("ul.list");
      const drawn = session.parts.map((part, index) => ({part, index})).filter(({part}) => part.mesh);
      panel.append(make("div.bar-of-list", make("span", `${drawn.length} part${drawn.length === 1 ? "" : "s"}`), all), list);
      this.items = new Map();
      for (const {part, index} of drawn) {
        const eye = make("button.eye"), swatch = make("span.swatch"), name = make("button.name", part.name);
        eye.innerHTML = EYE;
        const srgb = part.surface.color.map((c) => Math.round(255 * Math.min(1, c) ** (1 / 2.2)));
        swatch.style.background = `rgb(${srgb})`;
        name.addEventListener("click", () => pick(index));
        name.title = "Highlight";
        const note = part.mass_kg === undefined ? "fixed" : Tenon.massText(part.mass_kg);
        const item = make("li", swatch, name, make("small", note), eye);
        const set = (visible) => {
          item.classList.toggle("off", !visible);
          eye.setAttribute("aria-label", `${visible ? "Hide" : "Show"} ${part.name}`);
          eye.title = visible ? "Hide" : "Show";
          eye.setAttribute("aria-pressed", !visible);
          show(index, visible);
        };
        eye.removeAttribute("aria-pressed");
        eye.addEventListener("click", () => set(item.classList.contains("off")));
        item.dataset.part = index;
        set.item = item;
        this.items.set(index, set);
        list.append(item);
        set(true);
      }
      all.addEventListener("click", () => this.items.forEach((set) => set(true)));
    }
    /** Marks a part of the list; −1: none. */
    pick(index) {
      this.items.forEach((set, k) => set.item.classList.toggle("picked", k === index));
    }
  }
  Tenon.Parts = Parts;
  Tenon.massText = (kg) => kg < 1 ? `${Tenon.significant(kg * 1e3)} g` : `${Tenon.significant(kg)} kg`;

  const KEYS = [["Space", "play or pause"], ["← →", "one frame back, forward"], ["Page up, Page down", "event before, after"],
    ["Home, End", "start, end"], ["1 2 3 4", "views"], ["C", "section"], ["F", "forces"]];

  Tenon.fillAbout = function (session, panel) {
    const table = (rows) => make("table", ...rows.map(([head, text]) => make("tr", make("th", head), make("td", text))));
    panel.append(table(session.facts), make("h2", "Scene"), make("p.note",
      "Drag to orbit, drag with the right button or two fingers to pan, wheel or pinch to zoom, click a part for its name, double-click to see everything."),
      make("h2", "Keys"), table(KEYS), make("h2", "Figures"), make("p.note",
      `States are shown as recorded, ${session.keyframe_every > 1 ? `every ${session.keyframe_every} steps` : "at every step"}, and in between by interpolation; positions are within 1 µm. Push: what the part with the hole resists, along the hole's axis; the peak is over all steps. Red arrows: forces of contacts; blue: of hands.`));
  };
})();
