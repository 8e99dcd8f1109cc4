// Starts the page, and joins scene, time line and panels: everything follows one time.
"use strict";
(function () {
  const find = (id) => document.getElementById(id);
  const state = {time: 0, playing: false, speed: 1, request: 0};
  let session, view, timeline, goals, events, parts;

  function fail(error) {
    document.body.classList.remove("loading");
    find("message").textContent = error.message;
    find("message").hidden = false;
  }

  /** Shows the session at a time [s]. */
  function seek(time) {
    state.time = Math.min(Math.max(time, 0), session.end);
    const {frame, share} = Tenon.frameAt(session, state.time);
    if (view) view.set(frame, share);
    timeline.set(state.time);
    find("now").textContent = `${state.time.toFixed(3)} s`;
    const reached = goals.set(frame, state.time);
    find("goal-count").textContent = session.goals.length ? `${reached}/${session.goals.length}` : "";
    const event = events.set(state.time, state.playing);
    find("caption").textContent = event ? event.text : "";
    if (view) showLegend();
  }

  function play(on) {
    if (on && state.time >= session.end) seek(0);
    state.playing = on;
    find("play").classList.toggle("playing", on);
    find("play").setAttribute("aria-label", on ? "Pause" : "Play");
    cancelAnimationFrame(state.request);
    if (!on) return;
    let before;
    const tick = (now) => {
      if (before !== undefined) seek(state.time + state.speed * (now - before) / 1e3);
      before = now;
      if (state.time >= session.end) return play(false);
      state.request = requestAnimationFrame(tick);
    };
    state.request = requestAnimationFrame(tick);
  }

  function pauseAt(time) {
    play(false);
    seek(time);
  }
  function step(count) {
    const {frame, share} = Tenon.frameAt(session, state.time), times = session.frames.times;
    const next = count < 0 && share > 0 ? frame : frame + count;
    pauseAt(times[Math.min(Math.max(next, 0), times.length - 1)]);
  }
  function toEvent(direction) {
    const event = events.neighbor(state.time, direction);
    pauseAt(event ? event.time_s : direction > 0 ? session.end : 0);
  }

  function lengthText(meters) {
    return meters < 1 ? `${+(meters * 1e3).toPrecision(3)} mm` : `${+meters.toPrecision(3)} m`;
  }
  function showLegend() {
    const lines = [], {shown, scale} = view.arrows;
    if (session.ground) lines.push(["", `grid ${lengthText(session.ground.cell_m)}`]);
    if (view.showsForces) {
      if (shown.some((one) => !one.hand)) lines.push([Tenon.forceColors.contact, "contact force"]);
      if (shown.some((one) => one.hand)) lines.push([Tenon.forceColors.hand, "hand force"]);
      if (!session.frames.valid[view.forceFrame]) lines.push(["", "No forces: this step did not converge"]);
      else if (shown.length) lines.push(["", `${+scale.newtons.toPrecision(3)} N = ${lengthText(scale.length)}`]);
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

  // --- section
  const AXES = [["y", "From the front", [0, -1, 0]], ["x", "From the right", [1, 0, 0]], ["z", "From above", [0, 0, 1]]];
  const cut = {choice: "y", normal: [0, -1, 0], middle: 0, flipped: false};

  /** Direction of the cut through a goal's hole: along its axis, facing the front or the right. */
  function cutOfGoal(goal) {
    const {p, q} = session.parts[goal.into].motion ? session.parts[goal.into].motion.at(view.frame, view.share)
      : {p: [0, 0, 0], q: [1, 0, 0, 0]};
    const turn = new THREE.Quaternion(q[1], q[2], q[3], q[0]);
    const axis = new THREE.Vector3(...goal.hole_axis).applyQuaternion(turn);
    const mouth = new THREE.Vector3(...goal.hole_position_m).applyQuaternion(turn).add(new THREE.Vector3(...p));
    const front = new THREE.Vector3(0, -1, 0.02).normalize(), side = new THREE.Vector3(1, 0, 0.02).normalize();
    const normal = Math.abs(axis.dot(front)) < 0.9 ? front : side;
    normal.addScaledVector(axis, -axis.dot(normal)).normalize();
    return {normal: normal.toArray(), middle: normal.dot(mouth), axis};
  }
  function chooseCut(choice) {
    cut.choice = choice;
    cut.flipped = false;
    find("section-axis").value = choice;
    find("section-slider").value = 500;
    const named = AXES.find(([name]) => name === choice);
    if (named) Object.assign(cut, {normal: named[2], middle: new THREE.Vector3(...named[2]).dot(view.center)});
    else Object.assign(cut, cutOfGoal(session.goals[+choice]));
    applyCut();
  }
  function applyCut() {
    const offset = cut.middle + (find("section-slider").value / 500 - 1) * 1.05 * view.radius;
    const normal = new THREE.Vector3(...cut.normal), sign = cut.flipped ? -1 : 1;
    view.section.set(normal.multiplyScalar(sign), sign * offset);
    view.section.update();
    find("section-offset").textContent = `${(1e3 * (offset - cut.middle)).toFixed(1)} mm`;
    view.changed(true);
  }
  function showSection(on, choice = cut.choice) {
    find("section-button").setAttribute("aria-pressed", on);
    find("section-panel").hidden = !on;
    find("view").classList.toggle("cut", on);
    if (on) chooseCut(choice);
    else view.section.clear();
    view.changed(true);
  }
  /** Looks at a goal's hole and part, cut open along the hole's axis. */
  function lookAtGoal(goal) {
    if (!view) return;
    showSection(true, String(session.goals.indexOf(goal)));
    const from = new THREE.Vector3(...cut.normal).addScaledVector(cut.axis, 0.35);
    view.look(from.toArray(), [goal.part]);
    const distance = view.camera.position.distanceTo(view.controls.target);
    view.camera.position.addScaledVector(from.normalize(), 0.9 * distance);
    view.controls.update();
    view.untouched = false;
  }

  function showForces(on) {
    view.showsForces = on;
    find("forces-button").setAttribute("aria-pressed", on);
    seek(state.time);
  }

  function pick(index) {
    const chosen = index === view.picked ? -1 : index, part = session.parts[chosen];
    view.pick(chosen);
    parts.pick(chosen);
    find("picked").hidden = !part;
    if (!part) return;
    const notes = [part.designation, part.material, part.mass_kg === undefined ? "fixed" : Tenon.massText(part.mass_kg)];
    find("picked").replaceChildren(Tenon.make("b", part.name), Tenon.make("span", "  " + notes.filter(Boolean).join(" · ")));
  }

  function connect() {
    find("play").addEventListener("click", () => play(!state.playing));
    find("previous").addEventListener("click", () => toEvent(-1));
    find("next").addEventListener("click", () => toEvent(1));
    find("speed").addEventListener("change", (event) => (state.speed = +event.target.value));
    const tabs = [...document.querySelectorAll("[data-tab]")];
    const open = (name) => tabs.forEach((tab) => {
      tab.setAttribute("aria-selected", tab.dataset.tab === name);
      find(tab.dataset.tab).hidden = tab.dataset.tab !== name;
    });
    tabs.forEach((tab) => tab.addEventListener("click", () => open(tab.dataset.tab)));
    const actions = {" ": () => play(!state.playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
      PageUp: () => toEvent(-1), PageDown: () => toEvent(1), Home: () => pauseAt(0), End: () => pauseAt(session.end)};
    if (view) {
      document.querySelectorAll("[data-view]").forEach((button) =>
        button.addEventListener("click", () => view.look(button.dataset.view)));
      for (const [name, text] of AXES) find("section-axis").append(new Option(text, name));
      session.goals.forEach((goal, k) => find("section-axis").append(new Option(`Through ${goal.name}`, k)));
      find("section-button").addEventListener("click", () => showSection(!view.section.isOn()));
      find("section-axis").addEventListener("change", (event) => chooseCut(event.target.value));
      find("section-slider").addEventListener("input", applyCut);
      find("section-flip").addEventListener("click", () => {
        cut.flipped = !cut.flipped;
        applyCut();
      });
      find("forces-button").addEventListener("click", () => showForces(!view.showsForces));
      view.onPick = pick;
      ["iso", "front", "right", "top"].forEach((name, k) => (actions[k + 1] = () => view.look(name)));
      actions.c = () => showSection(!view.section.isOn());
      actions.f = () => showForces(!view.showsForces);
    }
    addEventListener("keydown", (event) => {
      const inField = /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName);
      const onButton = event.target.tagName === "BUTTON" && event.key === " ";
      if (inField || onButton || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  /** The session in the page, or a clear error. */
  async function read(name) {
    try {
      return await Tenon.expand(find(name).textContent);
    } catch (error) {
      if (typeof DecompressionStream === "undefined") throw error;
      throw new Error("This page is damaged: load it again, or have it exported again.");
    }
  }

  async function start() {
    find("message").textContent = "Reading the session …";
    find("message").hidden = false;
    const [library, document_] = await Promise.all(["library", "session"].map(read));
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(library);
    document.head.append(script);
    session = Tenon.decode(document_);
    find("title").textContent = session.title;
    find("outcome").textContent = session.outcome;
    find("outcome").classList.add(!session.goals.length ? "none" : session.reached ? "good" : "bad");
    find("end").textContent = `${session.end.toFixed(3)} s`;
    document.body.classList.remove("loading");
    find("message").hidden = true;
    try {
      view = new Tenon.View(session, find("canvas"), find("labels"));
    } catch (error) {
      fail(error);  // the panels work without a picture
    }
    timeline = new Tenon.Timeline(session, find("track"), pauseAt);
    goals = new Tenon.Goals(session, find("goals"), lookAtGoal);
    events = new Tenon.Events(session, find("events"), (event) => {
      pauseAt(event.time_s);
      if (view && event.parts.length && event.parts[0] !== view.picked) pick(event.parts[0]);
    });
    parts = new Tenon.Parts(session, find("parts"), (index, visible) => view && view.showPart(index, visible),
      (index) => view && pick(index));
    Tenon.fillAbout(session, find("about"));
    connect();
    if (!session.goals.length) document.querySelector("[data-tab=parts]").click();
    const wanted = /[#&]t=([0-9.]+)/.exec(location.hash);
    seek(wanted && Number.isFinite(+wanted[1]) ? +wanted[1] : 0);
  }

  /** For tests and scripts: the time, and what is drawn at it. */
  window.tenon = {
    ready: start().catch((error) => {
      fail(error);
      throw error;
    }),
    seek: (time) => pauseAt(time),
    shown: () => (view.scene.updateMatrixWorld(), {
      time_s: state.time,
      parts: view.parts.map((part, k) => part && {name: session.parts[k].name, visible: part.visible,
        matrix: part.userData.body.matrixWorld.toArray()}),
      forces: view.arrows.shown.map(({newtons, point, hand, i, j}) => ({newtons, point, hand, i, j})),
      scale: view.arrows.scale,
    }),
    camera: () => ({position: view.camera.position.toArray(), target: view.controls.target.toArray()}),
  };
})();
