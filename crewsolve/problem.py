"""What is asked: a deal, what must happen, and the freedoms that the crew still has.

`Problem` is what engines solve. `Choices` are values for all its freedoms; both together give the
`Attempt` that the referee can judge: nothing open but the cards to be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .cards import Card, Seat, card_name
from .deal import Deal
from .goals import Goal, Role, Task
from .mission import Layout, Mission, Setting
from .notation import Column
from .sea_tasks import TaskCard

Direction = Literal["left", "right"]
Distress = Literal["none", "left", "right", "best"]
DISTRESS: tuple[Distress, ...] = ("none", "left", "right", "best")
DrawMode = Literal["seeded", "some", "every", "probability"]

COMMON_SETTINGS = (
    Setting(
        "jarvis-pass",
        ("open", "out"),
        "in a distress pass JARVIS gives an open colour card, or sits out",
    ),
)
"""Settings of every mission."""


@dataclass(frozen=True)
class Pass:
    """A distress pass: the card that each seat gives, by seat (None: sits out)."""

    direction: Direction
    cards: tuple[Card | None, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a pass; cards by giver."""
        cards = [None if card is None else card_name(card) for card in self.cards]
        return {"direction": self.direction, "cards": cards}


@dataclass(frozen=True)
class SeaTask:
    """A task card of Mission Deep Sea on the table.

    goals: what it demands of its owner, who is role number `role` while he is not known. owner:
    None while it is to be shared out. predicted: number of tricks that the owner has foretold.
    """

    card: TaskCard
    role: int
    goals: tuple[Goal, ...]
    owner: Seat | None = None
    predicted: int | None = None

    def to_json(self) -> dict[str, object]:
        """The JSON object of a task card; seats from 1."""
        owner = None if self.owner is None else self.owner + 1
        return {"task": self.card.id, "owner": owner, "predicted": self.predicted}


SharingKind = Literal[
    "draft", "decision", "distribution", "hardest", "others", "one", "two", "free"
]


@dataclass(frozen=True)
class Sharing:
    """How tasks without an owner may be shared out.

    kind: see `mission.Mission`. receivers: who may take all (decision).
    hand_on: whether one task may be handed on afterwards (five players).
    """

    kind: SharingKind
    receivers: tuple[Seat, ...] = ()
    hand_on: bool = False


@dataclass(frozen=True)
class Draw:
    """Mission 12: after trick 1 every hand loses a card to its left neighbour.

    order: the draw of mode ``seeded``: each hand loses its first remaining card in this order.
    cards: a draw as given, by giver; it stands before `order`.
    """

    mode: DrawMode
    order: tuple[Card, ...]
    seed: int
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True)
class Problem:
    """One question. All seats from 0.

    tasks: owners are None where `sharing` decides. goals: members are seats or roles.
    roles: for each chosen member the seats that may be chosen; chosen members differ.
    sea: task cards of Mission Deep Sea, whose goals stand in `goals` too; the roles are then their
    owners, shared out as `sharing` says.
    layout: change of tokens still allowed. distress: which passes may be made.
    passed: a pass that was made. played: cards on the table so far, the last trick may be open.
    """

    id: str
    deal: Deal
    mission: Mission | None
    tasks: tuple[Task, ...]
    goals: tuple[Goal, ...]
    sharing: Sharing | None = None
    roles: tuple[tuple[Seat, ...], ...] = ()
    layout: Layout | None = None
    distress: Distress = "none"
    passed: Pass | None = None
    draw: Draw | None = None
    played: tuple[tuple[Card, ...], ...] = ()
    last_in_last: bool = False
    silent: tuple[Seat, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    swap: tuple[Card, Card] | None = None
    moved: tuple[Card, Seat, Seat] | None = None
    sea: tuple[SeaTask, ...] = ()

    def shared_to(self, task: Task) -> Seat | None:
        """Owner of a task for the counts of the sharing: before it was handed on, if it was."""
        return (
            self.moved[1] if self.moved is not None and self.moved[0] == task.card else task.owner
        )

    def told_apart(self) -> list[int]:
        """Card masks whose members a task or goal treats differently from other cards."""
        tasks = [1 << task.card for task in self.tasks]
        return tasks + [mask for goal in self.goals for mask in goal.tells_apart()]

    @property
    def pass_open(self) -> bool:
        """Whether a distress pass may still be chosen."""
        return self.passed is None and self.distress != "none"

    @property
    def passed_way(self) -> Direction | None:
        """Which way the pass that was made went, None without one."""
        return None if self.passed is None else self.passed.direction

    @property
    def can_pass(self) -> bool:
        """Whether everybody who takes part in a pass has a card for it."""
        return all(self.passable(seat) for seat in self.givers())

    @property
    def jarvis_sits_out(self) -> bool:
        """Whether JARVIS takes no part in a distress pass."""
        return dict(self.settings).get("jarvis-pass") == "out"

    def neighbour(self, seat: Seat, direction: Direction) -> Seat:
        """Who receives the card that a seat passes."""
        step = 1 if direction == "left" else -1
        seat = (seat + step) % self.deal.seats
        if seat == self.deal.jarvis and self.jarvis_sits_out:
            seat = (seat + step) % self.deal.seats
        return seat

    def givers(self) -> tuple[Seat, ...]:
        """Seats that take part in a distress pass."""
        out = self.deal.jarvis if self.jarvis_sits_out else None
        return tuple(seat for seat in range(self.deal.seats) if seat != out)

    def passable(self, seat: Seat) -> tuple[Card, ...]:
        """Cards that a seat may pass: colour cards, of JARVIS open ones."""
        if seat == self.deal.jarvis:
            return tuple(sorted(top for top, _ in self.deal.columns if top < 36))
        return tuple(card for card in self.deal.hands[seat] if card < 36)


@dataclass(frozen=True)
class Choices:
    """Values of all freedoms: final tasks, chosen members, pass, tokens, task handed on, draw."""

    tasks: tuple[Task, ...]
    chosen: tuple[Seat, ...] = ()
    passed: Pass | None = None
    swap: tuple[Card, Card] | None = None
    moved: tuple[Card, Seat, Seat] | None = None
    drawn: tuple[Card, ...] | None = None


@dataclass(frozen=True)
class Attempt:
    """A problem with every freedom fixed: what the referee judges."""

    deal: Deal
    tasks: tuple[Task, ...]
    goals: tuple[Goal, ...]
    passed: Pass | None = None
    draw_order: tuple[Card, ...] | None = None
    drawn: tuple[Card, ...] | None = None
    last_in_last: bool = False
    jarvis_sits_out: bool = False


def final_tasks(problem: Problem, choices: Choices | None) -> tuple[Task | SeaTask, ...]:
    """All tasks, with the owners that were chosen."""
    if choices is None:
        return (*problem.tasks, *problem.sea)
    sea = (replace(task, owner=choices.chosen[task.role]) for task in problem.sea)
    return (*choices.tasks, *sea)


def chosen_members(problem: Problem, choices: Choices | None) -> tuple[Seat, ...]:
    """Members chosen for the goals of a mission, as far as they are known."""
    if problem.sea:
        return ()
    if choices is not None:
        return choices.chosen
    certain = problem.roles and all(len(seats) == 1 for seats in problem.roles)
    return tuple(seats[0] for seats in problem.roles) if certain else problem.silent


def resolve(goals: Sequence[Goal], chosen: Sequence[Seat]) -> tuple[Goal, ...]:
    """Goals with every role replaced by the seat chosen for it."""
    return tuple(
        replace(goal, who=chosen[goal.who.number]) if isinstance(goal.who, Role) else goal
        for goal in goals
    )


def attempt_of(problem: Problem, choices: Choices) -> Attempt:
    """The attempt that a problem becomes once its freedoms have these values."""
    draw = problem.draw
    return Attempt(
        deal=problem.deal,
        tasks=choices.tasks,
        goals=resolve(problem.goals, choices.chosen),
        passed=choices.passed,
        draw_order=draw.order if draw is not None else None,
        drawn=choices.drawn if choices.drawn is not None else (draw.cards if draw else None),
        last_in_last=problem.last_in_last,
        jarvis_sits_out=problem.jarvis_sits_out,
    )


def after_pass(problem: Problem) -> tuple[list[set[Card]], list[Column]]:
    """Hands and JARVIS's columns before the first card, a pass that was made being done."""
    deal, passed = problem.deal, problem.passed
    hands, columns = [set(hand) for hand in deal.hands], list(deal.columns)
    if passed is None:
        return hands, columns
    for seat in problem.givers():
        card, receiver = passed.cards[seat], problem.neighbour(seat, passed.direction)
        assert card is not None
        hands[seat].discard(card)
        hands[receiver].add(card)
        if receiver == deal.jarvis:
            given = passed.cards[receiver]
            columns = [(card, under) if top == given else (top, under) for top, under in columns]
    return hands, columns


def draft_quotas(tasks: int, seats: int, commander: Seat) -> tuple[int, ...]:
    """Tasks of each seat after a draft: commander first, then clockwise, one each, in rounds."""
    quotas = [0] * seats
    for turn in range(tasks):
        quotas[(commander + turn) % seats] += 1
    return tuple(quotas)


def even_bounds(kind: str, tasks: int, seats: int, commander: Seat) -> tuple[list[int], int]:
    """Tasks of each seat after a draft or distribution, and how many seats have one more."""
    if kind == "draft":
        return list(draft_quotas(tasks, seats, commander)), 0
    return [tasks // seats] * seats, tasks % seats


def given_choices(problem: Problem) -> Choices:
    """The choices of a problem as far as they are given; of an open member the first candidate."""
    return Choices(
        tasks=problem.tasks,
        chosen=tuple(seats[0] for seats in problem.roles) or problem.silent,
        passed=problem.passed,
        swap=problem.swap,
        moved=problem.moved,
    )


def swap_of(printed: Sequence[Task], final: Sequence[Task]) -> tuple[Card, Card] | None:
    """The two tasks whose tokens changed; for a moved token, where it was and where it went."""
    changed = [(a, b) for a, b in zip(printed, final, strict=True) if a.token != b.token]
    changed.sort(key=lambda pair: pair[0].token is None)
    return (changed[0][0].card, changed[1][0].card) if changed else None


def moved_of(
    problem: Problem, tasks: Sequence[Task], receiver: Seat | None
) -> tuple[Card, Seat, Seat] | None:
    """The task that must have been handed on for the owners to be what they are."""
    if problem.sharing is None or not problem.sharing.hand_on:
        return problem.moved
    if receiver is not None:
        other = next((t for t in tasks if t.owner != receiver), None)
        return None if other is None or other.owner is None else (other.card, receiver, other.owner)
    seats = range(problem.deal.seats)
    counts = [sum(t.owner == seat for t in tasks) for seat in seats]
    if problem.sharing.kind == "draft":
        bounds = list(draft_quotas(len(tasks), len(seats), problem.deal.commander))
    elif max(counts) - min(counts) > 1:
        bounds = [
            max(counts) - 1 if n == max(counts) else min(counts) + 1 if n == min(counts) else n
            for n in counts
        ]
    else:
        return None
    short = next((seat for seat in seats if counts[seat] < bounds[seat]), None)
    for task, asked in zip(tasks, problem.tasks, strict=True):
        if (
            short is not None
            and asked.owner is None
            and counts[task.owner or 0] > bounds[task.owner or 0]
        ):
            assert task.owner is not None
            return task.card, short, task.owner
    return None
