"""The page to click through a game: one file that needs nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from .game import Game
from .tree import page_data


def render(game: Game) -> str:
    """The page of a game."""
    jinja = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    data = page_data(game)
    # A `<` inside a script element could end it.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return jinja.get_template("page.html.j2").render(data=data, script=Markup(text))
