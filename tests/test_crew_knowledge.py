"""What seats of a crew know: truth is possible, sampling is uniform, hidden cards do not matter."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from crewsolve.cards import CARD_BY_NAME, cards_of, mask_of
from crewsolve.crew import deals, playouts
from crewsolve.crew.players import Expert, Novice, Player
from crewsolve.crew.table import MARKERS, Said, Table, sayings, site_of
from crewsolve.dealt import problem_of
from crewsolve.difficulty.choices import drafted
from crewsolve.inputs import read_problem
from crewsolve.mission import find_mission, missions_of
from crewsolve.problem import Pass, Problem

MISSIONS = missions_of("planet-nine")
SMALL = "R4 P1 B5 | P2 B2 B4 | P3 B3 G1 | P4 B1 G2"
SMALL_JARVIS = "R4 P1 B5 | J: P2/B2 B4/P5 G3/G4 | P3 B3 G1"
SMALL_DRAW = "R4 P1 B5 G3 | P2 B2 B4 G4 | P3 B3 G1 Y1 | P4 B1 G2 Y2"


def random_problem(number: int) -> Problem:
    """A mission with 2 to 5 players, sometimes after a random distress pass."""
    rng = random.Random(number)
    mission = find_mission(12) if number % 5 == 0 else MISSIONS[number % len(MISSIONS)]
    players = rng.choice([3, 4, 5] if mission.draw else [2, 3, 4, 5])
    problem = drafted(problem_of(mission, players, 31, number))
    if rng.random() < 0.4 and problem.can_pass:
        cards = tuple(rng.choice(problem.passable(seat)) for seat in range(problem.deal.seats))
        problem = replace(problem, passed=Pass(rng.choice(["left", "right"]), cards))
    return problem


def random_table(number: int, most: int = 99) -> Table:
    """A game in progress after random legal plays, with random communication."""
    rng = random.Random(number)
    table = Table.of(random_problem(number))
    mission = table.problem.mission
    assert mission is not None
    silent = set(range(table.seats)) - {table.problem.deal.jarvis}
    for _ in range(min(most, rng.randrange(9 * table.seats))):
        if table.between and table.trick + 1 >= mission.disruption:
            for seat in [s for s in sorted(silent) if rng.random() < 0.4]:
                said = sayings(table.hand(seat), not mission.dead_zone)
                if said:
                    card, mark = rng.choice(said)
                    table.say(Said(table.trick + 1, seat, card, MARKERS[mark]))
                    silent.discard(seat)
        table.play(rng.choice(_legal(table)))
        if table.outcome:  # the same once more, up to the card before
            return random_table(number, table.ply - 1)
    return table


def _legal(table: Table) -> list[int]:
    hand = cards_of(table.hand(table.seat))
    offset = table.ply % table.seats
    led = int(table.real.line[table.ply - offset]) // 9 if offset else -1
    return [c for c in hand if c // 9 == led] or list(hand)


def true_hands(table: Table) -> list[int]:
    """All hands, JARVIS's covered cards included."""
    hands = [table.hand(seat) for seat in range(table.seats)]
    jarvis = table.problem.deal.jarvis
    if jarvis is not None:
        tops = cards_of(int(table.sight.tops[0]))
        hands[jarvis] |= mask_of(int(table.real.beneath[top]) for top in tops)
    return hands


def people(table: Table) -> list[int]:
    return [seat for seat in range(table.seats) if seat != table.problem.deal.jarvis]


def sample(table: Table, seat: int, count: int) -> tuple[float, deals.Masks]:
    """Deals that a seat holds possible."""
    worlds = np.zeros((count, 5), dtype=np.uint64)
    rng = np.array([count * 7919 + 1], dtype=np.uint64)
    number = deals.draw_many(
        seat, np.uint64(table.hand(seat)), table.seats, table.sight, table.insights[seat],
        deals.chances(), rng, worlds,
    )  # fmt: skip
    return float(number), worlds


def possible(table: Table, seat: int, sight: Any, own: Any) -> Iterator[tuple[int, ...]]:
    """Hands of the others by enumeration, from the rules of knowledge written here once more.

    sight: what is public, now or when mission 12's draw was made; own: masks by seat of cards that
    the seat knows to be there.
    """
    others = [q for q in range(table.seats) if q != seat]
    sizes = [int(table.sight.size[q]) + int(table.sight.old.fallen[q]).bit_count() for q in others]
    now = sight is table.sight
    if now:
        sizes = [int(table.sight.size[q]) for q in others]
    unseen = mask_of(c for q in range(table.seats) for c in cards_of(true_hands(table)[q]))
    if not now:
        unseen |= sum(int(mask) for mask in table.sight.old.fallen)
    start = table.hand(seat)
    if not now:
        lost, got = (1 << int(c) for c in table.insights[seat].drawn)
        start = (start | int(sight.fallen[seat])) & ~got | lost

    def go(place: int, left: int, hands: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if place == len(others):
            if not left:
                yield hands
            return
        q = others[place]
        sure = int(sight.known[q]) | int(own[q])
        free = cards_of(left & int(sight.can[q]) & ~sure)
        if sure & ~left:
            return
        for chosen in combinations(free, sizes[place] - sure.bit_count()):
            hand = mask_of(chosen) | sure
            if agrees(hand, q):
                yield from go(place + 1, left & ~hand, (*hands, hand))

    def agrees(hand: int, q: int) -> bool:
        card, mark = int(sight.said[q]), MARKERS[sight.mark[q]]
        if card < 0:
            return True
        had = hand | int(sight.since[q])
        suit = [c for c in cards_of(had) if c // 9 == card // 9]
        highest, lowest = max([*suit, card]) == card, min([*suit, card]) == card
        alone = not set(suit) - {card}
        rules = {"highest": highest and not alone, "lowest": lowest and not alone, "only": alone}
        return rules.get(mark, highest or lowest)

    yield from go(0, unseen & ~start, ())


@pytest.mark.parametrize("number", range(150))
def test_the_true_deal_is_always_possible(number: int) -> None:
    table = random_table(number)
    sight, hands = table.sight, true_hands(table)
    for q, hand in enumerate(hands):
        assert hand & int(sight.known[q]) == int(sight.known[q])
        assert hand & ~int(sight.can[q]) == 0
        assert hand.bit_count() == sight.size[q]
        assert not any(int(sight.can[r]) & int(sight.known[q]) for r in range(5) if r != q)
    for seat in people(table):
        truth = np.array(hands + [0] * (5 - len(hands)), dtype=np.uint64)
        assert deals._fits(seat, table.seats, sight, truth)
        insight = table.insights[seat]
        for q in range(table.seats):
            assert hands[q] & int(insight.cards[seat, q]) == int(insight.cards[seat, q])
        number_of_deals, worlds = sample(table, seat, 20)
        assert number_of_deals >= 1
        for world in worlds:
            assert int(world[seat]) == hands[seat]
            assert sum(int(hand) for hand in world) == sum(hands)
            for q in range(table.seats):
                assert int(world[q]).bit_count() == sight.size[q]
                assert int(world[q]) & ~int(sight.can[q]) == 0
                assert int(insight.cards[seat, q]) & ~int(world[q]) == 0
    if sight.old.made[0]:
        _check_before_the_draw(table, hands)


def _check_before_the_draw(table: Table, hands: list[int]) -> None:
    """What was known when the draw was made was true of the hands then."""
    old, seats = table.sight.old, range(table.seats)
    lost = [int(table.insights[q].drawn[0]) for q in seats]
    for q in seats:
        got = int(table.insights[q].drawn[1])
        assert got == lost[q - 1]
        had = (hands[q] | int(old.fallen[q])) & ~(1 << got) | 1 << lost[q]
        assert had & ~int(old.can[q]) == 0
        assert int(old.known[q]) & ~had == 0
        assert int(old.said[q]) < 0 or (had | int(old.since[q])) >> int(old.said[q]) & 1
        assert not any(int(table.insights[p].before[q]) & ~had for p in seats)


def table_of(deal: str, said: list[tuple[int, str, str]], played: str, **fields: Any) -> Table:
    fields = {"deal": deal, "deck": "partial", "tasks": "G2@1", **fields}
    table = Table.of(read_problem(fields).problem)
    for q, card, marker in said:
        table.say(Said(1, q, CARD_BY_NAME[card], marker))
    for card in played.replace("/", "").split():
        table.play(CARD_BY_NAME[card])
    assert table.outcome == 0
    return table


def check_uniform(table: Table, seat: int, expected: Counter[tuple[int, ...]]) -> None:
    """Chi-square, within five standard deviations. expected: how often each deal, relatively."""
    draws = 200 * len(expected)
    number, worlds = sample(table, seat, draws)
    others = [q for q in range(table.seats) if q != seat]
    counts = Counter(tuple(int(world[q]) for q in others) for world in worlds)
    assert number >= len(expected)
    assert set(counts) == set(expected)
    means = {deal: draws * weight / expected.total() for deal, weight in expected.items()}
    square = sum((counts[deal] - mean) ** 2 / mean for deal, mean in means.items())
    freedom = len(expected) - 1
    spread = 2 * freedom + sum(1 / mean for mean in means.values())
    assert square <= freedom + 5 * (spread + 1) ** 0.5


@pytest.mark.parametrize(
    ("said", "played"),
    [
        ([], "R4 P2 P3 P4"),
        ([(1, "B4", "highest")], ""),
        ([(1, "B4", "card"), (2, "G1", "only")], ""),
        ([(3, "B1", "card")], "P1 P2 P3 P4"),
        ([], "P1 P2 P3 P4 / B1 B5"),
    ],
)
@pytest.mark.parametrize("seat", range(4))
def test_sampling_is_uniform(said: list[tuple[int, str, str]], played: str, seat: int) -> None:
    table = table_of(SMALL, said, played)
    own = table.insights[seat].cards[seat]
    check_uniform(table, seat, Counter(possible(table, seat, table.sight, own)))


@pytest.mark.parametrize(
    ("said", "played"),
    [
        ([], ""),
        ([(0, "P1", "only")], "P1 P2 P3"),
        ([(2, "P3", "only")], "R4 P2 P3 / B5 B2 B3"),
        ([], "R4 P2"),
    ],
)
@pytest.mark.parametrize("seat", [0, 2])
def test_sampling_is_uniform_with_jarvis(
    said: list[tuple[int, str, str]], played: str, seat: int
) -> None:
    table = table_of(SMALL_JARVIS, said, played, tasks="G1@1")
    own = table.insights[seat].cards[seat]
    check_uniform(table, seat, Counter(possible(table, seat, table.sight, own)))


def test_covered_cards_lie_anywhere() -> None:
    table = table_of(SMALL_JARVIS, [], "", tasks="G1@1")
    site = site_of(table.problem, true=False)
    deal = np.array([*true_hands(table), 0, 0], dtype=np.uint64)
    tops = cards_of(int(table.sight.tops[0]))
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(600):
        playouts._seeded(site.rng, np.uint64(5), number)
        playouts._set_deal(0, 3, deal, table.sight, table.insights[0], site)
        counts[tuple(int(site.beneath[top]) for top in tops)] += 1
    covered = [int(table.real.beneath[top]) for top in tops]
    assert set(counts) == set(permutations(covered))
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) <= 5 + 5 * 10**0.5


@pytest.mark.parametrize(
    ("said", "played", "lost"),
    [
        ([], "P1 P2 P3 P4", "G3 B2 Y1 B1"),
        ([], "B5 B2 B3 B1", "R4 P2 G1 Y2"),
        ([(1, "B4", "highest"), (2, "B3", "only")], "P1 P2 P3 P4", "G3 B4 B3 B1"),
        ([(0, "G3", "only")], "P1 P2 P3 P4 / B1 B5 B4 B3", "R4 G4 G1 Y2"),
        ([], "R4 P2 P3 P4 / B5 B2 B3 B1", "P1 G4 G1 Y2"),
    ],
)
@pytest.mark.parametrize("seat", range(4))
def test_sampling_is_uniform_after_a_draw(
    said: list[tuple[int, str, str]], played: str, lost: str, seat: int
) -> None:
    tasks = "G1@1 G2@2 Y1@3 Y2#last@4"
    table = table_of(SMALL_DRAW, said, played, mission=12, tasks=tasks, draw=lost)
    sight, old, insight = table.sight, table.sight.old, table.insights[seat]
    others = [q for q in range(4) if q != seat]
    given, got = (int(card) for card in insight.drawn)
    expected: Counter[tuple[int, ...]] = Counter()
    for before in possible(table, seat, old, insight.before):
        hands = dict(zip(others, before, strict=True))
        start = table.hand(seat) | int(old.fallen[seat])
        hands[seat] = start & ~(1 << got) | 1 << given
        choices = [
            [given] if q == seat else [got] if (q + 1) % 4 == seat else cards_of(hands[q])
            for q in range(4)
        ]
        for cards in product(*choices):
            if any(not hands[q] >> card & 1 for q, card in enumerate(cards)):
                continue
            after = [hands[q] & ~(1 << cards[q]) | 1 << cards[q - 1] for q in range(4)]
            left = [after[q] & ~int(old.fallen[q]) for q in range(4)]
            agree = all(
                not int(old.fallen[q]) & ~after[q] and not left[q] & ~int(sight.can[q])
                for q in others
            )
            if agree:
                expected[tuple(left[q] for q in others)] += 1
    check_uniform(table, seat, expected)


@pytest.mark.parametrize(
    "played", ["R4 P2 P3 P4", "P1 P2 P3 P4 / B1 B5 B2", "P1 P2 P3 P4 / B1 B5 B4 B3"]
)
@pytest.mark.parametrize("seat", range(4))
def test_counts_of_deals_are_exact(played: str, seat: int) -> None:
    table = table_of(SMALL, [], played)
    own = table.insights[seat].cards[seat]
    count = sum(1 for _ in possible(table, seat, table.sight, own))
    assert sample(table, seat, 1)[0] == pytest.approx(count)


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("player", [Novice(), Expert(5, 32)], ids=["novice", "expert"])
def test_decisions_do_not_depend_on_hidden_cards(number: int, player: Player) -> None:
    table = random_table(2000 + number)
    seat = table.seat
    eyes = table.eyes(seat)
    choices = set()
    for world in [true_hands(table), *sample(table, eyes, 3)[1].tolist()]:
        other = decoy(table, eyes, [int(hand) for hand in world[: table.seats]])
        player.begin(other)
        said = player.saying(other, eyes, True) if other.between else None
        choices.add((said, player.card(other, seat)))
    assert len(choices) == 1


def decoy(table: Table, eyes: int, hands: list[int]) -> Table:
    """The game with other hands, of which only what a seat sees is as it was."""
    problem = table.problem
    deal = problem.deal
    other = deepcopy(table)
    jarvis = deal.jarvis
    real = other.real
    real.state.hands[:] = 0
    for seat, hand in enumerate(hands):
        open_cards = hand & int(table.sight.known[seat]) if seat == jarvis else hand
        real.state.hands[table.trick, seat] = open_cards
    real.rules.start[:] = 0
    columns = deal.columns
    if jarvis is not None:
        covered = iter(cards_of(hands[jarvis] & ~int(table.sight.known[jarvis])))
        turned = dict(deal.columns)
        for top in cards_of(int(table.sight.tops[0])):
            real.beneath[top] = next(covered)
            turned[top] = int(real.beneath[top])
        columns = tuple(turned.items())
    rest = iter([c for q in range(table.seats) if q != eyes for c in reversed(deal.hands[q])])
    dealt = tuple(
        hand if q in (eyes, jarvis) else tuple(next(rest) for _ in hand)
        for q, hand in enumerate(deal.hands)
    )
    other.problem = replace(problem, deal=replace(deal, hands=dealt, columns=columns))
    return other


def test_a_passed_card_is_known_to_its_giver_only() -> None:
    problem = drafted(problem_of(find_mission(2), 4, 31, 1))
    given = tuple(next(c for c in hand if c < 36) for hand in problem.deal.hands)
    table = Table.of(replace(problem, passed=Pass("left", given)))
    for world in sample(table, 0, 50)[1]:
        assert int(world[1]) >> given[0] & 1
    holders = {
        q for world in sample(table, 2, 200)[1] for q in range(4) if int(world[q]) >> given[0] & 1
    }
    assert holders == {0, 1, 3}


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("player", [Novice(), Expert(5, 32)], ids=["novice", "expert"])
def test_passes_do_not_depend_on_hidden_cards(number: int, player: Player) -> None:
    players = 2 + number % 4
    mission = find_mission(5 if number % 3 == 0 else 10)
    table = Table.of(drafted(problem_of(mission, players, 32, number)))
    for seat in range(table.seats):
        eyes = table.eyes(seat)
        choices = set()
        for world in [true_hands(table), *sample(table, eyes, 3)[1].tolist()]:
            other = decoy(table, eyes, [int(hand) for hand in world[: table.seats]])
            player.begin(other)
            choices.add((player.vote(other, eyes), player.gift(other, seat, "right")))
        assert len(choices) == 1
