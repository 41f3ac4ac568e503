"""The one extension module. Everything else about the package is in pyproject.toml.

Without a C compiler the extension is left out and the same file, `kernel.py`, runs interpreted. Set
ARPAD_NO_EXTENSION to leave it out on purpose.
"""

import os
import sysconfig

from setuptools import Extension, setup

#: The stable interface (abi3) of 3.11 serves every later version, but not builds without the GIL.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")


def extensions() -> list[Extension]:
    if os.environ.get("ARPAD_NO_EXTENSION"):
        return []
    from Cython.Build import cythonize

    kernel = Extension(
        "arpad.kernel",
        ["src/arpad/kernel.py"],
        py_limited_api=STABLE,
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
        # No fused multiply-add: compiled and interpreted must agree in every bit.
        # Named so that the linker takes today's exp, and not the oldest one that the C library still keeps.
        libraries=[] if os.name == "nt" else ["m"],
        depends=["src/arpad/prefetch.pxd"],
        extra_compile_args=["/O2"] if os.name == "nt" else ["-O3", "-ffp-contract=off"],
    )
    (made,) = cythonize([kernel], build_dir="build/cython", language_level=3, include_path=["src"])
    made.optional = True  # said here because cythonize does not carry it over
    return [made]


setup(
    ext_modules=extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
