"""`crewsolve bench`: total work and a hash of verdicts over a fixed list of deals."""

from __future__ import annotations

import hashlib
import time

import click

from ..chance import random_deal
from ..dealt import fields_of
from ..inputs import read_problem
from ..limits import ENGINES, Engine, Limits
from ..mission import missions_of
from ..solver import solve
from . import OK

CONFLICTS, NODES = 100_000, 1_000_000


@click.command("bench")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
def command(engine: Engine) -> int:
    """Solve a deal of each mission at 2 to 5 players, with owners open and dealt round.

    The line on stdout is the same on every machine; a change that moves it changes what the engines
    do. Seconds go to stderr.
    """
    start = time.process_time()
    nodes = conflicts = deals = 0
    words = hashlib.sha256()
    for mission in missions_of("planet-nine"):
        for players in (2, 3, 4, 5):
            dealt = random_deal(players, mission.tasks, 1, 0)
            for dealt_round in (False, True) if mission.tasks else (False,):
                fields = fields_of(dealt, mission, dealt_round, 1)
                limits = Limits(CONFLICTS, None, NODES, engine)
                verdict = solve(read_problem(fields).problem, limits)
                nodes += verdict.nodes
                conflicts += verdict.conflicts
                deals += 1
                words.update(verdict.word.encode())
    signature = words.hexdigest()[:12]
    click.echo(f"{deals} deals, {nodes} nodes, {conflicts} conflicts, verdicts {signature}")
    click.echo(f"{time.process_time() - start:.2f} s of CPU", err=True)
    return OK
