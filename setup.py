"""What pyproject.toml cannot say: the folder `cards/` is carried inside the wheel as data, under `rulebook/_cards`."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["kernel", "kernel.*", "rulebook", "rulebook.*"]), "rulebook._cards"],
    package_dir={"rulebook._cards": "cards"},
    package_data={"": ["py.typed"], "rulebook": ["**/*"], "rulebook._cards": ["**/*.*"]},
    exclude_package_data={"": ["**/*.pyc", "*.pyc"]},
)
