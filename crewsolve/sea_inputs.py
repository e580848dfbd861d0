"""Task cards of Mission Deep Sea in an input: who may own them, and what the mission demands.

What `inputs` does for cards to be won this does for task cards: each becomes goals that bind a
role, its owner. Rules of sharing out and of who may own what are those of the second game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .cards import Seat
from .deal import Deal
from .errors import Faults
from .goals import CountTricks, Goal, Role
from .mission import Mission, game_of
from .notation import SeaText
from .problem import Problem, SeaTask, Sharing, SharingKind, draft_quotas, resolve
from .sea_tasks import TaskCard


@dataclass(frozen=True)
class Sea:
    """Task cards as read, the candidates for the owner of each, and how the rest is shared out."""

    tasks: tuple[SeaTask, ...] = ()
    roles: tuple[tuple[Seat, ...], ...] = ()
    sharing: Sharing | None = None

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Goals of all tasks."""
        return tuple(goal for task in self.tasks for goal in task.goals)


def read_sea(
    texts: Sequence[SeaText],
    deal: Deal,
    mission: Mission | None,
    settings: Mapping[str, str],
    owners: str | None,
    faults: Faults,
) -> Sea:
    """Task cards of an input. owners: ``given``, ``best`` or None, as the field says."""
    cards = game_of("deep-sea").task_cards
    tasks: list[SeaTask] = []
    for text in texts:
        where = f"tasks, {text.id}"
        if text.id not in cards:
            faults.add(where, "is no task card", f"they run from {min(cards)} to {max(cards)}")
        elif any(text.id == task.card.id for task in tasks):
            faults.add(where, "stands twice")
        else:
            tasks.append(_task(text, cards[text.id], len(tasks), deal, owners, where, faults))
    if mission is not None:
        _check_mission(tasks, deal, mission, settings, faults)
    unowned = [task.card.id for task in tasks if task.owner is None]
    if owners == "given" and unowned:
        faults.add("owners", f"given, but {' '.join(unowned)} has none", "write T017@SEAT")
    roles = tuple(_candidates(task, deal) for task in tasks)
    kind: SharingKind = "free"
    if mission is not None and mission.sharing != "none":
        kind = mission.sharing
    if mission is not None and deal.deck != "partial":
        _check_owners(tasks, kind, deal, mission, faults)
    return Sea(tuple(tasks), roles, Sharing(kind) if unowned else None)


def _task(
    text: SeaText,
    card: TaskCard,
    role: int,
    deal: Deal,
    owners: str | None,
    where: str,
    faults: Faults,
) -> SeaTask:
    owner = None if owners == "best" else text.owner
    if owner is not None and owner >= deal.seats:
        faults.add(where, f"owner {owner + 1}: there are {deal.seats} seats")
    if owner is not None and owner == deal.commander and not card.captain:
        faults.add(where, f"owner {owner + 1} is the captain", "another member compares with him")
    if text.predicted is not None and not card.predict:
        faults.add(where, f"foretells {text.predicted}, but is no prediction", "T090 and T091 are")
    if text.predicted is not None and text.predicted > deal.tricks:
        faults.add(where, f"foretells {text.predicted} tricks; there are {deal.tricks}")
    who = Role(role) if owner is None else owner
    bound = (spec.bind(deal, {}, faults, where, who) for spec in card.goals)
    goals = [goal for goal in bound if goal is not None]
    if text.predicted is not None:
        goals.append(CountTricks(who, "exactly", text.predicted))
    return SeaTask(card, role, tuple(goals), owner, text.predicted)


def _candidates(task: SeaTask, deal: Deal) -> tuple[Seat, ...]:
    """Who may own a task."""
    if task.owner is not None:
        return (task.owner,)
    seats = range(deal.seats)
    return tuple(seat for seat in seats if task.card.captain or seat != deal.commander)


def difficulty_of(mission: Mission, settings: Mapping[str, str]) -> int:
    """What the task cards of a mission add up to."""
    untimed = settings.get("clock") == "untimed" and mission.difficulty_untimed
    return mission.difficulty_untimed if untimed else mission.difficulty


def _check_mission(
    tasks: Sequence[SeaTask],
    deal: Deal,
    mission: Mission,
    settings: Mapping[str, str],
    faults: Faults,
) -> None:
    """The task cards that a mission demands; a partial deck may have others."""
    if deal.deck == "partial":
        return
    names = [task.card.id for task in tasks]
    if mission.task_cards and sorted(names) != sorted(mission.task_cards):
        right = f"mission {mission.number} has {' '.join(mission.task_cards)}"
        faults.add("tasks", f"{' '.join(names) or 'none named'}", right)
    wanted = difficulty_of(mission, settings)
    total = sum(task.card.worth(deal.seats) for task in tasks)
    if total != wanted and not mission.task_cards:
        right = f"tasks that add up to {wanted}" if wanted else "it has a goal of its own"
        said = f"difficulty {total} at {deal.seats} seats; mission {mission.number} has {wanted}"
        faults.add("tasks", said, right)


def bounds(
    kind: SharingKind, count: int, seats: int, commander: Seat
) -> tuple[list[int], list[int]] | None:
    """Least and most tasks of each seat after sharing out; None where it is not about counts.

    With fewer tasks than members anybody may pass in a draft, and nobody takes two.
    """
    if kind in ("draft", "hardest"):
        quotas = list(draft_quotas(count, seats, commander))
        return ([0] * seats, [1] * seats) if count < seats else (quotas, quotas)
    if kind == "others":
        turns = [(commander + 1 + turn) % seats for turn in range(seats - 1)]
        most = [0] * seats
        for turn in range(max(count, seats - 1)):
            most[turns[turn % len(turns)]] += 1
        return ([0] * seats if count < seats - 1 else most), most
    return None


def hardest_of(tasks: Sequence[SeaTask], seats: int) -> list[int]:
    """Numbers of the tasks with the highest difficulty."""
    worth = [task.card.worth(seats) for task in tasks]
    return [number for number, value in enumerate(worth) if value == max(worth)]


def _check_owners(
    tasks: Sequence[SeaTask], kind: SharingKind, deal: Deal, mission: Mission, faults: Faults
) -> None:
    """Named owners must be such as the mission's way of sharing out can lead to."""
    given = [task.owner for task in tasks if task.owner is not None]
    counts = [given.count(seat) for seat in range(deal.seats)]
    whole = len(given) == len(tasks)
    limits = bounds(kind, len(tasks), deal.seats, deal.commander)
    right = ""
    if limits is not None:
        least, most = limits
        over = any(n > m for n, m in zip(counts, most, strict=True))
        if over or (whole and any(n < m for n, m in zip(counts, least, strict=True))):
            right = f"at most {'/'.join(map(str, most))} by seat"
    takers = sum(map(bool, counts))
    if kind == "one" and takers > 1:
        right = "one member takes them all"
    if kind == "two" and (takers > 2 or (whole and len(tasks) > 1 and takers < 2)):
        right = "two members take them"
    if kind == "hardest" and not right and tasks:
        hardest = [tasks[number] for number in hardest_of(tasks, deal.seats)]
        if all(task.owner not in (None, deal.commander) for task in hardest):
            right = f"the captain takes {' or '.join(task.card.id for task in hardest)}"
    if right:
        shown = "/".join(map(str, counts))
        said = f"{shown} tasks by seat cannot come of mission {mission.number}"
        faults.add("owners", said, right)


def sharings(problem: Problem) -> Iterator[tuple[Seat, ...]]:
    """All owners of the task cards, in order of cards, that a problem allows."""
    deal, count = problem.deal, len(problem.sea)
    kind: SharingKind = problem.sharing.kind if problem.sharing is not None else "free"
    limits = bounds(kind, count, deal.seats, deal.commander)
    most = limits[1] if limits is not None else [count] * deal.seats
    takers = {"one": 1, "two": 2}.get(kind, deal.seats)

    def rest(owners: tuple[Seat, ...]) -> Iterator[tuple[Seat, ...]]:
        if len(owners) == count:
            if _whole(owners):
                yield owners
            return
        for seat in problem.roles[len(owners)]:
            if owners.count(seat) < most[seat] and len({*owners, seat}) <= takers:
                yield from rest((*owners, seat))

    def _whole(owners: tuple[Seat, ...]) -> bool:
        if kind == "two" and count > 1:
            return len(set(owners)) == 2
        if kind == "hardest":
            hardest = hardest_of(problem.sea, deal.seats)
            return any(owners[number] == deal.commander for number in hardest)
        return True

    return rest(())


def settle(tasks: Sequence[SeaTask], owners: Sequence[Seat]) -> tuple[SeaTask, ...]:
    """The tasks with these owners, whom their goals bind."""
    return tuple(
        replace(task, owner=seat, goals=resolve(task.goals, owners))
        for task, seat in zip(tasks, owners, strict=True)
    )
