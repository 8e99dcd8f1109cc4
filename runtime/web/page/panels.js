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
  class Goals {
    /** `look(goal)`: called to show a goal's hole cut open. */
    constructor(session, panel, look) {
      this.session = session;
      if (!session.goals.length) panel.append(make("p.note", session.outcome || "The scene has no goals."));
      this.cards = session.goals.map((goal) => {
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
        const note = make("span", session.live ? "The part was not at the hole yet." : "The part was never at the hole.");
        const foot = make("div.foot", note, button);
        card.append(foot);
        panel.append(card);
        return {goal, card, verdict, bar, why, figures: figures.map((figure) => figure.value), foot, note, chart: null};
      });
      this.grow();
    }

    /** Call after the session got more frames. */
    grow() {
      for (const card of this.cards) {
        if (!card.goal.curve.length) continue;
        if (card.chart) {
          card.chart.grow();
          continue;
        }
        card.chart = new Tenon.Chart(card.goal);
        card.note.textContent = "";
        card.foot.before(card.chart.svg);
      }
    }

    set(frame, time) {
      let reached = 0;
      const last = this.session.frames.count - 1;
      for (const {goal, card, verdict, bar, why, figures, chart} of this.cards) {
        const {word, kind} = goal.words[goal.word[frame]], depth = goal.depths[frame];
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
        const jam = this.session.events.filter((event) => event.kind === "jam" &&
          this.session.goals[event.goal] === goal && event.time_s <= time + 1e-9).pop();
        const cause = kind === "good" ? "" : frame === last && !this.session.live ? goal.why : jam ? jam.detail : "";
        why.textContent = cause;
        why.hidden = !cause || cause === word;
        if (chart) chart.set(frame);
      }
      return reached;
    }
  }
  Tenon.Goals = Goals;

  const isContact = (event) => event.kind.startsWith("contact-");

  const MAX_ROWS = 4000;  // of the list; older ones leave it

  class Events {
    /** `jump(event)`: called when an event is clicked. */
    constructor(session, panel, jump) {
      this.panel = panel;
      this.jump = jump;
      this.box = make("input");
      this.box.type = "checkbox";
      this.box.id = "contacts-box";
      this.count = document.createTextNode("");
      this.filterBar = make("div.bar-of-list", make("label", this.box, this.count));
      this.note = make("p.note", session.live ? "No events yet." : "The session has no events.");
      this.list = make("ul.list");
      panel.append(this.filterBar, this.note, this.list);
      this.rows = [];
      this.past = 0;  // rows up to the present time
      this.contacts = 0;
      this.shown = null;
      this.box.checked = !session.live && session.events.every(isContact);
      this.box.addEventListener("change", () => {
        for (const {event, item} of this.rows) item.hidden = isContact(event) && !this.box.checked;
      });
      this.add(session.events);
    }

    /** Adds events, in the order of their times. */
    add(events) {
      for (const event of events) {
        const button = make("button", make("time", `${event.time_s.toFixed(3)} s`), make("i"), make("span", event.text));
        button.addEventListener("click", () => this.jump(event));
        const item = make("li", button);
        item.className = event.mark ? "mark" : event.kind;
        item.classList.add("later");
        item.hidden = isContact(event) && !this.box.checked;
        this.contacts += isContact(event);
        this.list.append(item);
        this.rows.push({event, item});
      }
      const many = Math.max(this.rows.length - MAX_ROWS, 0);
      if (this.list.dataset.grows) this.rows.splice(0, many).forEach(({item}) => item.remove());
      if (this.list.dataset.grows) this.past = Math.max(this.past - many, 0);
      this.list.dataset.grows = "yes";
      this.filterBar.hidden = !this.contacts;
      this.count.textContent = `Contacts (${this.contacts})`;
      this.note.hidden = this.rows.length > 0;
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
      `${session.live ? "States are shown as they come, 30 in a second" : session.keyframe_every > 1
        ? `States are shown as recorded, every ${session.keyframe_every} steps`
        : "States are shown as recorded, at every step"}, and in between by interpolation; positions are within 1 µm. Push: what the part with the hole resists, along the hole's axis; the peak is over all steps. Orange arrows: forces of contacts; blue: of hands.`));
  };
})();
