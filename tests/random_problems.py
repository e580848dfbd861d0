"""Seeded random problems on small decks, as input fields: every mission, goal kind and freedom.

Each problem is drawn together with one random legal line of play. Owners, tokens and goals follow
that line about half of the time, so that winnable and unwinnable problems are both common.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from crewsolve.cards import card_name
from crewsolve.chance import draw_order
from crewsolve.deal import Deal, make_deal
from crewsolve.inputs import read_problem
from crewsolve.mission import Mission, find_mission
from crewsolve.problem import Choices, Problem, attempt_of
from crewsolve.referee import replay

from .exhaustive import (
    HAND_ON,
    NINES,
    ONES,
    PINKS,
    ROCKETS,
    Play,
    Table,
    Trick,
    cards_in,
    exchange,
    legal,
    reachable,
    set_table,
    tricks_in,
    winner_of,
    without,
)

Card = int
Json = dict[str, Any]

GOAL_KINDS = ("count-tricks", "win-cards", "win-with", "each-wins", "win-positions", "balance")
OPERATORS = ("exactly", "at-least", "at-most")
WORK = 30_000
"""Estimated number of lines, times passes and draws, that a problem may ask to be tried."""


@dataclass
class Sketch:
    """A problem in the making.

    given: the pass that was made (direction and cards), or None. drawn: mission 12's draw by giver.
    play: a random legal line of the whole attempt; cards: its tricks.
    """

    rng: random.Random
    deal: Deal
    mission: Mission | None
    fields: Json
    given: Json | None = None
    drawn: tuple[Card, ...] | None = None
    play: Play = field(default_factory=lambda: Play((), 0))

    @property
    def number(self) -> int:
        """Number of the mission, 0 for none."""
        return self.mission.number if self.mission is not None else 0

    @property
    def deck(self) -> list[Card]:
        """All cards in the deal."""
        return [card for hand in self.deal.hands for card in hand]

    def maybe(self, chance: float) -> bool:
        """True with this chance."""
        return self.rng.random() < chance


# Cards and hands


def _wanted(rng: random.Random, number: int) -> list[Card]:
    """Cards that a mission is about, some or all of them."""
    about = {9: ONES, 26: ONES, 16: NINES, 17: NINES, 13: ROCKETS, 44: ROCKETS, 46: PINKS}
    special = sorted(about.get(number, ONES | NINES))
    most = {9: 3, 26: 4, 16: 4, 17: 3, 13: 4, 44: 4, 46: 5}.get(number, 2)
    least = {9: 2, 13: 2, 16: 2, 26: 3, 44: 2, 46: 2}.get(number, 0)
    cards = rng.sample(special, min(len(special), rng.randint(least, most)))
    if number == 46:
        cards = sorted({8, *cards})
    trump = sorted(ROCKETS)
    rockets = [c for c in trump if rng.random() < (0.65 if c == 39 else 0.2)]
    return cards + [card for card in rockets if card not in cards and number not in (13, 44)]


def _deck(rng: random.Random, size: int, number: int) -> list[Card]:
    """Cards of few suits, so that following suit matters."""
    cards = _wanted(rng, number)[:size]
    few = {26: 4, 50: 2}.get(number, rng.choice((2, 2, 3, 3, 4)))
    few = max(few, -(-size // 9))
    suits = rng.sample(range(4), few)
    pool = [card for card in range(36) if card // 9 in suits and card not in cards]
    return cards + rng.sample(pool, size - len(cards))


def _shape(rng: random.Random, number: int) -> tuple[int, int, list[int]]:
    """Seats, tricks, and cards of each seat."""
    if number == 50:
        seats, tricks = rng.choice((3, 3, 3, 4)), rng.choice((4, 5, 5, 5, 5, 5))
    elif number == 34 and rng.random() < 0.8:
        seats, tricks = 3, 4
    else:
        seats = rng.choice((3, 3, 3, 4, 4, 5, 5))
        if number in HAND_ON and rng.random() < 0.3:
            seats = 5
        tricks = {3: rng.choice((2, 3, 3, 4, 4)), 4: rng.choice((2, 3, 3))}.get(seats, 2)
        tricks += seats == 5 and rng.random() < 0.4
    sizes = [tricks] * seats
    if seats == 3 and rng.random() < 0.35:
        sizes[rng.randrange(seats)] += 1
    if rng.random() < 0.03:
        sizes[rng.randrange(seats)] += rng.randint(1, 2)
    return seats, tricks, sizes


def _columns(rng: random.Random, hand: list[Card]) -> list[tuple[Card, Card | None]]:
    """JARVIS's cards in columns: mostly two by two."""
    columns: list[tuple[Card, Card | None]] = []
    while hand:
        pair = len(hand) > 1 and rng.random() < 0.9
        columns.append((hand[0], hand[1] if pair else None))
        hand = hand[2:] if pair else hand[1:]
    return columns


def _deal(rng: random.Random, number: int, fields: Json) -> Deal | None:
    """A random deal, written into the fields."""
    seats, _, sizes = _shape(rng, number)
    deck = _deck(rng, sum(sizes), number)
    rng.shuffle(deck)
    cuts = [sum(sizes[:seat]) for seat in range(seats + 1)]
    hands = [deck[cuts[seat] : cuts[seat + 1]] for seat in range(seats)]
    shown: list[Any] = [[card_name(card) for card in sorted(hand)] for hand in hands]
    jarvis = {}
    if seats == 3 and rng.random() < 0.35:
        seat = rng.randrange(seats)
        if 39 in hands[seat]:
            return None
        jarvis[seat] = _columns(rng, hands[seat])
        shown[seat] = {
            "jarvis": [
                [card_name(top), None if under is None else card_name(under)]
                for top, under in jarvis[seat]
            ]
        }
    fields |= {"deck": "partial", "hands": shown}
    leader = commander = None
    if 39 not in deck or rng.random() < 0.1:
        leader = rng.randrange(seats)
        fields["leader"] = leader + 1
    if 39 not in deck and (leader in jarvis or rng.random() < 0.3):
        commander = rng.choice([seat for seat in range(seats) if seat not in jarvis])
        fields["commander"] = commander + 1
    return make_deal(hands, jarvis, "partial", commander, leader)


# A random line of play


def _passable(sketch: Sketch, table: Table) -> list[list[Card]]:
    """Cards that each seat may pass; JARVIS none if he sits out."""
    out = sketch.fields.get("settings", {}).get("jarvis-pass") == "out"
    return [
        [] if seat == sketch.deal.jarvis and out else [c for c in legal(place, None) if c < 36]
        for seat, place in enumerate(table)
    ]


def _pass(sketch: Sketch, table: Table) -> Table:
    """The table after a random pass, if everybody can give a card; noted in the sketch."""
    own = _passable(sketch, table)
    out = sketch.fields.get("settings", {}).get("jarvis-pass") == "out"
    givers = [s for s in range(sketch.deal.seats) if not (out and s == sketch.deal.jarvis)]
    if not all(own[seat] for seat in givers):
        return table
    gifts = {seat: sketch.rng.choice(own[seat]) for seat in givers}
    direction = sketch.rng.choice(("left", "right"))
    turn = 1 if direction == "left" else -1
    to = {seat: givers[(n + turn) % len(givers)] for n, seat in enumerate(givers)}
    cards = [card_name(gifts[seat]) if seat in gifts else None for seat in range(sketch.deal.seats)]
    sketch.given = {"direction": direction, "cards": cards}
    after = exchange(table, gifts, to)
    assert after is not None
    return after


def _after_draw(sketch: Sketch, table: Table, seeded: bool) -> Table:
    """The table after mission 12's draw."""
    held = [cards_in(place) for place in table]
    order = draw_order(int(sketch.fields.get("settings", {}).get("draw-seed", 1)))
    sketch.drawn = tuple(
        next(card for card in order if card in own) if seeded else sketch.rng.choice(own)
        for own in held
    )
    left = {seat: (seat + 1) % len(table) for seat in range(len(table))}
    after = exchange(table, dict(enumerate(sketch.drawn)), left)
    assert after is not None
    return after


def _play(sketch: Sketch, table: Table, seeded: bool) -> None:
    """Plays random legal cards to the end."""
    leader, total = sketch.deal.leader, tricks_in(table)
    tricks: list[Trick] = []
    for number in range(1, total + 1):
        cards: list[Card] = []
        for turn in range(len(table)):
            seat = (leader + turn) % len(table)
            card = sketch.rng.choice(legal(table[seat], cards[0] // 9 if cards else None))
            table = (*table[:seat], without(table[seat], card), *table[seat + 1 :])
            cards.append(card)
        leader = (leader + winner_of(cards)) % len(table)
        tricks.append(Trick(tuple(cards), leader, cards[winner_of(cards)]))
        if number == 1 < total and sketch.mission is not None and sketch.mission.draw:
            table = _after_draw(sketch, table, seeded)
    sketch.play = Play(tuple(tricks), total)


# Tasks


def _token_places(sketch: Sketch, order: Sequence[Card], tokens: Sequence[str]) -> dict[str, Card]:
    """Tasks for tokens so that the tasks can come home in this order."""
    places: dict[str, Card] = {}
    for token in tokens:
        if token.isdigit():
            places[token] = order[int(token) - 1]
        elif token == "last" and order[-1] not in places.values():
            places[token] = order[-1]
    rest = [card for card in order if card not in places.values()]
    arrows = sorted(token for token in tokens if token[0] == ">")
    picked = sorted(sketch.rng.sample(range(len(rest)), min(len(arrows), len(rest))))
    places |= {token: rest[n] for token, n in zip(arrows, picked, strict=False)}
    return places


def _tokens(sketch: Sketch, count: int) -> list[str]:
    """Tokens for so many tasks: those of the mission, or any in a puzzle."""
    if sketch.mission is not None and sketch.maybe(0.9):
        return list(sketch.mission.tokens[:count])
    if sketch.maybe(0.3):
        return []
    numbers = [str(number) for number in range(1, min(count, 5) + 1)]
    if sketch.number in (23, 40):  # their tokens change places, and are numbers
        return sketch.rng.sample(numbers, min(len(numbers), sketch.rng.randint(1, 3)))
    tokens = [*numbers, ">", ">>", ">>>", ">>>>"]
    picked = sketch.rng.sample(tokens, min(count, sketch.rng.randint(1, 3)))
    return [*picked[: count - 1], "last"] if sketch.maybe(0.3) else picked


def _task_cards(sketch: Sketch) -> list[Card]:
    """Cards that become tasks."""
    rng, deck = sketch.rng, sketch.deck
    played = [card for trick in sketch.play.tricks for card in trick.cards]
    most = min(sketch.mission.tasks if sketch.mission else 4, 9 - sketch.deal.seats, 6)
    count = most if sketch.maybe(0.3) else rng.randint(1, max(1, min(most, 4)))
    if sketch.fields.get("rocket-tasks") is None:
        deck = [card for card in deck if card < 36]
        played = [card for card in played if card < 36]
    pool = played if sketch.maybe(0.85) else deck
    return rng.sample(pool, min(count, len(pool)))


def _owners(sketch: Sketch, cards: Sequence[Card]) -> list[int | None]:
    """Owners named: all (as in the line, or at random), some that the rules allow, or none."""
    rng, seats = sketch.rng, sketch.deal.seats
    home = {card: t.winner for t in sketch.play.tricks for card in t.cards}
    lined = [home.get(card, rng.randrange(seats)) for card in cards]
    way = rng.choice(("line", "line", "near", "random", "some", "some", "free", "free", "free"))
    if way == "line":
        return list(lined)
    if way == "near":
        lined[rng.randrange(len(lined))] = rng.randrange(seats)
        return list(lined)
    if way == "random":
        return [rng.randrange(seats) for _ in cards]
    if way == "free":
        return [None] * len(cards)
    kind = sketch.mission.sharing if sketch.mission is not None else "draft"
    takers = tuple(seat for seat in range(seats) if seat != sketch.deal.commander)
    hand_on = seats == 5 and sketch.number in HAND_ON
    ways = sorted(reachable(kind, len(cards), seats, sketch.deal.commander, takers, hand_on))
    best = max(
        rng.sample(ways, min(len(ways), 40)),
        key=lambda owners: sum(a == b for a, b in zip(owners, lined, strict=True)),
    )
    if sketch.maybe(0.15):  # owners that the rules may not bring about
        best = tuple(rng.randrange(seats) for _ in cards)
    chance = rng.random()
    return [owner if sketch.maybe(chance) else None for owner in best]


def _tasks(sketch: Sketch) -> None:
    """Tasks with tokens and owners."""
    rng, fields = sketch.rng, sketch.fields
    if sketch.mission is None and sketch.maybe(0.1):
        fields["rocket-tasks"] = True
    cards = _task_cards(sketch)
    order = sorted(cards, key=lambda card: (sketch.play.when(card), rng.random()))
    if sketch.maybe(0.4):
        rng.shuffle(order)
    tokens = _tokens(sketch, len(cards))
    places = _token_places(sketch, order, tokens)
    if sketch.maybe(0.5) and sketch.mission is not None and set(places) == set(tokens):
        # Leave the tokens away: they fall on the tasks in the order in which these are listed.
        printed = sketch.mission.tokens[: len(cards)]
        if set(printed) == set(tokens):
            first = [places[token] for token in printed]
            cards = first + [card for card in cards if card not in first]
            places = {}
    token_of = {card: token for token, card in places.items()}
    owners = _owners(sketch, cards)
    fields["tasks"] = [
        {
            "card": card_name(card),
            "token": token_of.get(card),
            "owner": None if owner is None else owner + 1,
        }
        for card, owner in zip(cards, owners, strict=True)
    ]
    if sketch.maybe(0.05):
        fields["owners"] = "best"
    elif sketch.maybe(0.4):
        _swap_or_move(sketch)


def _swap_or_move(sketch: Sketch) -> None:
    """A change of tokens, or a task handed on, that was made already."""
    rng, tasks, seats = sketch.rng, sketch.fields["tasks"], sketch.deal.seats
    if sketch.number in (23, 40) and all(task["token"] is None for task in tasks):
        printed = 5 if sketch.number == 23 else 3
        with_token, without_token = tasks[:printed], tasks[printed:]
        others = without_token if sketch.number == 40 else with_token
        if others and len(tasks) > 1:
            one = rng.choice(with_token)
            other = rng.choice([task for task in others if task is not one])
            sketch.fields["swap"] = [one["card"], other["card"]]
    if seats == 5 and sketch.number in HAND_ON and all(task["owner"] for task in tasks):
        task = rng.choice(tasks)
        taker = rng.choice([seat for seat in range(1, seats + 1) if seat != task["owner"]])
        move = {"card": task["card"], "from": task["owner"], "to": taker}
        if sketch.maybe(0.5):  # the line's owner is the final one
            move["from"], move["to"] = taker, task["owner"]
            task["owner"] = taker
        sketch.fields["move"] = move


# Goals


def _who(sketch: Sketch, crew: bool) -> tuple[str | int, int | None]:
    """A member as a goal names him, and his seat in the line (None for the crew)."""
    rng = sketch.rng
    names: list[tuple[str | int, int | None]] = [
        (seat + 1, seat) for seat in range(sketch.deal.seats)
    ]
    names.append(("commander", sketch.deal.commander))
    holder = sketch.deal.holder(8)
    if holder is not None:
        names.append(("left-of-P9", (holder + 1) % sketch.deal.seats))
    if sketch.number in (5, 33, 41) and rng.random() < 0.7:
        return "chosen", rng.randrange(sketch.deal.seats)
    if sketch.number == 50 and rng.random() < 0.5:
        return rng.choice(("chosen-1", "chosen-2")), rng.randrange(sketch.deal.seats)
    return ("crew", None) if crew and rng.random() < 0.6 else rng.choice(names)


def _some_cards(sketch: Sketch) -> list[Card]:
    """Cards for a goal: a rank, a suit, the rockets, or any."""
    rng, deck = sketch.rng, sketch.deck
    suits = [[card for card in range(40) if card // 9 == suit] for suit in range(5)]
    groups = [sorted(ONES), sorted(NINES), sorted(ROCKETS), *suits]
    if sketch.maybe(0.4):
        return rng.choice(groups)
    return rng.sample(deck, rng.randint(1, min(4, len(deck))))


def _text(cards: Sequence[Card]) -> str:
    return " ".join(map(card_name, cards))


def _count(sketch: Sketch, actual: int) -> Json:
    """A comparison that the line meets, or any."""
    op = sketch.rng.choice(OPERATORS)
    if sketch.maybe(0.6):
        slack = {"exactly": 0, "at-least": -1, "at-most": 1}[op] * sketch.rng.randint(0, 1)
        return {op: max(0, actual + slack)}
    return {op: sketch.rng.randint(0, sketch.play.total)}


def _win_cards(sketch: Sketch, table: Json, seat: int | None) -> None:
    won = [card for t in sketch.play.tricks if t.winner == seat for card in t.cards]
    cards = sketch.rng.sample(won, min(len(won), sketch.rng.randint(1, 4)))
    table["cards"] = _text(cards if cards and sketch.maybe(0.7) else _some_cards(sketch))


def _each_wins(sketch: Sketch, table: Json) -> None:
    tops = [trick.top for trick in sketch.play.tricks]
    cards = sketch.rng.sample(tops, sketch.rng.randint(1, len(tops)))
    table["cards"] = _text(cards if sketch.maybe(0.6) else _some_cards(sketch))
    if sketch.maybe(0.5):
        table["ordered"] = sketch.maybe(0.8)


def _win_positions(sketch: Sketch, table: Json, seat: int | None) -> None:
    rng, total = sketch.rng, sketch.play.total
    places: list[int | str] = [*range(1, total + 1), "last"]
    if sketch.maybe(0.1):
        places.append(total + 1)
    won = [n for n in places if n != total + 1 and seat == _winner(sketch, n)]
    lost = [n for n in places if n not in won]
    if sketch.maybe(0.4):
        won, lost = places, places
    must = rng.sample(won, min(len(won), rng.choice((0, 1, 1, 2))))
    must_not = rng.sample(lost, min(len(lost), rng.choice((0, 0, 1, 2))))
    table |= ({"must": must} if must else {}) | ({"must-not": must_not} if must_not else {})
    if not must and not must_not:
        table["must-not"] = [rng.choice(places)]
    if sketch.maybe(0.3):
        table["only"] = sketch.maybe(0.8)


def _winner(sketch: Sketch, number: int | str) -> int:
    place = sketch.play.total if number == "last" else int(number)
    return sketch.play.tricks[place - 1].winner


def _goal(sketch: Sketch) -> Json:
    """A goal table of a random kind."""
    kind = sketch.rng.choice(GOAL_KINDS[:5] * 3 + ("balance",))
    table: Json = {"kind": kind}
    who, seat = _who(sketch, crew=kind == "win-with")
    if kind in ("count-tricks", "win-cards", "win-with", "win-positions"):
        table["who"] = who
    if kind == "count-tricks":
        table |= _count(sketch, sketch.play.winners().count(-1 if seat is None else seat))
    elif kind == "win-cards":
        _win_cards(sketch, table, seat)
    elif kind == "win-with":
        cards = _some_cards(sketch)
        table["cards"] = _text(cards)
        won = [t for t in sketch.play.tricks if t.top in cards and seat in (None, t.winner)]
        table |= _count(sketch, len(won))
        if sketch.maybe(0.4):
            table["until"] = sketch.rng.choice(("strict", "tasks", "tasks"))
    elif kind == "each-wins":
        _each_wins(sketch, table)
    elif kind == "win-positions":
        _win_positions(sketch, table, seat)
    if kind in ("win-cards", "each-wins") and sketch.maybe(0.5):
        table["unplayed"] = sketch.rng.choice(("fail", "ok"))
    held = {card_name(card) for card in sketch.deck}
    names_cards = kind in ("win-cards", "each-wins")
    return _goal(sketch) if names_cards and not held & set(table["cards"].split()) else table


# Freedoms


def _settings(rng: random.Random, mission: Mission | None) -> Json:
    """Settings that this mission knows, other values than the default half of the time."""
    known = {s.name: s.values for s in mission.settings} if mission is not None else {}
    chosen: Json = {
        name: rng.choice(values)
        for name, values in known.items()
        if name != "draw" and rng.random() < 0.5
    }
    if "draw" in known:
        chosen["draw"] = rng.choice(("seeded", "seeded", "some", "every"))
        chosen["draw-seed"] = rng.randint(1, 99)
    if rng.random() < 0.4:
        chosen["jarvis-pass"] = rng.choice(("open", "out"))
    return chosen


def _chosen(sketch: Sketch, needed: bool) -> None:
    """Members named, where the mission chooses some."""
    if sketch.mission is None:
        return
    decision = sketch.mission.sharing == "decision"
    count = 1 if decision else sketch.mission.chosen
    if not count or not (needed or sketch.maybe(0.35)):
        return
    may = sketch.fields.get("settings", {}).get("commander-chosen") == "may"
    barred = None if may or count == 2 else sketch.deal.commander
    seats = [seat + 1 for seat in range(sketch.deal.seats) if seat != barred]
    sketch.fields["chosen"] = sketch.rng.sample(seats, count)


def _played(sketch: Sketch) -> bool:
    """Cards of the line as played already, if everything else is fixed; whether that is so."""
    tasks = sketch.fields.get("tasks", [])
    fixed = all(task["owner"] is not None for task in tasks) and "owners" not in sketch.fields
    if not fixed or not sketch.maybe(0.45):
        return False
    cards = [card for trick in sketch.play.tricks for card in trick.cards]
    count = sketch.rng.randint(1, max(1, len(cards) - sketch.rng.randint(0, sketch.deal.seats)))
    names = [card_name(card) for card in cards[:count]]
    seats = sketch.deal.seats
    sketch.fields["played"] = [names[n : n + seats] for n in range(0, count, seats)]
    return True


def _trim(sketch: Sketch) -> None:
    """Leaves no card after the attempt was decided, mostly not even the card that decided it."""
    played = sketch.fields.pop("played")
    problem = read_problem(sketch.fields).problem
    chosen = tuple(seats[0] for seats in problem.roles)
    attempt = attempt_of(problem, Choices(problem.tasks, chosen, problem.passed))
    report = replay(attempt, [trick.cards for trick in sketch.play.tricks])
    cards = [card for trick in played for card in trick]
    decided = report.trick * sketch.deal.seats
    if len(cards) >= decided and sketch.maybe(0.75):
        decided -= sketch.rng.randint(1, sketch.deal.seats)
    cards = cards[:decided]
    seats = sketch.deal.seats
    sketch.fields["played"] = [cards[n : n + seats] for n in range(0, len(cards), seats)]


def _distress(sketch: Sketch, played: bool) -> None:
    """Which pass may be made, or was made."""
    rng, fields = sketch.rng, sketch.fields
    if sketch.given is not None:
        fields["pass"] = sketch.given
        if sketch.maybe(0.3):
            fields["distress"] = rng.choice(("best", sketch.given["direction"]))
        return
    if played or not sketch.maybe(0.3):
        return
    table = set_table(sketch.deal)
    out = fields.get("settings", {}).get("jarvis-pass") == "out"
    own = [
        c for s, c in enumerate(_passable(sketch, table)) if not (out and s == sketch.deal.jarvis)
    ]
    fields["distress"] = rng.choice(("none", "left", "right", "best")) if all(own) else "best"


def _work(sketch: Sketch) -> float:
    """Rough number of lines that a solver without any thought would try."""
    fields, deal = sketch.fields, sketch.deal
    table = set_table(deal)
    tricks = tricks_in(table)
    lines = 2.5 ** (deal.seats * max(0, tricks - 3))
    for left in range(min(tricks, 3), 0, -1):
        lines *= max(1.0, 0.75 * left) ** deal.seats
    if sketch.number == 50 and "goal" in fields:  # five tricks, and a goal may fail in the last
        follows = [c // 9 == t.cards[0] // 9 for t in sketch.play.tricks for c in t.cards[1:]]
        lines *= 1 if sum(follows) > 0.6 * len(follows) else WORK
    lines /= 1.6 ** sum(map(len, fields.get("played", [])))
    if "pass" not in fields:
        passes = float(prod(max(1, len(own)) for own in _passable(sketch, table)))
        ways = {"best": 2 * passes, "left": passes, "right": passes}
        lines *= ways.get(fields.get("distress", "none"), 1)
    if sketch.mission is not None and sketch.mission.draw and "draw" not in fields:
        if fields["settings"]["draw"] != "seeded" and len(fields.get("played", [])) < 2:
            lines *= prod(max(1, len(hand) - 1) for hand in deal.hands)
    return lines


def _sketch(rng: random.Random, number: int, goals: int) -> Sketch | None:
    """A problem of a mission (0: none) with some goals added; None if it came out too large."""
    mission = find_mission(number) if number else None
    fields: Json = {}
    deal = _deal(rng, number, fields)
    if deal is None:
        return None
    if mission is not None:
        fields["mission"] = number if rng.random() < 0.5 else mission.name
    sketch = Sketch(rng, deal, mission, fields)
    fields["settings"] = _settings(rng, mission)
    table = set_table(deal)
    if sketch.maybe(0.12):
        table = _pass(sketch, table)
    seeded = sketch.maybe(0.7)
    _play(sketch, table, seeded)
    if (
        (mission is not None and mission.tasks)
        or (mission is None and not goals)
        or (goals and mission is None and sketch.maybe(0.4))
    ):
        _tasks(sketch)
        if not fields["tasks"]:
            return None  # the deck has rockets only
    if goals:
        fields["goal"] = [_goal(sketch) for _ in range(goals)]
    played = _played(sketch)
    _chosen(sketch, needed=played)
    _distress(sketch, played)
    if mission is not None and mission.draw and sketch.drawn is not None:
        late = len(fields.get("played", [])) > 1
        if (not seeded and late) or (not goals and sketch.maybe(0.25)):
            fields["draw"] = [card_name(card) for card in sketch.drawn]
        elif late:
            fields["settings"]["draw"] = "seeded"
    if not fields["settings"]:
        del fields["settings"]
    if played:
        _trim(sketch)
    return sketch


def random_problem(seed: int) -> Json:
    """Input fields of random problem number `seed`."""
    rng = random.Random(seed)
    kind = rng.choice(("mission",) * 12 + ("puzzle",) * 4 + ("goals",) * 4)
    number = seed % 50 + 1 if kind == "mission" or rng.random() < 0.15 else 0
    if rng.random() < 0.02:
        number = 12  # the mission with most ways to be asked
    goals = rng.choice((1, 1, 2, 2, 3)) if kind == "goals" else int(rng.random() < 0.12)
    if number in (5, 33, 41, 50) and rng.random() < 0.3:
        goals = 1
    while True:
        sketch = _sketch(rng, number, goals)
        if sketch is not None and _work(sketch) <= WORK:
            return {"id": f"random-{seed}", **sketch.fields}


# What occurs in a problem

SHARINGS = ("draft", "decision", "distribution")
SETTINGS = ("nine-ban", "leftover-pink", "leftover-rocket", "commander-chosen")
LABELS = frozenset(
    [f"mission {number}" for number in range(1, 51)]
    + [f"seats {seats}" for seats in (3, 4, 5)]
    + [f"goal {kind}" for kind in GOAL_KINDS]
    + [f"goal {kind} {op}" for kind in ("count-tricks", "win-with") for op in OPERATORS]
    + ["goal win-with until", "goal each-wins ordered", "goal win-positions must"]
    + ["goal win-positions must-not", "goal win-positions only"]
    + [f"goal {kind} unplayed {value}" for kind in GOAL_KINDS[1:4:2] for value in ("fail", "ok")]
    + [f"who {name}" for name in ("seat", "crew", "commander", "chosen", "left-of-P9")]
    + [f"owners {kind} {named}" for kind in SHARINGS for named in ("free", "partly named")]
    + ["owners given", "task handed on", "task may be handed on", "swap", "move", "swap made"]
    + [f"tokens {kind}" for kind in ("numbers", "arrows", "last", "mixed", "gap")]
    + [f"distress {way}" for way in ("left", "right", "best", "made")]
    + [f"draw {mode}" for mode in ("seeded", "some", "every", "given")]
    + ["jarvis", "jarvis passes", "jarvis sits out", "one hand longer", "leader named"]
    + ["chosen named", "chosen free", "played whole tricks", "played unfinished trick"]
    + ["rocket task"]
    + [f"setting {name}" for name in SETTINGS]
)
"""Everything that a large sample should show, in winnable and in unwinnable problems."""


def _task_labels(problem: Problem) -> set[str]:
    found = set()
    tokens = {task.token for task in problem.tasks if task.token is not None}
    numbers = sorted(int(token) for token in tokens if token.isdigit())
    arrows = {token for token in tokens if token[0] == ">"}
    found |= {"tokens numbers"} if numbers else set()
    found |= {"tokens arrows"} if arrows else set()
    found |= {"tokens last"} if "last" in tokens else set()
    found |= {"tokens mixed"} if numbers and arrows else set()
    found |= {"tokens gap"} if numbers != list(range(1, len(numbers) + 1)) else set()
    found |= {"rocket task"} if any(task.card in ROCKETS for task in problem.tasks) else set()
    if problem.sharing is not None:
        named = any(task.owner is not None for task in problem.tasks)
        found.add(f"owners {problem.sharing.kind} {'partly named' if named else 'free'}")
        if problem.sharing.hand_on:
            found.add("task may be handed on")
    elif problem.tasks:
        found.add("owners given")
    found |= {problem.layout} if problem.layout is not None else set()
    found |= {"swap made"} if problem.swap is not None else set()
    found |= {"task handed on"} if problem.moved is not None else set()
    return found


def _goal_labels(fields: Json) -> set[str]:
    found = set()
    for goal in fields.get("goal", []):
        kind = goal["kind"]
        found.add(f"goal {kind}")
        for key in ("until", "ordered", "must", "must-not", "only", *OPERATORS):
            if goal.get(key, "strict") != "strict":
                found.add(f"goal {kind} {key}")
        if "unplayed" in goal:
            found.add(f"goal {kind} unplayed {goal['unplayed']}")
        who = goal.get("who", "crew")
        found.add(
            "who seat" if isinstance(who, int) else f"who {who.split('-1')[0].split('-2')[0]}"
        )
    return found


def labels(fields: Json, problem: Problem) -> set[str]:
    """Mission, goal kinds, freedoms and settings that occur in a problem."""
    deal, settings = problem.deal, fields.get("settings", {})
    played = fields.get("played", [])
    draw = None if problem.draw is None else "given" if problem.draw.cards else problem.draw.mode
    passing = problem.passed is not None or problem.distress != "none"
    out = "sits out" if problem.jarvis_sits_out else "passes"
    known = (
        {s.name: s.values for s in problem.mission.settings} if problem.mission is not None else {}
    )
    simple = {
        f"mission {problem.mission and problem.mission.number}": problem.mission is not None,
        f"seats {deal.seats}": True,
        f"distress {problem.distress}": problem.passed is None and problem.distress != "none",
        "distress made": problem.passed is not None,
        f"draw {draw}": draw is not None,
        "jarvis": deal.jarvis is not None,
        f"jarvis {out}": deal.jarvis is not None and passing,
        "one hand longer": len({len(hand) for hand in deal.hands}) > 1,
        "leader named": "leader" in fields,
        "chosen named": bool(problem.roles) and "chosen" in fields,
        "chosen free": bool(problem.roles) and "chosen" not in fields,
        "played whole tricks": bool(played) and len(played[-1]) == deal.seats,
        "played unfinished trick": bool(played) and len(played[-1]) < deal.seats,
    }
    found = {label for label, holds in simple.items() if holds}
    found |= {
        f"setting {name}"
        for name, value in settings.items()
        if name in SETTINGS and value != known[name][0]
    }
    return found | _task_labels(problem) | _goal_labels(fields)
