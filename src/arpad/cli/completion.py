"""`arpad completion`: the lines that a shell needs to complete arpad's commands."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
        arpad completion bash >> ~/.bashrc
        arpad completion zsh >> ~/.zshrc
        arpad completion fish > ~/.config/fish/completions/arpad.fish
    """
    from click.shell_completion import get_completion_class

    from arpad.cli import arpad
    from arpad.cli.output import text

    found = get_completion_class(shell)
    assert found is not None
    text([found(arpad, {}, "arpad", "_ARPAD_COMPLETE").source().rstrip()])
