"""The extension modules. Everything else about the package is in pyproject.toml.

Without a C compiler the extensions are left out and the same files, `kernel.py` and `kernel_glicko.py`, run
interpreted. Set ARPAD_NO_EXTENSION to leave them out on purpose.
"""

import os
import sysconfig

from setuptools import Extension, setup

#: The stable interface (abi3) of 3.11 serves every later version, but not builds without the GIL.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")

KERNELS = ("kernel", "kernel_glicko")


def extension(name: str) -> Extension:
    return Extension(
        f"arpad.{name}",
        [f"src/arpad/{name}.py"],
        py_limited_api=STABLE,
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
        # Named so that the linker takes today's exp, and not the oldest one that the C library still keeps.
        libraries=[] if os.name == "nt" else ["m"],
        depends=["src/arpad/prefetch.pxd", "src/arpad/kernel.pxd"],
        # No fused multiply-add: compiled and interpreted must agree in every bit.
        extra_compile_args=["/O2"] if os.name == "nt" else ["-O3", "-ffp-contract=off"],
    )


def extensions() -> list[Extension]:
    if os.environ.get("ARPAD_NO_EXTENSION"):
        return []
    from Cython.Build import cythonize

    kernels = [extension(name) for name in KERNELS]
    made = cythonize(kernels, build_dir="build/cython", language_level=3, include_path=["src"])
    for each in made:
        each.optional = True  # said here because cythonize does not carry it over
    return made


setup(
    ext_modules=extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
