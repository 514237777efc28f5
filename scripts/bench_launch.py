"""Whole processes, as a user starts them: the default run, and what must answer at once.

Each command runs once unmeasured (the store's schema, the interpreter's caches), then N times in turn with
the others; the table gives the median wall clock and the range, in seconds.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=5, help="rounds (default 5)")
    rounds = parser.parse_args().n
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            _python(folder, ["-m", "gnollbench"], 0)
        record, other = (Path(folder) / "outputs").glob("*/record.json")
        commands = {
            "minimal python": (["-c", "pass"], 0),
            "the default run": (["-m", "gnollbench"], 0),
            "--help": (["-m", "gnollbench", "--help"], 0),
            "show RUN": (["-m", "gnollbench", "show", record.parent.name], 0),
            "score FILE": (["-m", "gnollbench", "score", str(record)], 0),
            "tier FILE FILE": (["-m", "gnollbench", "tier", str(record), str(other)], 0),
            "a bad override": (["-m", "gnollbench", "limits.tool_calls=-1"], 2),
        }
        walls: dict[str, list[float]] = {name: [] for name in commands}
        for words, code in commands.values():
            _python(folder, words, code)
        for _ in range(rounds):
            for name, (words, code) in commands.items():
                started = time.perf_counter()
                _python(folder, words, code)
                walls[name].append(time.perf_counter() - started)
    print(f"| command | median s | range | ({rounds} rounds, interleaved)\n|---|---|---|")
    for name, values in walls.items():
        print(f"| {name} | {statistics.median(values):.2f} | {min(values):.2f}-{max(values):.2f} |")


def _python(folder: str, words: list[str], code: int) -> None:
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"{words} ended with {done.returncode}:\n{done.stderr}")


if __name__ == "__main__":
    main()
