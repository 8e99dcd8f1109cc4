"""A tolerance sweep: at which clearances does a peg go in, and against what force?

Usage: python3 tolerance_sweep.py [SCENES [PICTURE.png]]
    SCENES   folder of insertion-benchmark.json; default: content/scenes
    PICTURE  plot to write, where matplotlib is installed; default: no plot
"""

import sys
from pathlib import Path

import tenon

scene = Path(sys.argv[1] if len(sys.argv) > 1 else "content/scenes") / "insertion-benchmark.json"
clearances_um = [5, 20, 100, 300]
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

    for row, friction in enumerate(frictions):
        pushes = [r.goals[0]["max_push_n"] for r in results[row * len(clearances_um) :][: len(clearances_um)]]
        pyplot.plot(clearances_um, pushes, "o-", label=f"friction {friction}")
    pyplot.xlabel("clearance [µm]")
    pyplot.ylabel("peak push [N]")
    pyplot.legend()
    pyplot.savefig(sys.argv[2])
