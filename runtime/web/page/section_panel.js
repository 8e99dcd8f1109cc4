// The controls of the section plane: where it cuts, and the look at a goal's hole.
"use strict";
(function () {
  const find = (id) => document.getElementById(id);
  const AXES = [["y", "From the front", [0, -1, 0]], ["x", "From the right", [1, 0, 0]], ["z", "From above", [0, 0, 1]]];

  class SectionPanel {
    constructor(session, view) {
      this.session = session;
      this.view = view;
      this.cut = {choice: "y", normal: [0, -1, 0], middle: 0, flipped: false};
      for (const [name, text] of AXES) find("section-axis").append(new Option(text, name));
      session.goals.forEach((goal, k) => find("section-axis").append(new Option(`Through ${goal.name}`, k)));
      find("section-button").addEventListener("click", () => this.toggle());
      find("section-axis").addEventListener("change", (event) => this.choose(event.target.value));
      find("section-slider").addEventListener("input", () => this.apply());
      find("section-flip").addEventListener("click", () => {
        this.cut.flipped = !this.cut.flipped;
        this.apply();
      });
    }

    toggle() {
      this.show(!this.view.section.isOn());
    }
    show(on, choice = this.cut.choice) {
      find("section-button").setAttribute("aria-pressed", on);
      find("section-panel").hidden = !on;
      find("view").classList.toggle("cut", on);
      if (on) this.choose(choice);
      else this.view.section.clear();
      this.view.changed(true);
    }

    /** Direction of the cut through a goal's hole: along its axis, facing the front or the right. */
    cutOfGoal(goal) {
      const {motion} = this.session.parts[goal.into];
      const {p, q} = motion ? motion.at(this.view.frame, this.view.share) : {p: [0, 0, 0], q: [1, 0, 0, 0]};
      const turn = new THREE.Quaternion(q[1], q[2], q[3], q[0]);
      const axis = new THREE.Vector3(...goal.hole_axis).applyQuaternion(turn);
      const mouth = new THREE.Vector3(...goal.hole_position_m).applyQuaternion(turn).add(new THREE.Vector3(...p));
      const front = new THREE.Vector3(0, -1, 0.02).normalize(), side = new THREE.Vector3(1, 0, 0.02).normalize();
      const normal = Math.abs(axis.dot(front)) < 0.9 ? front : side;
      normal.addScaledVector(axis, -axis.dot(normal)).normalize();
      return {normal: normal.toArray(), middle: normal.dot(mouth), axis};
    }
    choose(choice) {
      const {cut} = this;
      cut.choice = choice;
      cut.flipped = false;
      find("section-axis").value = choice;
      find("section-slider").value = 500;
      const named = AXES.find(([name]) => name === choice);
      if (named) Object.assign(cut, {normal: named[2], middle: new THREE.Vector3(...named[2]).dot(this.view.center)});
      else Object.assign(cut, this.cutOfGoal(this.session.goals[+choice]));
      this.apply();
    }
    apply() {
      const {cut, view} = this, offset = cut.middle + (find("section-slider").value / 500 - 1) * 1.05 * view.radius;
      const normal = new THREE.Vector3(...cut.normal), sign = cut.flipped ? -1 : 1;
      view.section.set(normal.multiplyScalar(sign), sign * offset);
      view.section.update();
      find("section-offset").textContent = `${(1e3 * (offset - cut.middle)).toFixed(1)} mm`;
      view.changed(true);
    }
    /** Looks at a goal's hole and part, cut open along the hole's axis. */
    lookAtGoal(goal) {
      const {view} = this;
      this.show(true, String(this.session.goals.indexOf(goal)));
      const from = new THREE.Vector3(...this.cut.normal).addScaledVector(this.cut.axis, 0.35);
      view.look(from.toArray(), [goal.part]);
      const distance = view.camera.position.distanceTo(view.controls.target);
      view.camera.position.addScaledVector(from.normalize(), 0.9 * distance);
      view.controls.update();
      view.untouched = false;
    }
  }
  Tenon.SectionPanel = SectionPanel;
})();
