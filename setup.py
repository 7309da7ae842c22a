"""What pyproject.toml cannot say: the folder `cards/` is carried inside the wheel as data, under `rulebook/_cards`; and
with RULEBOOK_COMPILE=1 the kernel is compiled by mypyc into a binary wheel (`make compiled`), with RULEBOOK_OPTIMISE=0
quickly and to be slower."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext


class BuildSideBySide(build_ext):
    """All of the kernel is one extension of many C files; setuptools would compile one after the other."""

    def build_extension(self, ext: Extension) -> None:
        def compiled(source: str) -> list[str]:
            return self.compiler.compile(
                [source],
                output_dir=self.build_temp,
                include_dirs=ext.include_dirs,
                macros=ext.define_macros,
                extra_postargs=ext.extra_compile_args,
                depends=ext.depends,
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for objects in pool.map(compiled, ext.sources):
                ext.extra_objects += objects
        ext.sources = []
        super().build_extension(ext)


extensions = []
if os.environ.get("RULEBOOK_COMPILE") == "1":
    from mypyc.build import mypycify

    # Exceptions stay Python: mypyc gives subclasses of Exception no class attributes of their own. The weaver writes
    # Python, and has nothing to do where the rest is compiled.
    plain = {"errors.py", "weave.py", "stretches.py", "writer.py", "reach.py"}
    paths = [path for path in Path("kernel").glob("*.py") if path.name not in plain]
    modules = sorted(str(path) for path in paths if not path.name.startswith("emit"))
    level = os.environ.get("RULEBOOK_OPTIMISE", "2")
    extensions = mypycify(modules, opt_level=level, debug_level="0", multi_file=True)
    if level != "0" and sys.platform.startswith("linux"):  # its modules call each other directly, and inline each other
        for extension in extensions:
            extension.extra_compile_args += [
                "-flto=auto",
                "-fvisibility=hidden",
                "-fno-semantic-interposition",
                "-fno-plt",
            ]
            extension.extra_link_args += ["-flto=auto", f"-O{level}"]

setup(
    packages=[*find_packages(include=["kernel", "kernel.*", "rulebook", "rulebook.*"]), "rulebook._cards"],
    package_dir={"rulebook._cards": "cards"},
    package_data={"": ["py.typed"], "rulebook": ["**/*"], "rulebook._cards": ["**/*.*"]},
    exclude_package_data={"": ["**/*.pyc", "*.pyc"]},
    ext_modules=extensions,
    cmdclass={"build_ext": BuildSideBySide},
)
