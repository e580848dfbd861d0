"""The three faces of every goal agree: judge and kernel after every trick, clauses on whole lines.

Random legal games are played out; the referee's judgement of a line must be what the formula says
when all its cards are fixed, and the kernel must say after every trick what the judge says. The
judge is checked on its own: once done or failed, always so.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from crewsolve.cards import card_name
from crewsolve.chance import random_deal
from crewsolve.goal_spec import KINDS
from crewsolve.goals import (
    Balance,
    CountTricks,
    EachWins,
    Goal,
    History,
    Task,
    Trick,
    WinCards,
    WinPositions,
    WinWith,
)
from crewsolve.inputs import read_problem
from crewsolve.limits import Deadline
from crewsolve.problem import Attempt, Problem
from crewsolve.referee import replay
from crewsolve.sat.engine import Session, write_problem
from crewsolve.sat.formula import Formula
from crewsolve.sat.goals import CLAUSES
from crewsolve.sea_goals import (
    BalanceCards,
    CompareCards,
    CompareTricks,
    CountCards,
    NoLead,
    PlayLast,
    Run,
    StayAhead,
    WinSuit,
    WinTrick,
)
from crewsolve.search.goals import _goals_state
from crewsolve.search.kernel import _close_trick, _first_state
from crewsolve.search.rows import room_for, variants

from .conftest import random_line, top_card

GAMES = 60


def goals_of(rng: random.Random, seats: int, total: int) -> list[Goal]:
    """One random goal of every kind."""
    who = rng.randrange(seats)
    few = 0
    for card in rng.sample(range(40), rng.choice([1, 2, 5, 9])):
        few |= 1 << card
    op: Any = rng.choice(["exactly", "at-least", "at-most"])
    positions: list[Any] = rng.sample([*range(1, total + 1), "last"], 2)
    ban: Any = rng.choice(["strict", "tasks"])
    left: Any = rng.choice(["fail", "ok"])
    other = 0
    for card in rng.sample([c for c in range(40) if not few >> c & 1], rng.choice([1, 3, 8])):
        other |= 1 << card
    whom: Any = rng.choice(["each-other", (who + 1) % seats])
    relation: Any = rng.choice(["more", "fewer", "equally-many"])
    equal: Any = rng.choice(["more", "equally-many"])
    bound: Any = rng.choice(["at-least", "at-most"])
    return [
        CompareTricks(who, relation, whom),
        CompareTricks(who, "more", "others-together"),
        CountCards(who, few, op, rng.randrange(4)),
        CompareCards(who, few, other, equal),
        Run(who, bound, rng.randint(1, 4)),
        NoLead(rng.choice([None, who]), few),
        PlayLast(None, few.bit_length() - 1, rng.choice(("trick", "card"))),
        WinSuit(who, (few, other, *(1 << c for c in rng.sample(range(40), 2)))),
        BalanceCards(None, few | other),
        StayAhead(None),
        *_tricks_of_kinds(rng, who, few, other),
        CountTricks(who, op, rng.randrange(5)),
        WinCards(who, few, left),
        WinWith(rng.choice([None, who]), few, op, rng.randrange(3), ban),
        EachWins(None, few & -few | 1 << 39, rng.random() < 0.5, left),
        EachWins(None, 0b1111 << 36, rng.random() < 0.5, left),
        WinPositions(who, tuple(positions[:1]), tuple(positions[1:]), False),
        WinPositions(who, tuple(positions), (), True),
        Balance(None),
    ]


def _tricks_of_kinds(rng: random.Random, who: int, few: int, other: int) -> list[Goal]:
    """Goals about one trick, each with other tests."""
    colours = (1 << 36) - 1
    least = rng.randrange(30)
    first, second = (0x1FF << 9 * suit for suit in rng.sample(range(4), 2))
    six = sum(1 << 9 * suit + rng.randrange(9) for suit in range(4))
    odd = sum(1 << card for card in range(36) if card % 2 == 0)
    return [
        WinTrick(who, top=few, against=other),
        WinTrick(who, top=six, against=six),
        WinTrick(who, top=0xF << 36, against=other),
        WinTrick(who, within=rng.choice((colours & ~few, colours & ~other, odd))),
        WinTrick(who, within=colours, least=least),
        WinTrick(who, within=colours, least=least, most=least + rng.randrange(8)),
        WinTrick(who, most=least),
        WinTrick(who, pair=(first, second)),
    ]


def in_deck(goal: Goal, deck: int) -> Goal | None:
    """The goal with only such cards as are in the deck, None if it has no meaning there."""
    if isinstance(goal, PlayLast):
        return goal if deck >> goal.card & 1 else None
    if isinstance(goal, WinSuit):
        return replace(goal, sets=tuple(cards & deck for cards in goal.sets if cards & deck))
    if isinstance(goal, WinTrick):
        within = goal.within if goal.within < 0 else goal.within & deck
        pair = goal.pair and (goal.pair[0] & deck, goal.pair[1] & deck)
        top = goal.top if goal.top < 0 else goal.top & deck
        return replace(goal, top=top, against=goal.against & deck, within=within, pair=pair)
    if isinstance(goal, CompareCards):
        return replace(goal, cards=goal.cards & deck, than=goal.than & deck)
    if isinstance(goal, WinCards | EachWins) and not goal.cards & deck:
        return None
    if isinstance(goal, WinCards | EachWins | WinWith | CountCards | NoLead | BalanceCards):
        return replace(goal, cards=goal.cards & deck)
    return goal


def formula_accepts(problem: Problem) -> bool:
    """Whether the formula, with every card fixed as played, has a solution."""
    formula = Formula()
    write_problem(formula, problem, None)
    with Session(formula, 10_000, Deadline(None)) as session:
        won, _ = session.ask()
    assert won is not None
    return won


def deal_of(rng: random.Random, number: int) -> Problem:
    """A problem shell on a random deal: small partial decks and whole ones, JARVIS among them."""
    dealt = random_deal(rng.choice([2, 3, 4, 5]), 3, 11, number)
    fields: dict[str, Any] = {"deal": str(dealt.deal), "tasks": "P1@1"}
    if rng.random() < 0.7 and dealt.deal.jarvis is None:
        size = rng.randint(2, 4)
        hands = [
            sorted(rng.sample(hand, size + (seat == 0)))
            for seat, hand in enumerate(dealt.deal.hands)
        ]
        fields["deal"] = " | ".join(" ".join(card_name(c) for c in hand) for hand in hands)
        fields |= {"deck": "partial", "leader": 1 + rng.randrange(len(hands))}
        fields["tasks"] = f"{card_name(hands[0][0])}@1"
        fields["rocket-tasks"] = True
        if any(39 in hand for hand in hands):
            fields.pop("leader")
    return read_problem(fields).problem


@pytest.mark.parametrize("seed", range(8))
def test_judge_and_clauses_agree_on_random_games(seed: int) -> None:
    rng = random.Random(seed)
    met = 0
    for number in range(GAMES):
        shell = deal_of(rng, seed * GAMES + number)
        line = random_line(shell, rng)
        for wish in goals_of(rng, shell.deal.seats, shell.deal.tricks):
            goal = in_deck(wish, shell.deal.mask)
            if goal is None:
                continue
            tasks: tuple[Task, ...] = ()
            if isinstance(goal, WinWith) and goal.until == "tasks":
                tasks = _home_tasks(shell, line)
            problem = replace(shell, tasks=tasks, goals=(goal,), played=tuple(map(tuple, line)))
            report = replay(Attempt(problem.deal, tasks, (goal,)), line)
            assert report.outcome in ("won", "lost")
            assert formula_accepts(problem) == (report.outcome == "won"), (
                goal,
                str(problem.deal),
                line,
            )
            met += report.outcome == "won"
    assert met > GAMES


def _home_tasks(problem: Problem, line: list[list[int]]) -> tuple[Task, ...]:
    """A task that comes home in the middle of the line."""
    leader = problem.deal.leader
    for number, trick in enumerate(line):
        leader = (leader + trick.index(top_card(trick))) % problem.deal.seats
        if number == len(line) // 2:
            return (Task(trick[0], None, leader),)
    return ()


@pytest.mark.parametrize("seed", range(6))
def test_tokens_agree_on_random_games(seed: int) -> None:
    """Random tokens on tasks that all come home: only the order decides."""
    rng = random.Random(100 + seed)
    outcomes = {"won": 0, "lost": 0}
    for number in range(GAMES):
        shell = deal_of(rng, seed * GAMES + number)
        line = random_line(shell, rng)
        tasks = _tokens(_won_cards(shell, line, rng), rng)
        problem = replace(shell, tasks=tasks, goals=(), played=tuple(map(tuple, line)))
        report = replay(Attempt(problem.deal, tasks, ()), line)
        assert formula_accepts(problem) == (report.outcome == "won"), (
            tasks,
            str(problem.deal),
            line,
        )
        outcomes[report.outcome] += 1
    assert min(outcomes.values()) > GAMES // 10


def _won_cards(problem: Problem, line: list[list[int]], rng: random.Random) -> list[Task]:
    leader, tasks = problem.deal.leader, []
    for trick in line:
        leader = (leader + trick.index(top_card(trick))) % problem.deal.seats
        tasks += [Task(card, None, leader) for card in trick]
    return rng.sample(tasks, min(len(tasks), rng.randint(2, 6)))


def _tokens(tasks: list[Task], rng: random.Random) -> tuple[Task, ...]:
    """Tokens in the order of play with some disorder, so that both outcomes are common."""
    pool = rng.choice(
        [
            ["1", "2"],
            ["1", "2", "3"],
            ["2"],
            ["3", "1"],
            [">", ">>"],
            [">", ">>", ">>>"],
            ["last"],
            ["1", "last", ">"],
        ]
    )
    usable = [t for t in pool if not t.isdigit() or int(t) <= len(tasks)][: len(tasks)]
    if rng.random() < 0.5:
        rng.shuffle(tasks)
    marked = [replace(t, token=usable[k] if k < len(usable) else None) for k, t in enumerate(tasks)]
    return tuple(marked)


def test_every_kind_has_both_faces() -> None:
    assert set(KINDS.values()) == set(CLAUSES)


def tricks_of(problem: Problem, line: list[list[int]]) -> list[Trick]:
    """A line as a judge sees it."""
    leader, tricks = problem.deal.leader, []
    for cards in line:
        best = top_card(cards)
        seats = tuple((leader + k) % problem.deal.seats for k in range(problem.deal.seats))
        leader = seats[cards.index(best)]
        tricks.append(Trick(tuple(cards), seats, leader, best))
    return tricks


WORDS = {-1: "failed", 0: "open", 1: "done"}


@pytest.mark.parametrize("seed", range(4))
def test_judge_and_kernel_agree_after_every_trick(seed: int) -> None:
    rng = random.Random(300 + seed)
    seen: set[tuple[type[Goal], str]] = set()
    for number in range(GAMES):
        shell = deal_of(rng, seed * GAMES + number)
        deal, cards = shell.deal, random_line(shell, rng)
        tricks = tricks_of(shell, cards)
        line = np.array([card for trick in cards for card in trick], dtype=np.int64)
        for wish in goals_of(rng, deal.seats, deal.tricks):
            goal = in_deck(wish, deal.mask)
            if goal is None:
                continue
            found = variants(replace(shell, tasks=(), goals=(goal,)))
            assert found is not None
            rules = found[0].rules
            state = room_for(rules)
            _first_state(rules, state)
            for t in range(deal.tricks):
                history = History(tuple(tricks[: t + 1]), deal.tricks, deal.seats, 0)
                trick, top, winner = _close_trick(t, line, rules, state)
                word = WORDS[_goals_state(rules, state, t, trick, top, winner, line)]
                assert word == goal.status(history), (goal, str(deal), cards, t)
                seen.add((type(goal), word))
                if word == "failed":
                    break
    assert len(seen) >= 3 * len(KINDS) - 8, "some kinds never show all states"


@pytest.mark.parametrize("seed", range(4))
def test_done_and_failed_are_final(seed: int) -> None:
    rng = random.Random(200 + seed)
    for number in range(GAMES):
        shell = deal_of(rng, number)
        deal, tricks = shell.deal, tricks_of(shell, random_line(shell, rng))
        for wish in goals_of(rng, deal.seats, deal.tricks):
            goal = in_deck(wish, deal.mask)
            if goal is None:
                continue
            states = [
                goal.status(History(tuple(tricks[:n]), deal.tricks, deal.seats))
                for n in range(1, len(tricks) + 1)
            ]
            assert states[-1] != "open"
            for before, after in pairwise(states):
                assert before in ("open", after), (goal, states)
