"""What pyproject.toml cannot say: the folder `cards/` is carried inside the wheel as data, under `rulebook/_cards`; and
with RULEBOOK_COMPILE=1 the kernel is compiled by mypyc into a binary wheel (`make compiled`), with RULEBOOK_OPTIMISE=0
quickly and to be slower. Where gcc compiles for Linux this is done twice: the first build plays some games
(tests/benchmarks/training.py), and what it counts tells the second what is worth speed. RULEBOOK_TRAIN=0 leaves that
out; build/training.txt says how it went."""

import copy
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

LEVEL = os.environ.get("RULEBOOK_OPTIMISE", "2")
OPTIMISED = LEVEL != "0" and sys.platform.startswith("linux")
TRAINING = Path(__file__).resolve().parent / "tests" / "benchmarks" / "training.py"
TRIAL_SECONDS = 900
PLAINLY: tuple[list[str], list[str]] = ([], [])


class BuildKernel(build_ext):
    """Builds the many C files of the kernel side by side, which setuptools would do one after the other, and as a trial
    before, to learn from."""

    #: For the compiler and for the linker, of the extension that holds the code.
    flags = PLAINLY

    def build_extensions(self) -> None:
        if not self.extensions:
            return
        with TemporaryDirectory() as folder:
            told = self.train(Path(folder))
            try:
                super().build_extensions()
            except Exception as error:
                if self.flags == PLAINLY:
                    raise
                self.flags = PLAINLY
                told = f"not optimised by a trial run: what it counted could not be used: {error}"
                super().build_extensions()
        Path("build/training.txt").write_text(told + "\n", encoding="utf-8")

    def train(self, folder: Path) -> str:
        """Build a kernel that counts what runs, and play with it; say how that went."""
        if LEVEL == "0" or os.environ.get("RULEBOOK_TRAIN") == "0":
            return "not optimised by a trial run: none was wanted"
        if not OPTIMISED or not self.is_gcc():
            return "not optimised by a trial run: that is done with gcc on Linux alone"
        counts = folder / "counts"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GCOV_")}
        environment |= {"PYTHONPATH": str(folder / "lib"), "PYTHONHASHSEED": "0", "RULEBOOK_CACHE": "off"}
        target, self.build_lib = self.build_lib, str(folder / "lib")
        try:
            if not TRAINING.exists():
                raise RuntimeError(f"there is no {TRAINING}")
            self.flags = (
                ["-fprofile-generate", "-fprofile-update=single", f"-fprofile-dir={counts}"],
                ["-fprofile-generate"],
            )
            super().build_extensions()
            for part in ("kernel", "rulebook", "cards"):  # the modules come to lie beside those that were compiled
                name = "rulebook/_cards" if part == "cards" else part
                ignored = shutil.ignore_patterns("*.so", "__pycache__")
                shutil.copytree(part, folder / "lib" / name, ignore=ignored, dirs_exist_ok=True)
            command = [sys.executable, "-B", str(TRAINING)]
            played = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, timeout=TRIAL_SECONDS)
            if played.returncode:
                raise RuntimeError((played.stderr.splitlines() or [f"it ended with {played.returncode}"])[-1])
            if not any(counts.rglob("*.gcda")):
                raise RuntimeError("it counted nothing")
            used = ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile", f"-fprofile-dir={counts}"]
            self.flags = used, []
            return "optimised by a trial run"
        except Exception as error:
            self.flags = PLAINLY
            return f"not optimised by a trial run: {error}"
        finally:
            self.build_lib = target

    def is_gcc(self) -> bool:
        """Whether the compiler says that it is gcc."""
        try:
            told = subprocess.run([*self.compiler.compiler, "--version"], capture_output=True, text=True).stdout
        except OSError:
            return False
        return "Free Software Foundation" in told and "clang" not in told

    def build_extension(self, ext: Extension) -> None:
        # As it was before, so that it can be built again.
        ext = copy.copy(ext)
        for_compiler, for_linker = self.flags if len(ext.sources) > 1 else PLAINLY

        def compiled(source: str) -> list[str]:
            return self.compiler.compile(
                [source],
                output_dir=self.build_temp,
                include_dirs=ext.include_dirs,
                macros=ext.define_macros,
                extra_postargs=[*ext.extra_compile_args, *for_compiler],
                depends=ext.depends,
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = [name for names in pool.map(compiled, ext.sources) for name in names]
        ext.extra_objects = [*ext.extra_objects, *objects]
        ext.extra_link_args = [*ext.extra_link_args, *for_linker]
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
    extensions = mypycify(modules, opt_level=LEVEL, debug_level="0", multi_file=True)
    if OPTIMISED:  # its modules call each other directly, and inline each other
        flags = ["-flto=auto", "-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt"]
        for extension in extensions:  # they share one list
            extension.extra_compile_args = [*extension.extra_compile_args, *flags]
            extension.extra_link_args = [*extension.extra_link_args, "-flto=auto", f"-O{LEVEL}"]

setup(
    packages=[*find_packages(include=["kernel", "kernel.*", "rulebook", "rulebook.*"]), "rulebook._cards"],
    package_dir={"rulebook._cards": "cards"},
    package_data={"": ["py.typed"], "rulebook": ["**/*"], "rulebook._cards": ["**/*.*"]},
    exclude_package_data={"": ["**/*.pyc", "*.pyc"]},
    ext_modules=extensions,
    cmdclass={"build_ext": BuildKernel},
)
