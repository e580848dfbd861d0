"""Owners and tokens that the crew still decides, as literals inside the formula.

Owners: a literal for each task and seat; how tasks may be shared out bounds the tasks of each seat
(draft: the seats' turns; distribution: counts that differ by at most one; decision: one receiver).
One task handed on (five players) lets one seat exceed its bound by one: somebody else is then one
short, and the extra task came from there. Tokens: a literal for each task and number.
"""

from __future__ import annotations

from itertools import pairwise

from ..cards import Seat
from ..goals import Task
from ..problem import Problem, Sharing, even_bounds
from ..sea_inputs import bounds, hardest_of
from .counting import count_up
from .encoding import Encoding
from .formula import TRUE, Formula

Owners = list[dict[Seat, int]]


def write_members(enc: Encoding) -> list[dict[Seat, int]]:
    """For each role the literals of the seats that may have it.

    Chosen members differ; roles that are owners of task cards are shared out.
    """
    chosen = [enc.choose(number, seats) for number, seats in enumerate(enc.problem.roles)]
    if enc.problem.sea:
        _share_sea_tasks(enc, chosen)
        return chosen
    for first, second in pairwise(chosen):
        for seat in first.keys() & second.keys():
            enc.formula.add(-first[seat], -second[seat])
    return chosen


def _share_sea_tasks(enc: Encoding, chosen: Owners) -> None:
    """How task cards of Mission Deep Sea may be shared out."""
    problem, f = enc.problem, enc.formula
    sharing, deal, count = problem.sharing, problem.deal, len(chosen)
    if sharing is None:
        return
    by_seat = [[own[seat] for own in chosen if seat in own] for seat in range(enc.seats)]
    limits = bounds(sharing.kind, count, enc.seats, deal.commander)
    if limits is not None:
        for literals, least, most in zip(by_seat, *limits, strict=True):
            f.at_most(literals, most)
            f.at_least(literals, least)
    if sharing.kind == "hardest":
        hardest = hardest_of(problem.sea, enc.seats)
        f.add(*(chosen[number].get(deal.commander, -TRUE) for number in hardest))
    if sharing.kind in ("one", "two"):
        takers = [f.any_of(literals) for literals in by_seat]
        f.at_most(takers, 1 if sharing.kind == "one" else 2)
        if sharing.kind == "two" and count > 1:
            f.at_least(takers, 2)


def write_owners(enc: Encoding) -> tuple[Owners, dict[Seat, int]]:
    """Owner literals of every task, tied to the play; and the receiver literals of a decision."""
    problem, f = enc.problem, enc.formula
    owners: Owners = []
    for task in problem.tasks:
        if task.owner is not None:
            owners.append({task.owner: TRUE})
        else:
            owners.append({seat: f.new() for seat in range(enc.seats)})
            f.exactly_one(owners[-1].values())
        write_home(enc, task, owners[-1])
    return owners, {} if problem.sea else write_sharing(enc, owners)


def write_home(enc: Encoding, task: Task, owns: dict[Seat, int]) -> None:
    """The task comes home: its card is played, and who owns it wins that trick."""
    f = enc.formula
    f.add(enc.by(task.card, enc.tricks - 1))
    here = [enc.in_trick(task.card, trick) for trick in range(enc.tricks)]
    for seat, literal in owns.items():
        wins = enc.wins[seat].tolist()
        if literal == TRUE:
            f.extend([[-x, w] for x, w in zip(here, wins, strict=True)])
        else:
            f.extend([[-x, -literal, w] for x, w in zip(here, wins, strict=True)])


def write_sharing(enc: Encoding, owners: Owners) -> dict[Seat, int]:
    """How tasks may be shared out; the receiver literals of a decision."""
    problem, f = enc.problem, enc.formula
    receivers: dict[Seat, int] = {}
    if problem.sharing is not None:
        if problem.sharing.kind == "decision":
            given = [problem.shared_to(task) for task in problem.tasks]
            shared = [own if s is None else {s: TRUE} for s, own in zip(given, owners, strict=True)]
            receivers = _decision(f, problem.sharing, shared)
        else:
            _even(f, problem, problem.sharing, owners)
    return receivers


def _decision(f: Formula, sharing: Sharing, owners: Owners) -> dict[Seat, int]:
    """One member takes every task; one of them may be handed on."""
    receivers = {seat: f.new() for seat in sharing.receivers}
    f.exactly_one(receivers.values())
    exempt: list[int] = []
    for own in owners:
        kept = TRUE
        if sharing.hand_on:
            exempt.append(f.new())
            kept = -exempt[-1]
        for seat, receives in receivers.items():
            f.add(-kept, -receives, own.get(seat, -TRUE))
    f.at_most(exempt, 1)
    return receivers


def _even(f: Formula, problem: Problem, sharing: Sharing, owners: Owners) -> None:
    """Bounds on the tasks of each seat; tasks with a named owner count.

    named + free <= quota + larger + over: `larger` seats have one more (distribution), one seat
    may be `over` by a task handed on. Where the named tasks alone break that, the rest is shared
    out as well as the counts allow: seats above their quota get no more.
    """
    seats, count = problem.deal.seats, len(owners)
    given = [problem.shared_to(task) for task in problem.tasks]
    named = [given.count(seat) for seat in range(seats)]
    quotas, extra = even_bounds(sharing.kind, count, seats, problem.deal.commander)
    need = [max(0, have - quota) for have, quota in zip(named, quotas, strict=True)]
    hand_on = int(sharing.hand_on)
    if max(need) > min(extra, 1) + hand_on or need.count(2) > 1 or sum(need) > extra + hand_on:
        for seat in range(seats):
            if need[seat]:
                f.at_most([own[seat] for own in owners if len(own) > 1], 0)
                quotas[seat] = named[seat]
        extra, hand_on = max(0, extra - sum(map(bool, need))), 0
    larger = [f.new() for _ in range(seats)]
    over = [f.new() for _ in range(seats)]
    f.at_most(larger, extra)
    f.at_most(over, hand_on)
    for seat in range(seats):
        free = [own[seat] for own in owners if len(own) > 1]
        f.at_most([*free, -larger[seat], -over[seat]], quotas[seat] - named[seat] + 2)


def write_layout(enc: Encoding) -> list[dict[int, int]]:
    """Number tokens that may still be moved; returns for each task its literals by number.

    swap: two tokens may change places. move: one token may go to a task without one.
    After either, the order is by the tokens as they then lie.
    """
    problem, f = enc.problem, enc.formula
    tasks = problem.tasks
    printed = [int(task.token) if task.token is not None else None for task in tasks]
    numbers = sorted(number for number in printed if number is not None)
    token = [
        _token_literals(f, task, number, numbers, problem.layout)
        for task, number in zip(tasks, printed, strict=True)
    ]
    for number in numbers:
        f.exactly_one(literals[number] for literals in token if number in literals)
    for literals in token:
        f.at_most(literals.values(), 1)
    displaced = [-token[i][n] for i, n in enumerate(printed) if n is not None]
    f.at_most(displaced, 2 if problem.layout == "swap" else 1)
    _write_token_order(enc, token, numbers)
    return token


def _token_literals(
    f: Formula, task: Task, printed: int | None, numbers: list[int], layout: str | None
) -> dict[int, int]:
    """Numbers that a task may end up with."""
    if layout == "move" and printed is not None:
        return {printed: f.new()}
    if layout == "swap" and printed is None:
        return {}  # two tokens change places; none goes to a task without one
    return {number: f.new() for number in numbers}


def _write_token_order(enc: Encoding, token: list[dict[int, int]], numbers: list[int]) -> None:
    """By each trick: the task with number k is done exactly if k tasks are.

    Without gaps that is: k only after k - 1, and any task only after all lower numbers.
    """
    f, tasks = enc.formula, enc.problem.tasks
    gapless = numbers == list(range(1, len(numbers) + 1))
    for trick in range(enc.tricks):
        done = {number: f.new() for number in numbers}
        home = [enc.by(task.card, trick) for task in tasks]
        for here, literals in zip(home, token, strict=True):
            for number, literal in literals.items():
                f.add(-literal, -done[number], here)
                f.add(-literal, done[number], -here)
        if not gapless:
            counts = count_up(f, home, max(numbers, default=0))
            for number in numbers:
                f.add(-done[number], counts[number])
                f.add(done[number], -counts[number])
            continue
        for here, literals in zip(home, token, strict=True):
            for number in numbers:
                lower = [literals[k] for k in numbers if k < number and k in literals]
                f.add(-here, done[number], *lower)
        for low, high in pairwise(numbers):
            f.add(-done[high], done[low])
