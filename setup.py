"""What pyproject.toml cannot say: the folder `cards/` is carried inside the wheel as data, under `rulebook/_cards`; and
with RULEBOOK_COMPILE=1 the kernel is compiled by mypyc into a binary wheel (`make compiled`)."""

import os
from pathlib import Path

from setuptools import find_packages, setup

extensions = []
if os.environ.get("RULEBOOK_COMPILE") == "1":
    from mypyc.build import mypycify

    # Exceptions stay Python: mypyc gives subclasses of Exception no class attributes of their own. The weaver writes
    # Python, and has nothing to do where the rest is compiled.
    plain = {"errors.py", "weave.py", "stretches.py", "writer.py", "reach.py", "emit.py", "emit_ops.py"}
    modules = sorted(str(path) for path in Path("kernel").glob("*.py") if path.name not in plain)
    extensions = mypycify(modules, opt_level="2", debug_level="0", multi_file=True)

setup(
    packages=[*find_packages(include=["kernel", "kernel.*", "rulebook", "rulebook.*"]), "rulebook._cards"],
    package_dir={"rulebook._cards": "cards"},
    package_data={"": ["py.typed"], "rulebook": ["**/*"], "rulebook._cards": ["**/*.*"]},
    exclude_package_data={"": ["**/*.pyc", "*.pyc"]},
    ext_modules=extensions,
)
