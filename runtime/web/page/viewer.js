// Joins scene, time line and panels of a session: everything follows one time. A running session grows, and its time
// follows the newest frame while `follows` is set.
"use strict";
(function () {
  const find = (id) => document.getElementById(id);

  /** Shows a text over the scene; "": hides it. */
  Tenon.showMessage = function (text, ...more) {
    find("message").replaceChildren(text, ...more);
    find("message").hidden = !text;
  };
  Tenon.fail = function (error) {
    document.body.classList.remove("loading");
    Tenon.showMessage(error.message);
  };

  class Viewer {
    constructor(session) {
      this.session = session;
      this.time = session.start;
      this.speed = 1;
      this.follows = Boolean(session.live);
      this.onFollow = () => {};
      find("title").textContent = document.title = session.title;
      find("end").textContent = `${session.end.toFixed(3)} s`;
      document.body.classList.remove("loading");
      Tenon.showMessage("");
      try {
        this.view = new Tenon.View(session, find("canvas"), find("labels"));
        this.section = new Tenon.SectionPanel(session, this.view);
      } catch (error) {
        Tenon.fail(error);  // the panels work without a picture
      }
      this.timeline = new Tenon.Timeline(session, find("track"), (time) => this.pauseAt(time));
      this.goals = new Tenon.Goals(session, find("goals"), (goal) => this.section && this.section.lookAtGoal(goal));
      this.events = new Tenon.Events(session, find("events"), (event) => {
        this.pauseAt(event.time_s);
        if (this.view && event.parts.length && event.parts[0] !== this.view.picked) this.pick(event.parts[0]);
      });
      this.parts = new Tenon.Parts(session, find("parts"),
        (index, visible) => this.view && this.view.showPart(index, visible), (index) => this.view && this.pick(index));
      Tenon.fillAbout(session, find("about"));
      this.connect();
      if (!session.goals.length) document.querySelector("[data-tab=parts]").click();
      this.seek(this.follows ? session.end : session.start);
    }

    /** Shows the session at a time [s]. */
    seek(time) {
      const {session, view} = this;
      this.time = Math.min(Math.max(time, session.start), session.end);
      const {frame, share} = Tenon.frameAt(session, this.time);
      if (view) view.set(frame, share);
      this.timeline.set(this.time);
      find("now").textContent = `${this.time.toFixed(3)} s`;
      const reached = this.goals.set(frame, this.time);
      find("goal-count").textContent = session.goals.length ? `${reached}/${session.goals.length}` : "";
      const event = this.events.set(this.time, this.playing || this.follows);
      find("caption").textContent = event ? event.text : "";
      if (view) this.showLegend();
    }

    play(on) {
      const {session} = this;
      if (on && session.live && this.time >= session.end) return this.follow(true);
      if (on && this.time >= session.end) this.seek(session.start);
      this.setFollows(false);
      this.playing = on;
      this.showPlaying();
      cancelAnimationFrame(this.request);
      if (!on) return;
      let before;
      const tick = (now) => {
        if (before !== undefined) this.seek(this.time + this.speed * (now - before) / 1e3);
        before = now;
        if (this.time >= session.end) return session.live ? this.follow(true) : this.play(false);
        this.request = requestAnimationFrame(tick);
      };
      this.request = requestAnimationFrame(tick);
    }
    showPlaying() {
      const on = Boolean(this.playing || this.follows);
      find("play").classList.toggle("playing", on);
      find("play").setAttribute("aria-label", on ? "Pause" : "Play");
    }
    setFollows(on) {
      if (this.follows === on) return;
      this.follows = on;
      this.onFollow(on);
    }
    /** The time is that of the newest frame from now on. */
    follow() {
      cancelAnimationFrame(this.request);
      this.playing = false;
      this.setFollows(true);
      this.showPlaying();
      this.seek(this.session.end);
    }
    toggle() {
      if (this.follows) this.pauseAt(this.time);
      else this.play(!this.playing);
    }
    pauseAt(time) {
      this.play(false);
      this.seek(time);
    }
    step(count) {
      const {frame, share} = Tenon.frameAt(this.session, this.time), {times, count: frames} = this.session.frames;
      const next = count < 0 && share > 0 ? frame : frame + count;
      this.pauseAt(times[Math.min(Math.max(next, 0), frames - 1)]);
    }
    toEvent(direction) {
      const event = this.events.neighbor(this.time, direction);
      this.pauseAt(event ? event.time_s : direction > 0 ? this.session.end : this.session.start);
    }

    /** Call after a running session got frames, and `events`. */
    grow(events) {
      this.events.add(events);
      for (const event of events) this.timeline.add(event);
      this.timeline.grow();
      this.goals.grow();
      find("end").textContent = `${this.session.end.toFixed(3)} s`;
      this.seek(this.follows ? this.session.end : this.time);
    }

    static lengthText(meters) {
      return meters < 1 ? `${+(meters * 1e3).toPrecision(3)} mm` : `${+meters.toPrecision(3)} m`;
    }
    showLegend() {
      const {view, session} = this, lines = [], {shown, scale} = view.arrows;
      if (session.ground) lines.push(["", `grid ${Viewer.lengthText(session.ground.cell_m)}`]);
      if (view.showsForces) {
        if (shown.some((one) => !one.hand)) lines.push([Tenon.color("contact"), "contact force"]);
        if (shown.some((one) => one.hand)) lines.push([Tenon.color("hand"), "hand force"]);
        if (!session.frames.valid[view.forceFrame]) lines.push(["", "No forces: this step did not converge"]);
        else if (shown.length)
          lines.push(["", `${+scale.newtons.toPrecision(3)} N = ${Viewer.lengthText(scale.length)}`]);
        else lines.push(["", "no forces here"]);
      }
      const text = JSON.stringify(lines);
      if (find("legend").dataset.lines === text) return;
      find("legend").dataset.lines = text;
      find("legend").hidden = !lines.length;
      find("legend").replaceChildren(...lines.map(([color, words]) => {
        const line = Tenon.make("div", words);
        if (color) {
          const sample = Tenon.make("i");
          sample.style.background = color;
          line.prepend(sample);
        }
        return line;
      }));
    }
    showForces(on) {
      this.view.showsForces = on;
      find("forces-button").setAttribute("aria-pressed", on);
      this.seek(this.time);
    }

    pick(index) {
      const chosen = index === this.view.picked ? -1 : index, part = this.session.parts[chosen];
      this.view.pick(chosen);
      this.parts.pick(chosen);
      find("picked").hidden = !part;
      if (!part) return;
      const notes = [part.designation, part.material, part.mass_kg === undefined ? "fixed" : Tenon.massText(part.mass_kg)];
      find("picked").replaceChildren(Tenon.make("b", part.name), Tenon.make("span", "  " + notes.filter(Boolean).join(" · ")));
    }

    connect() {
      const {session, view} = this;
      find("play").addEventListener("click", () => this.toggle());
      find("previous").addEventListener("click", () => this.toEvent(-1));
      find("next").addEventListener("click", () => this.toEvent(1));
      find("speed").addEventListener("change", (event) => (this.speed = +event.target.value));
      const tabs = [...document.querySelectorAll("[data-tab]")];
      const open = (name) => tabs.forEach((tab) => {
        tab.setAttribute("aria-selected", tab.dataset.tab === name);
        find(tab.dataset.tab).hidden = tab.dataset.tab !== name;
      });
      tabs.forEach((tab) => tab.addEventListener("click", () => open(tab.dataset.tab)));
      const actions = {" ": () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
        PageUp: () => this.toEvent(-1), PageDown: () => this.toEvent(1), Home: () => this.pauseAt(session.start),
        End: () => session.live ? this.follow() : this.pauseAt(session.end)};
      if (view) {
        document.querySelectorAll("[data-view]").forEach((button) =>
          button.addEventListener("click", () => view.look(button.dataset.view)));
        find("forces-button").addEventListener("click", () => this.showForces(!view.showsForces));
        view.onPick = (index) => this.pick(index);
        ["iso", "front", "right", "top"].forEach((name, k) => (actions[k + 1] = () => view.look(name)));
        actions.c = () => this.section.toggle();
        actions.f = () => this.showForces(!view.showsForces);
      }
      addEventListener("keydown", (event) => {
        const inField = /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName);
        const onButton = event.target.tagName === "BUTTON" && event.key === " ";
        if (inField || onButton || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
        event.preventDefault();
        actions[event.key]();
      });
    }

    /** What is drawn, for tests and scripts. */
    shown() {
      const {view, session} = this;
      view.scene.updateMatrixWorld();
      return {
        time_s: this.time,
        parts: view.parts.map((part, k) => part && {name: session.parts[k].name, visible: part.visible,
          matrix: part.userData.body.matrixWorld.toArray()}),
        forces: view.arrows.shown.map(({newtons, point, hand, i, j}) => ({newtons, point, hand, i, j})),
        scale: view.arrows.scale,
      };
    }
    camera() {
      return {position: this.view.camera.position.toArray(), target: this.view.controls.target.toArray()};
    }
  }
  Tenon.Viewer = Viewer;

  /** Shows a recorded session. */
  Tenon.openRecord = function (document_) {
    const session = Tenon.decode(document_), viewer = new Viewer(session), outcome = find("outcome");
    outcome.textContent = session.outcome;
    outcome.className = `pill ${!session.goals.length ? "none" : session.reached ? "good" : "bad"}`;
    const wanted = /[#&]t=([0-9.]+)/.exec(location.hash);
    if (wanted && Number.isFinite(+wanted[1])) viewer.seek(+wanted[1]);
    return viewer;
  };

  /** For tests and scripts; `start()` returns a promise of the viewer. */
  Tenon.publish = function (start) {
    const api = (window.tenon = {
      ready: start().then((viewer) => {
        if (!viewer) return;  // a list of sessions
        Object.assign(api, {viewer, seek: (time) => viewer.pauseAt(time), shown: () => viewer.shown(),
          camera: () => viewer.camera()});
      }).catch((error) => {
        Tenon.fail(error);
        throw error;
      }),
    });
  };
})();
