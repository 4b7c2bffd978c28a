"""Fail when the installed litellm is a compromised release or brings start-up hooks."""

from __future__ import annotations

import sys
from importlib.metadata import distribution

BAD = {"1.82.7", "1.82.8"}


def main() -> int:
    package = distribution("litellm")
    hooks = [
        str(path)
        for path in package.files or ()
        if str(path).endswith(".pth") or path.name in ("sitecustomize.py", "usercustomize.py")
    ]
    if package.version in BAD or package.version.startswith("1.107.") or hooks:
        print(f"litellm {package.version} must not be used here: {hooks or 'compromised release'}")
        return 1
    print(f"litellm {package.version}: no start-up hooks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
