"""Verdicts on Mission Deep Sea against trying every play of small decks, by rules written here.

Every complete play is tried, so a goal is only asked once all cards have been played. Tasks are
judged by the parameters of the source (`test_deep_sea`), goals and sharings by functions here.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import pytest

from crewsolve.cards import card_name
from crewsolve.goals import Trick as JudgedTrick
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import game_of
from crewsolve.problem import Problem
from crewsolve.solver import solve

from .exhaustive import Table, all_tricks, exchange, legal, set_table, tricks_in, winner_of
from .test_deep_sea import JUDGES, MISSIONS, TASKS, Game, crew_objective

Json = dict[str, Any]
SOURCE = {task["id"]: task for task in TASKS}
CHUNKS, CHUNK = 10, 60
SLOW_CHUNKS, SLOW_CHUNK = 40, 500
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "more": lambda a, b: a > b,
    "fewer": lambda a, b: a < b,
    "equally-many": lambda a, b: a == b,
}
COUNTS: dict[str, Callable[[int, int], bool]] = {
    "exactly": lambda have, n: have == n,
    "at-least": lambda have, n: have >= n,
    "at-most": lambda have, n: have <= n,
}


# Goals of puzzles


def met(goal: Json, tricks: list[JudgedTrick], seats: int, commander: int) -> bool:
    """Whether a finished game meets a goal table of a puzzle."""
    kind = goal["kind"]
    if kind in ("balance-cards", "stay-ahead", "no-lead", "play-last"):
        return _met_by_crew(goal, tricks, seats)
    own = goal["who"] - 1
    won = [t for t in tricks if t.winner == own]
    cards = [card_name(c) for t in won for c in t.cards]
    totals = [sum(t.winner == s for t in tricks) for s in range(seats)]
    if kind == "compare-tricks":
        against = goal["against"]
        others = [n for s, n in enumerate(totals) if s != own]
        if against == "others-together":
            others = [sum(others)]
        elif against != "each-other":
            others = [totals[commander if against == "commander" else against - 1]]
        return all(RELATIONS[goal["relation"]](totals[own], n) for n in others)
    if kind == "count-cards":
        return _counts(goal, sum(c in goal["cards"].split() for c in cards))
    if kind == "compare-cards":
        one, other = (sum(c in goal[key].split() for c in cards) for key in ("cards", "than"))
        return RELATIONS[goal["relation"]](one, other)
    if kind == "run":
        return _counts(goal, _longest(t.winner == own for t in tricks))
    if kind == "win-suit":
        in_deck = [set(text.split()) & DECK for text in goal["sets"]]
        return any(wanted and wanted <= set(cards) for wanted in in_deck)
    return any(_fits(goal, t) for t in won)


DECK: set[str] = set()
"""Cards of the deal that is judged at the moment."""


def _counts(goal: Json, have: int) -> bool:
    return all(COUNTS[op](have, goal[op]) for op in COUNTS if op in goal)


def _longest(wins: Iterable[bool]) -> int:
    best = run = 0
    for win in wins:
        run = run + 1 if win else 0
        best = max(best, run)
    return best


def _met_by_crew(goal: Json, tricks: list[JudgedTrick], seats: int) -> bool:
    if goal["kind"] == "no-lead":
        leads = [t for t in tricks if goal["who"] in ("crew", t.seats[0] + 1)]
        return not any(card_name(t.cards[0]) in goal["cards"].split() for t in leads)
    if goal["kind"] == "play-last":
        last = [card_name(c) for c in tricks[-1].cards]
        return goal["card"] in (last[-1:] if goal.get("place") == "card" else last)
    counts = [0] * seats
    for t in tricks:
        if goal["kind"] == "balance-cards":
            counts[t.winner] += sum(card_name(c) in goal["cards"].split() for c in t.cards)
            if max(counts) - min(counts) > 1:
                return False
        else:
            counts[t.winner] += 1
            first = tricks[0].winner
            if any(s != first and n >= counts[first] for s, n in enumerate(counts)):
                return False
    return True


def _fits(goal: Json, t: JudgedTrick) -> bool:
    names = [card_name(c) for c in t.cards]
    top = card_name(t.top)
    total = sum(int(name[1]) for name in names)
    if "top" in goal and top not in goal["top"].split():
        return False
    if "against" in goal and not {n for n in names if n != top} & set(goal["against"].split()):
        return False
    if "within" in goal and not set(names) <= set(goal["within"].split()):
        return False
    if "pair" in goal:
        one, other = (len(set(names) & set(text.split())) for text in goal["pair"])
        if one != other or one == 0:
            return False
    return goal.get("least", 0) <= total <= goal.get("most", 99)


def random_goal(rng: random.Random, hands: list[list[int]]) -> Json:
    """A goal table of one of the ten kinds."""
    seats, deck = len(hands), [card_name(c) for hand in hands for c in hand]
    who = 1 + rng.randrange(seats)
    some = " ".join(rng.sample(deck, rng.randint(1, min(6, len(deck)))))
    other = " ".join(rng.sample(deck, rng.randint(1, 4)))
    op = rng.choice(list(COUNTS))
    tests: Json = {
        "top": some,
        "against": other,
        "within": " ".join(rng.sample(deck, len(deck) * 3 // 4)),
        "least": rng.randint(8, 20),
        "most": rng.randint(10, 24),
        "pair": rng.choice([["P123456789", "B123456789"], [some, other]]),
    }
    tests["pair"] = [
        " ".join(f"{t[0]}{r}" for r in t[1:]) if " " not in t and len(t) > 2 else t
        for t in tests["pair"]
    ]
    several = {key: tests[key] for key in rng.sample(list(tests), rng.choice((1, 1, 2)))}
    whom = rng.choice(["each-other", "others-together", "commander", 1 + rng.randrange(seats)])
    relation = "more" if whom == "others-together" else rng.choice(list(RELATIONS))
    lead = rng.choice(["crew", who])
    return rng.choice(
        [
            {"kind": "compare-tricks", "who": who, "relation": relation, "against": whom},
            {"kind": "count-cards", "who": who, "cards": some, op: rng.randint(0, 4)},
            {
                "kind": "compare-cards",
                "who": who,
                "cards": some,
                "than": other,
                "relation": rng.choice(["more", "equally-many"]),
            },
            {"kind": "run", "who": who, rng.choice(["at-least", "at-most"]): rng.randint(1, 3)},
            {"kind": "no-lead", "who": lead, "cards": some},
            {"kind": "play-last", "card": rng.choice(deck), "place": rng.choice(["trick", "card"])},
            {"kind": "win-suit", "who": who, "sets": [some, other]},
            {"kind": "win-trick", "who": who, **several},
            {"kind": "balance-cards", "cards": some},
            {"kind": "stay-ahead"},
        ]
    )


# Sharing out


def sharings(number: int, tasks: list[str], seats: int, captain: int) -> Iterator[tuple[int, ...]]:
    """All owners that a mission can lead to, by the rules of the second game."""
    way = next(row["allocation"] for row in MISSIONS if row["mission"] == number)
    worth = [SOURCE[name]["difficulty"][str(seats)] for name in tasks]
    for owners in product(range(seats), repeat=len(tasks)):
        compares = [SOURCE[name]["params"].get("against") == "captain" for name in tasks]
        if any(owner == captain and bad for owner, bad in zip(owners, compares, strict=True)):
            continue
        different = len(set(owners))
        if way in ("normal", "captain_first_takes_hardest"):
            order = [(captain + pick) % seats for pick in range(len(tasks))]
            fits = sorted(owners) == sorted(order)
            if len(tasks) < seats:
                fits = different == len(tasks)
            if way != "normal":
                best = [o for o, n in zip(owners, worth, strict=True) if n == max(worth)]
                fits = fits and captain in best
        elif way == "clockwise_skipping_captain":
            others = [(captain + turn) % seats for turn in range(1, seats)]
            order = [others[pick % len(others)] for pick in range(len(tasks))]
            fits = captain not in owners and sorted(owners) == sorted(order)
            if len(tasks) < seats:
                fits = captain not in owners and different == len(tasks)
        elif way == "two_volunteers":
            fits = different == min(2, len(tasks))
        elif way == "free_discussion":
            fits = True
        else:
            fits = different == 1
        if fits:
            yield owners


# Problems


def random_question(seed: int) -> Json | None:
    """Input fields of a small problem of Mission Deep Sea."""
    rng = random.Random(seed)
    seats = rng.choice((3, 3, 4, 4, 5))
    tricks = {3: rng.choice((2, 3, 3, 4)), 4: rng.choice((2, 3)), 5: 2}[seats]
    sizes = [tricks] * seats
    if seats == 3 and rng.random() < 0.4:
        sizes[rng.randrange(3)] += 1
    suits = rng.sample(range(4), rng.choice((2, 3, 4)))
    pool = [c for c in range(36) if c // 9 in suits] + rng.sample(range(36, 40), rng.randint(0, 4))
    cards = rng.sample(pool, sum(sizes))
    hands = [[cards.pop() for _ in range(size)] for size in sizes]
    jarvis = rng.randrange(3) if seats == 3 and rng.random() < 0.3 else None
    shown: list[Any] = [[card_name(c) for c in hand] for hand in hands]
    if jarvis is not None:
        if 39 in hands[jarvis]:
            return None
        own = shown[jarvis]
        columns = [
            [own[i], own[i + 1] if i + 1 < len(own) else None] for i in range(0, len(own), 2)
        ]
        shown[jarvis] = {"jarvis": columns}
    fields: Json = {"id": f"sea-{seed}", "deck": "partial", "hands": shown}
    holder = next((s for s, hand in enumerate(hands) if 39 in hand), None)
    captain = holder
    if holder is None:
        captain = rng.choice([s for s in range(seats) if s != jarvis])
        fields["leader"] = captain + 1
    kind = rng.random()
    if kind < 0.3:
        fields["goal"] = [random_goal(rng, hands) for _ in range(rng.choice((1, 1, 2)))]
    elif kind < 0.4:
        fields["mission"] = f"deep-sea/{rng.choice((8, 12, 21, 23, 27))}"
    else:
        _add_tasks(rng, fields, seats, captain or 0)
    if rng.random() < 0.15:
        fields["distress"] = rng.choice(("left", "right", "best"))
    return fields


def _add_tasks(rng: random.Random, fields: Json, seats: int, captain: int) -> None:
    number = rng.choice((1, 5, 6, 10, 14, 17, 19, 25, 26, 28))
    names = rng.sample(list(SOURCE), rng.randint(1, 5 if seats == 3 else 4))
    way = rng.choice(("given", "open", "open", "some"))
    ways = list(sharings(number, names, seats, captain))
    owners: list[int | None] = [None] * len(names)
    if way != "open" and ways:
        owners = list(rng.choice(ways))
    if way == "some":
        owners = [o if rng.random() < 0.5 else None for o in owners]
    tasks = []
    for name, owner in zip(names, owners, strict=True):
        task: Json = {"task": name, "owner": None if owner is None else owner + 1}
        if "prediction" in SOURCE[name]["params"] and rng.random() < 0.7:
            task["predicted"] = rng.randint(0, 2)
        tasks.append(task)
    fields |= {"mission": f"deep-sea/{number}", "tasks": tasks}


def plays(table: Table, leader: int, tricks: list[JudgedTrick], left: int) -> Iterator[None]:
    """Every complete play; `tricks` holds its tricks while it is yielded."""
    if not left:
        yield
        return
    seats = len(table)
    for cards, after in all_tricks(table, leader):
        order = tuple((leader + k) % seats for k in range(seats))
        place = winner_of(cards)
        tricks.append(JudgedTrick(cards, order, order[place], cards[place]))
        yield from plays(after, order[place], tricks, left - 1)
        tricks.pop()


def passes(problem: Problem) -> Iterator[Table]:
    """The table after every pass that is allowed."""
    table, seats = set_table(problem.deal), range(problem.deal.seats)
    own = [[c for c in legal(place, None) if c < 36] for place in table]
    if problem.distress in ("none", "best"):
        yield table
    for way, step in (("left", 1), ("right", -1)):
        if problem.distress in (way, "best"):
            to = {s: (s + step) % problem.deal.seats for s in seats}
            for gifts in product(*own):
                after = exchange(table, dict(enumerate(gifts)), to)
                assert after is not None
                yield after


def task_met(task: Json, game: Game) -> bool:
    source = SOURCE[task["task"]]
    kind, p = source["kind"], source["params"]
    if kind == "win_cards":
        p = {"cards": [c for c in p["cards"] if c.replace("S", "R") in DECK]}
    if kind == "win_all_of_some_colour":
        letters = {"pink": "P", "blue": "B", "green": "G", "yellow": "Y"}
        held = {c: sum(n[0] == letters[c] for n in DECK) for c in p["colours"]}
        return any(n and game.count({"colour": c}) == n for c, n in held.items())
    if "predicted" in task:
        return len(game.won) == task["predicted"]
    return JUDGES[kind](game, p)


def winnable(fields: Json, problem: Problem) -> bool:
    """Whether some pass, sharing and play wins."""
    deal = problem.deal
    DECK.clear()
    DECK.update(card_name(c) for hand in deal.hands for c in hand)
    tasks, number = fields.get("tasks", []), int(fields.get("mission", "/0").split("/")[1])
    named = [None if t["owner"] is None else t["owner"] - 1 for t in tasks]
    ways = (
        [
            owners
            for owners in sharings(number, [t["task"] for t in tasks], deal.seats, deal.commander)
            if all(n in (None, o) for n, o in zip(named, owners, strict=True))
        ]
        if tasks
        else []
    )
    objective = next((r["crew_objective"] for r in MISSIONS if r["mission"] == number), None)
    if tasks and None not in named:
        ways = [tuple(named)]  # type: ignore[arg-type]
    tricks: list[JudgedTrick] = []
    for table in passes(problem):
        for _ in plays(table, deal.leader, tricks, tricks_in(table)):
            if not all(met(g, tricks, deal.seats, deal.commander) for g in fields.get("goal", [])):
                continue
            if objective is not None and not crew_objective(objective, tricks, deal.seats):
                continue
            if not tasks:
                return True
            able = [
                {
                    seat
                    for seat in range(deal.seats)
                    if task_met(task, Game(tricks, deal.seats, seat, deal.commander))
                }
                for task in tasks
            ]
            if any(all(o in ok for o, ok in zip(way, able, strict=True)) for way in ways):
                return True
    return False


def disagreements(seeds: range) -> tuple[list[str], dict[str, int]]:
    """Problems on which the program is wrong, and how often it said what."""
    found: list[str] = []
    words = {"winnable": 0, "unwinnable": 0}
    for seed in seeds:
        fields = random_question(seed)
        if fields is None:
            continue
        try:
            problem = read_problem(fields).problem
        except Exception as error:
            if "is in this deck" not in str(error) and "is in no hand" not in str(error):
                if "it could pass" not in str(error) and "foretells" not in str(error):
                    found.append(f"{error}\n{json.dumps(fields)}")
            continue
        right = "winnable" if winnable(fields, problem) else "unwinnable"
        word = solve(problem, Limits(engine="both") if seed % 2 else None).word
        words[right] += 1
        if word != right:
            found.append(f"said {word}, is {right}\n{json.dumps(fields)}")
    return found, words


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_deep_sea_verdicts_agree(chunk: int) -> None:
    found, words = disagreements(range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert not found, "\n".join(found)
    assert min(words.values()) > CHUNK // 10


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(SLOW_CHUNKS))
def test_deep_sea_verdicts_agree_at_length(chunk: int) -> None:
    start = 2_000_000 + chunk * SLOW_CHUNK
    found, _ = disagreements(range(start, start + SLOW_CHUNK))
    assert not found, "\n".join(found)


def test_all_tasks_have_a_judge() -> None:
    assert set(SOURCE) == set(game_of("deep-sea").task_cards)
