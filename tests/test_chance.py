"""The generator: test vectors, and what must be uniform or independent."""

from __future__ import annotations

from collections import Counter

import pytest

from crewsolve.cards import ROCKET_4, names
from crewsolve.chance import Stream, draw_order, random_deal


def test_vectors_of_the_stream() -> None:
    """The first numbers of a stream; SplitMix64's published first output for state 0."""
    stream = Stream("hands full 4", 7, 0)
    stream._state = 0
    assert stream.bits() == 0xE220A8397B1DCDAF
    stream = Stream("hands full 4", 7, 0)
    assert [stream.bits() >> 32 for _ in range(3)] == VECTOR


VECTOR = [4220572436, 1741845366, 3167764785]


@pytest.mark.parametrize(
    ("players", "deal", "tasks"),
    [
        (
            2,
            "P179 B78 G48 Y124 R124 | J: B5/P8 Y6/R3 G7/Y5 G9/G3 G2/B3 P2/B6 P4/Y8 | P356 B1249 G156 Y379",  # noqa: E501
            "G6 P4 P2 B9",
        ),
        (
            3,
            "P1234 B59 G13459 Y5 R13 | P9 B2348 G26 Y1349 R24 | P5678 B167 G78 Y2678",
            "G6 P4 P2 B9",
        ),
        (
            4,
            "P45 B12348 G5 Y2 R2 | P278 B56 G138 Y59 | P169 B79 G46 Y47 R3 | P3 G279 Y1368 R14",
            "G6 P4 P2 B9",
        ),
        (
            5,
            "P579 B2 G9 Y6 R12 | P2 B367 G2 Y37 R4 | P368 G48 Y124 | P4 B9 G3567 Y9 R3 | P1 B1458 G1 Y58",  # noqa: E501
            "G6 P4 P2 B9",
        ),
    ],
)
def test_vectors_of_deals(players: int, deal: str, tasks: str) -> None:
    dealt = random_deal(players, 4, 7, 0)
    assert str(dealt.deal) == deal
    assert names(dealt.tasks) == tasks


def test_the_14_card_seat_is_random() -> None:
    seats = Counter(
        next(s for s, hand in enumerate(random_deal(3, 0, 1, n).deal.hands) if len(hand) == 14)
        for n in range(600)
    )
    assert set(seats) == {0, 1, 2}
    assert all(150 < count < 250 for count in seats.values())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_commander_is_uniform_over_people(players: int) -> None:
    seats = Counter(random_deal(players, 0, 3, n).deal.commander for n in range(800))
    assert len(seats) == players
    assert all(abs(count - 800 / players) < 5 * (800 / players) ** 0.5 for count in seats.values())


def test_jarvis_is_dealt_by_the_rules() -> None:
    for number in range(50):
        deal = random_deal(2, 0, 5, number).deal
        assert deal.jarvis == 1
        assert len(deal.columns) == 7
        assert all(beneath is not None for _, beneath in deal.columns)
        assert ROCKET_4 not in deal.hands[1]
        assert [len(hand) for hand in deal.hands] == [13, 14, 13]


def test_tasks_do_not_depend_on_players_or_hands() -> None:
    tasks = {random_deal(players, 5, 9, 4).tasks for players in (2, 3, 4, 5)}
    assert len(tasks) == 1
    holders = Counter(
        random_deal(4, 1, 2, n).deal.holder(random_deal(4, 1, 2, n).tasks[0]) for n in range(400)
    )
    assert all(60 < count < 140 for count in holders.values())


def test_tasks_are_colour_cards_of_the_deck() -> None:
    for number in range(40):
        full = random_deal(4, 36, 1, number)
        assert sorted(full.tasks) == list(range(36))
        challenge = random_deal(3, 27, 1, number, challenge=True)
        assert not set(challenge.tasks) & set(range(18, 27))
        assert challenge.deal.tricks == 10


def test_no_deal_is_repeated() -> None:
    deals = {str(random_deal(4, 0, seed, n).deal) for seed in (1, 2) for n in range(500)}
    assert len(deals) == 1000


def test_draw_order_is_a_permutation() -> None:
    assert sorted(draw_order(1)) == list(range(40))
    assert draw_order(1) != draw_order(2)
