"""The environment's tests on another release of gymnasium than the installed one.

    python scripts/check_gymnasium.py [1.2.2]

The release is put into a folder of its own in front of the import path; nothing installed changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
OLDEST = "1.2.2"
TESTS = ("tests/episode/test_env.py", "tests/episode/test_spaces.py", "tests/episode/test_leaks.py")


def main(version: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--target", folder, f"gymnasium=={version}"], check=True)
        paths = [folder, str(ROOT), str(ROOT / "agents"), os.environ.get("PYTHONPATH", "")]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        probe = f"import gymnasium; assert gymnasium.__version__ == {version!r}, gymnasium.__version__"
        subprocess.run([sys.executable, "-c", probe], env=variables, check=True)
        print(f"gymnasium {version}", flush=True)
        return subprocess.run(
            [sys.executable, "-m", "pytest", *TESTS], cwd=ROOT, env=variables, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else OLDEST))
