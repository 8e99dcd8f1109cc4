"""How often does a 10 mm peg go into its bore?

Usage: python3 yield_study.py [FOLDER OF SCENES] [ADDRESS OF A DASK SCHEDULER]

48 pegs of H7/h6 with position error, tilt and friction of their own. With the address of a scheduler of Dask, its workers
run them: the same results.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import tenon

SCENES = Path(sys.argv[1] if len(sys.argv) > 1 else "content/scenes")
PLAN = {
    "tenon_study": 1,
    "scene": str(SCENES / "insertion-benchmark.json"),
    "design": "latin-hypercube",
    "count": 48,
    "seed": 1,
    "variables": [
        {"parameter": "clearance_um", "fit_clearance": {"zones": "H7/h6", "diameter_mm": 10, "cp": 1.33, "unit": "um"}},
        {"parameter": "offset_mm", "uniform": [0, 2]},
        {"parameter": "tilt_deg", "uniform": [-3, 3]},
        {"parameter": "friction", "triangular": [0.05, 0.12, 0.25]},
    ],
}

client = None
if len(sys.argv) > 2:
    from distributed import Client

    client = Client(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    results = tenon.study.run(PLAN, client, out=Path(folder) / "yield.study")
    low, high = results.summary["yield_interval"]
    print(f"{results.summary['yield']:.1%} go in (95 % interval: {low:.1%} to {high:.1%})")
    cases = results.cases
    for cause, count in results.summary["causes"].items():
        print(f"{cause}: {count}")
    inserted = cases[cases["success"]]
    print(f"peak push of those: median {np.median(inserted['peak_push_n']):.1f} N, most {inserted['peak_push_n'].max():.1f} N")
