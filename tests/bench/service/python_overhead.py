#!/usr/bin/env python3
"""CPU time of a step from Python as a ratio to the same step from C++, with 1 and 100 steps a call.

Usage: PYTHONPATH=build/release/python python3 tests/bench/service/python_overhead.py [--steps N] [--repeats N]

Each repeat times C++ and Python one after the other, over the same steps from the start of the scene; the ratio is that
of the medians. bench_steps is the C++ side.
"""

import argparse
import gc
import statistics
import subprocess
import sys
import time
from pathlib import Path

import tenon

ROOT = Path(__file__).resolve().parents[3]


def python_seconds(scene, rate, steps, n):
    """(CPU seconds, state hash) of `steps` steps, `n` a call."""
    simulation = tenon.Simulation(scene, rate=rate)
    gc.collect()
    start = time.process_time()
    for _ in range(steps // n):
        simulation.step(n)
    return time.process_time() - start, simulation.state_hash


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--program", default=ROOT / "build" / "release" / "tests" / "bench" / "bench_steps")
    parser.add_argument("--scenes", nargs="*", default=["free-fall", "insertion-benchmark", "bolt-in-plate"])
    options = parser.parse_args()
    print("scene                steps a call  C++ [µs]  Python [µs]  ratio")
    for name in options.scenes:
        file = ROOT / "content" / "scenes" / f"{name}.json"
        scene = tenon.load(file)
        rate = scene.rate
        times = {"C++": [], 1: [], 100: []}
        for _ in range(options.repeats):
            command = [options.program, file, str(rate), str(options.steps)]
            used, state = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            times["C++"].append(float(used))
            for n in (1, 100):
                seconds, same = python_seconds(scene, rate, options.steps, n)
                times[n].append(seconds)
                if same != state:
                    sys.exit(f"{name}: Python's state {same} is not that of C++, {state}")
        median = {key: statistics.median(values) / options.steps * 1e6 for key, values in times.items()}
        for n in (1, 100):
            ratio = median[n] / median["C++"]
            print(f"{name:20} {n:12}  {median['C++']:8.2f}  {median[n]:11.2f}  {ratio:5.3f}")


if __name__ == "__main__":
    main()
