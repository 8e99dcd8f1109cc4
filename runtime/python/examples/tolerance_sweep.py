"""A tolerance sweep: at which clearances does a peg go in, and against what force?

Usage: python3 tolerance_sweep.py [SCENES [PICTURE.png]]
    SCENES   folder of insertion-benchmark.json; default: content/scenes
    PICTURE  plot to write, where matplotlib is installed; default: no plot
"""

import sys
from pathlib import Path

import tenon

scene = Path(sys.argv[1] if len(sys.argv) > 1 else "content/scenes") / "insertion-benchmark.json"
clearances_um = [5, 10, 20, 50, 100, 300]
frictions = [0.0, 0.2]
cases = [
    {"scene": scene, "parameters": {"clearance_um": clearance, "friction": friction}}
    for friction in frictions
    for clearance in clearances_um
]
results = tenon.run_many(cases, threads=2)

print("friction  clearance  verdict   depth      peak push")
for case, result in zip(cases, results):
    values, goal = case["parameters"], result.goals[0]
    print(
        f"{values['friction']:8.1f}  {values['clearance_um']:6} µm  {goal['verdict']:8}"
        f"  {goal['depth_m'] * 1e3:6.2f} mm  {goal['max_push_n']:7.2f} N"
    )

if len(sys.argv) > 2:
    try:
        import matplotlib
    except ImportError:
        sys.exit("no plot: matplotlib is not installed (apt-get install python3-matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    for row, friction in enumerate(frictions):
        goals = [result.goals[0] for result in results[row * len(clearances_um) :][: len(clearances_um)]]
        pushes = [goal["max_push_n"] for goal in goals]
        (line,) = axes.loglog(clearances_um, pushes, "o-", label=f"friction {friction}")
        for clearance, goal in zip(clearances_um, goals):
            if goal["verdict"] != "inserted":
                axes.annotate(f"   {goal['verdict']}", (clearance, goal["max_push_n"]), color=line.get_color())
    axes.set_xticks(clearances_um, [str(clearance) for clearance in clearances_um])
    axes.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.minorticks_off()
    axes.set_xlabel("clearance [µm]")
    axes.set_ylabel("peak push [N]")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(sys.argv[2], dpi=120)
