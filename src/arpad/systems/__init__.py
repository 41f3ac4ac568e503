"""The rating systems: what their parts are called, and how a rulebook becomes the kernel's arrays."""
