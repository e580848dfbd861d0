"""Random deals of a mission as the fields of an input, and as problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cards import Card, Seat, tricks_of
from .chance import RandomDeal, Stream, drawn_tasks, random_deal, receiver
from .deal import Deal
from .inputs import read_problem
from .mission import Mission, game_of
from .notation import format_line, format_sea_task, format_task
from .problem import Problem, chosen_members


def deal_of(
    mission: Mission | None, players: int, seed: int, number: int, untimed: bool = False
) -> RandomDeal:
    """Deal `number` of `seed` with the tasks of a mission.

    untimed: a mission of Deep Sea that is played against the clock, without the clock.
    """
    if mission is None or mission.game != "deep-sea":
        return random_deal(players, mission.tasks if mission is not None else 0, seed, number)
    cards = game_of("deep-sea").task_cards
    names = mission.task_cards
    if not names:
        wanted = (untimed and mission.difficulty_untimed) or mission.difficulty
        names = drawn_tasks(cards, wanted, max(3, players), seed, number)
    apart = [mask for name in names for mask in cards[name].redeal]
    dealt = random_deal(players, 0, seed, number, apart=apart)
    return RandomDeal(dealt.deal, (), number, names)


def fields_of(
    dealt: RandomDeal, mission: Mission | None, dealt_round: bool, seed: int
) -> dict[str, Any]:
    """A random deal as the fields of an input, in canonical notation.

    dealt_round: owners are named, tasks dealt round in draft order. Tokens are left out: they lie
    on the tasks in the order in which these turn up.
    """
    deal = dealt.deal
    fields: dict[str, Any] = {"id": f"{seed}-{dealt.number}", "deal": str(deal)}
    if mission is not None:
        fields["mission"] = mission.name
    shown = [format_task(card, None, None) for card in dealt.tasks]
    if dealt.sea:
        owners = blind_owners(deal, dealt.sea, mission, seed, dealt.number)
        named: Sequence[Seat | None] = owners if dealt_round else [None] * len(owners)
        both = zip(dealt.sea, named, strict=True)
        shown = [format_sea_task(name, owner, None) for name, owner in both]
    elif dealt_round:
        owners = [(deal.commander + turn) % deal.seats for turn in range(len(dealt.tasks))]
        if mission is not None and mission.sharing == "decision":
            taker = receiver(deal.seats, deal.commander, seed, dealt.number)
            owners = [taker] * len(dealt.tasks)
        shown = [format_task(c, None, o) for c, o in zip(dealt.tasks, owners, strict=True)]
    if shown:
        fields["tasks"] = " ".join(shown)
    if deal.deck != "full":
        fields["deck"] = deal.deck
    if mission is not None and mission.draw:
        fields["settings"] = f"draw-seed={dealt.number}"
    return fields


def blind_owners(
    deal: Deal, names: Sequence[str], mission: Mission | None, seed: int, number: int
) -> list[Seat]:
    """Owners of task cards of Mission Deep Sea by nobody's choice.

    Seats take turns as in the mission's draft, each taking the first card left that it may own; one
    volunteer or two are drawn with the seed and take turns; free sharing is a draft.
    """
    cards = game_of("deep-sea").task_cards
    kind = mission.sharing if mission is not None else "free"
    seats = [(deal.commander + turn) % deal.seats for turn in range(deal.seats)]
    order = list(range(len(names)))
    if kind in ("one", "two"):
        able = seats if all(cards[name].captain for name in names) else seats[1:]
        able = able if kind == "one" else seats
        seats = Stream("members", seed, number).shuffled(able)[: 1 if kind == "one" else 2]
    elif kind == "others":
        seats = seats[1:]
    elif kind == "hardest":
        order.sort(key=lambda task: -cards[names[task]].worth(deal.seats))
    owners = [-1] * len(names)
    turn = 0
    while order:
        seat = seats[turn % len(seats)]
        may = [task for task in order if cards[names[task]].captain or seat != deal.commander]
        turn += 1
        if may:
            owners[may[0]] = seat
            order.remove(may[0])
    return owners


def open_fields(mission: Mission, players: int, seed: int, number: int) -> dict[str, Any]:
    """Deal `number` of `seed` for a mission as the fields of an input, no owner named."""
    return fields_of(deal_of(mission, players, seed, number), mission, False, seed)


def problem_of(mission: Mission, players: int, seed: int, number: int) -> Problem:
    """Deal `number` of `seed` for a mission, every freedom open but the distress pass."""
    return read_problem(open_fields(mission, players, seed, number)).problem


def given_fields(problem: Problem, played: Sequence[Card] = ()) -> dict[str, str]:
    """A problem as the fields of an input, those without a value left out.

    played: cards in the order in which they fell.
    """
    deal = problem.deal
    tasks = [format_task(t.card, t.token, t.owner) for t in problem.tasks]
    tasks += [format_sea_task(t.card.id, t.owner, t.predicted) for t in problem.sea]
    members = chosen_members(problem, None) if problem.roles else ()
    fields = {
        "id": problem.id,
        "deal": str(deal),
        "mission": problem.mission.name if problem.mission is not None else "",
        "deck": "" if deal.deck == "full" else deal.deck,
        "tasks": " ".join(tasks),
        "chosen": ", ".join(str(seat + 1) for seat in members),
        "settings": f"draw-seed={problem.draw.seed}" if problem.draw is not None else "",
        "played": format_line(tricks_of(played, deal.seats)),
    }
    return {name: value for name, value in fields.items() if value}


def text_of(problem: Problem, played: Sequence[Card] = ()) -> str:
    """A problem in the notation of plain text files, ready to be copied into `crewsolve solve`.

    played: cards in the order in which they fell.
    """
    return "\n".join(f"{name}: {value}" for name, value in given_fields(problem, played).items())
