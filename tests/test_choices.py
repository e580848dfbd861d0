"""The choices before play keep to the rules of the mission, and nobody looks at hidden cards."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from crewsolve.cards import CARD_BY_NAME, ROCKET_4
from crewsolve.chance import random_deal
from crewsolve.deal import Deal, make_deal
from crewsolve.dealt import fields_of, problem_of
from crewsolve.difficulty import choices
from crewsolve.difficulty.choices import drafted, fixed, seen, serves, worth
from crewsolve.goals import Task
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import find_mission, missions_of
from crewsolve.problem import Problem, draft_quotas
from crewsolve.solver import solve

MISSIONS = missions_of("planet-nine")
LIMITS = Limits(conflicts=2_000, nodes=100_000)
SEED = 3


def asked(numbers: range = range(3)) -> list[tuple[int, Problem]]:
    """Deals of every mission at every table, with all freedoms open."""
    return [
        (number, problem_of(mission, players, SEED, number))
        for mission in MISSIONS
        for players in (2, 3, 4, 5)
        for number in numbers
    ]


def both(number: int, problem: Problem) -> tuple[Problem, Problem]:
    """The problem after blind choices, and after those by the rules."""
    return fixed(problem, SEED, number), drafted(problem)


def test_owners_come_of_the_missions_way_of_sharing_out() -> None:
    for number, problem in asked():
        deal, sharing = problem.deal, problem.sharing
        for chosen in both(number, problem):
            assert chosen.sharing is None
            assert chosen.layout is None
            assert chosen.moved is None
            assert [(t.card, t.token) for t in chosen.tasks] == [
                (t.card, t.token) for t in problem.tasks
            ]
            counts = [sum(t.owner == seat for t in chosen.tasks) for seat in range(deal.seats)]
            assert sum(counts) == len(problem.tasks)
            if sharing is None:
                assert not problem.tasks
            elif sharing.kind == "draft":
                quotas = draft_quotas(len(problem.tasks), deal.seats, deal.commander)
                assert tuple(counts) == quotas
            elif sharing.kind == "distribution":
                assert max(counts) - min(counts) <= 1
            else:
                assert max(counts) == len(problem.tasks)
                assert not counts[deal.commander]


def test_members_are_eligible_and_differ() -> None:
    for number, problem in asked(range(10)):
        for chosen in both(number, problem):
            assert all(len(seats) == 1 for seats in chosen.roles)
            members = [seats[0] for seats in chosen.roles]
            assert len(set(members)) == len(members) == len(problem.roles)
            for member, candidates in zip(members, problem.roles, strict=True):
                assert member in candidates


def test_every_eligible_member_is_drawn() -> None:
    for mission in (5, 33, 41):
        drawn = set()
        for number in range(60):
            problem = problem_of(find_mission(mission), 4, SEED, number)
            member = fixed(problem, SEED, number).roles[0][0]
            drawn.add((member - problem.deal.commander) % 4)
        assert drawn == {1, 2, 3}


def test_members_named_already_stay() -> None:
    problem = problem_of(find_mission(50), 4, SEED, 1)
    for pair in ((0, 1), (1, 0), (2, 3), (3, 2)):
        named = replace(problem, roles=tuple((seat,) for seat in pair))
        assert [c.roles for c in both(1, named)] == [named.roles, named.roles]


def test_the_same_choices_every_time() -> None:
    for number, problem in asked(range(1)):
        assert both(number, problem) == both(number, problem)


def test_fixed_is_what_the_deal_command_prints() -> None:
    for mission in MISSIONS:
        for players in (2, 3, 4, 5):
            dealt = random_deal(players, mission.tasks, SEED, 4)
            printed = read_problem(fields_of(dealt, mission, True, SEED)).problem
            chosen = fixed(problem_of(mission, players, SEED, 4), SEED, 4)
            assert replace(chosen, roles=printed.roles) == printed


def test_solve_takes_the_chosen_problems() -> None:
    for number, problem in asked(range(1)):
        if problem.deal.seats != 4:
            continue
        for chosen in both(number, problem):
            verdict = solve(chosen, LIMITS)
            if verdict.word == "winnable":
                assert verdict.report is not None
                assert verdict.report.outcome == "won"
                assert verdict.choices is not None
                assert verdict.choices.tasks == chosen.tasks
                assert verdict.choices.chosen == tuple(seats[0] for seats in chosen.roles)


def test_drafting_wins_more_than_dealing_round() -> None:
    deals = [problem_of(find_mission(42), 4, SEED, number) for number in range(60)]
    blind = [solve(fixed(deal, SEED, n), LIMITS).word for n, deal in enumerate(deals)]
    ruled = [solve(drafted(deal), LIMITS).word for deal in deals]
    assert ruled.count("winnable") > blind.count("winnable") + 3
    assert ruled.count("winnable") >= 56


# Hidden cards

Calls = list[tuple[str, int, tuple[Any, ...], Any]]
"""Decisions in order: the rule, the hand of who decides, what else he knows, the answer."""


def hidden_moved(deal: Deal, seat: int, count: int, rng: random.Random) -> Deal:
    """The deal with `count` cards shuffled that a seat does not see; the commander stays."""
    columns = list(deal.columns)
    places: list[tuple[int, int]] = [
        (other, place)
        for other, hand in enumerate(deal.hands)
        for place, card in enumerate(hand)
        if card != ROCKET_4
        and not seen(deal, seat) >> card & 1
        and card not in [top for top, _ in columns]
    ]
    places = rng.sample(places, min(count, len(places)))
    cards = [deal.hands[other][place] for other, place in places]
    rng.shuffle(cards)
    hands = [list(hand) for hand in deal.hands]
    renamed = {}
    for (other, place), card in zip(places, cards, strict=True):
        renamed[hands[other][place]] = card
        hands[other][place] = card
    after = [(top, None if card is None else renamed.get(card, card)) for top, card in columns]
    moved = make_deal(hands, {} if deal.jarvis is None else {deal.jarvis: after})
    assert moved is not None
    assert moved.commander == deal.commander
    return moved


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Every decision, as it is made."""
    found: Calls = []

    def told(name: str, rule: Callable[..., Any]) -> Callable[..., Any]:
        def call(hand: int, *args: Any, **named: Any) -> Any:
            known = [tuple(arg) if isinstance(arg, list) else arg for arg in args]
            answer = rule(hand, *args, **named)
            found.append((name, hand, (*known, *named.values()), answer))
            return answer

        return call

    for name in ("pick", "wants", "takes_all", "serves", "leads"):
        monkeypatch.setattr(choices, name, told(name, getattr(choices, name)))
    return found


def test_nobody_looks_at_hidden_cards(calls: Calls) -> None:
    """As long as the same has been said, all know the same, and equal hands decide the same."""
    rng = random.Random(5)
    acted = 0
    for _, problem in asked(range(2)):
        deal = problem.deal
        hands = [seen(deal, seat) for seat in range(deal.seats)]
        calls.clear()
        drafted(problem)
        before = list(calls)
        for seat, count in product(range(deal.seats), (2, 4, 40)):
            other = replace(problem, deal=hidden_moved(deal, seat, count, rng))
            moved = [seen(other.deal, each) for each in range(deal.seats)]
            assert moved[seat] == hands[seat]
            calls.clear()
            drafted(other)
            for (rule, hand, known, answer), now in zip(before, calls, strict=False):
                member = hands.index(hand)
                assert (rule, moved[member], known) == now[:3]
                if answer != now[3]:
                    assert moved[member] != hand
                    break
                acted += member == seat
    assert acted > 2_000


def test_jarvis_is_seen_by_his_open_cards() -> None:
    deal = problem_of(find_mission(42), 2, SEED, 0).deal
    assert deal.jarvis is not None
    covered = [under for _, under in deal.columns if under is not None]
    assert len(covered) == 7
    assert not any(seen(deal, deal.jarvis) >> card & 1 for card in covered)


# Rules


def hand(text: str) -> int:
    """Mask of cards in words."""
    return sum(1 << CARD_BY_NAME[word] for word in text.split())


def test_worth() -> None:
    nine, one = Task(CARD_BY_NAME["P9"]), Task(CARD_BY_NAME["P1"])
    mine, other = hand("P9 P1 B2"), hand("P8 P2 G5")
    assert worth(mine, nine, 0) > worth(other, nine, 0)
    assert worth(mine, one, 0) < worth(other, one, 0)
    assert worth(mine, nine, 1) < worth(mine, nine, 0)
    assert worth(other, one, 2) == worth(other, one, 0) > worth(hand("P2"), one, 0)


def test_a_member_with_two_rockets_cannot_lose_every_trick() -> None:
    assert serves(hand("P2 R3"), 0)
    assert not serves(hand("P2 R2 R3"), 0)
    assert serves(hand("P9 B8"), 2)
    assert not serves(hand("P9 B7"), 2)
    assert serves(hand("P9 R3 R2 R1"), 4)
    assert not serves(hand("P9 R2 R1"), 4)
