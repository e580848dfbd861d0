"""Random deals of a mission as the fields of an input, and as problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cards import Card, tricks_of
from .chance import RandomDeal, random_deal, receiver
from .inputs import read_problem
from .mission import Mission
from .notation import format_line, format_task
from .problem import Problem


def fields_of(
    dealt: RandomDeal, mission: Mission | None, dealt_round: bool, seed: int
) -> dict[str, Any]:
    """A random deal as the fields of an input, in canonical notation.

    dealt_round: owners are named, tasks dealt round in draft order. Tokens are left out: they lie
    on the tasks in the order in which these turn up.
    """
    deal = dealt.deal
    owners: list[int | None] = [None] * len(dealt.tasks)
    if dealt_round:
        owners = [(deal.commander + turn) % deal.seats for turn in range(len(dealt.tasks))]
        if mission is not None and mission.sharing == "decision":
            taker = receiver(deal.seats, deal.commander, seed, dealt.number)
            owners = [taker] * len(dealt.tasks)
    fields: dict[str, Any] = {"id": f"{seed}-{dealt.number}", "deal": str(deal)}
    if mission is not None:
        fields["mission"] = mission.name
    if dealt.tasks:
        shown = (format_task(c, None, o) for c, o in zip(dealt.tasks, owners, strict=True))
        fields["tasks"] = " ".join(shown)
    if deal.deck != "full":
        fields["deck"] = deal.deck
    if mission is not None and mission.draw:
        fields["settings"] = f"draw-seed={dealt.number}"
    return fields


def problem_of(mission: Mission, players: int, seed: int, number: int) -> Problem:
    """Deal `number` of `seed` for a mission, every freedom open but the distress pass."""
    dealt = random_deal(players, mission.tasks, seed, number)
    return read_problem(fields_of(dealt, mission, False, seed)).problem


def given_fields(problem: Problem, played: Sequence[Card] = ()) -> dict[str, str]:
    """A problem as the fields of an input, those without a value left out.

    played: cards in the order in which they fell.
    """
    deal = problem.deal
    certain = bool(problem.roles) and all(len(seats) == 1 for seats in problem.roles)
    fields = {
        "id": problem.id,
        "deal": str(deal),
        "mission": problem.mission.name if problem.mission is not None else "",
        "deck": "" if deal.deck == "full" else deal.deck,
        "tasks": " ".join(format_task(t.card, t.token, t.owner) for t in problem.tasks),
        "chosen": ", ".join(str(seats[0] + 1) for seats in problem.roles) if certain else "",
        "settings": f"draw-seed={problem.draw.seed}" if problem.draw is not None else "",
        "played": format_line(tricks_of(played, deal.seats)),
    }
    return {name: value for name, value in fields.items() if value}


def text_of(problem: Problem, played: Sequence[Card] = ()) -> str:
    """A problem in the notation of plain text files, ready to be copied into `crewsolve solve`.

    played: cards in the order in which they fell.
    """
    return "\n".join(f"{name}: {value}" for name, value in given_fields(problem, played).items())
