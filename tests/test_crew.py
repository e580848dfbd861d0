"""Crews that cannot see: what a seat knows, sampling, decisions without hidden cards, games."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from crewsolve.cards import card_name, cards_of, mask_of
from crewsolve.chance import random_deal
from crewsolve.cli.crew import command
from crewsolve.crew import deals
from crewsolve.crew.game import Game, play_game
from crewsolve.crew.players import Expert, Novice, Player, player_of
from crewsolve.crew.table import MARKERS, Said, Table, sayings
from crewsolve.crew.thumb import FEATURES, PHASES
from crewsolve.crew.weights import WEIGHTS, read_weights, write_weights
from crewsolve.deal import make_deal
from crewsolve.dealt import fields_of, problem_of
from crewsolve.difficulty.choices import drafted
from crewsolve.errors import InputError
from crewsolve.inputs import read_problem
from crewsolve.mission import find_mission, missions_of
from crewsolve.problem import Problem

from .conftest import rows

PLAYABLE = [m for m in missions_of("planet-nine") if not m.draw]
SMALL = "R4 P1 B5 | P2 B2 B4 | P3 B3 G1 | P4 B1 G2"


def plain(players: int, tasks: int, number: int) -> Problem:
    fields = fields_of(random_deal(players, tasks, 31, number), None, False, 31)
    return drafted(read_problem(fields).problem)


def random_table(number: int) -> Table:
    """A game in progress after random legal plays, with random communication."""
    rng = random.Random(number)
    table = Table.of(plain(rng.choice([3, 4, 5]), rng.choice([1, 4]), number))
    marked = rng.random() < 0.7
    silent = set(range(table.seats))
    for _ in range(rng.randrange(8 * table.seats + 1)):
        if table.between:
            for seat in [s for s in sorted(silent) if rng.random() < 0.4]:
                said = sayings(table.hand(seat), marked)
                if said:
                    card, mark = rng.choice(said)
                    table.say(Said(table.trick + 1, seat, card, MARKERS[mark]))
                    silent.discard(seat)
        if table.outcome:
            break
        hand = cards_of(table.hand(table.seat))
        offset = table.ply % table.seats
        led = int(table.real.line[table.ply - offset]) // 9 if offset else -1
        table.play(rng.choice([c for c in hand if c // 9 == led] or list(hand)))
    return table


def sample(table: Table, seat: int, count: int) -> tuple[float, deals.Masks]:
    """Deals that a seat holds possible."""
    worlds = np.zeros((count, 5), dtype=np.uint64)
    rng = np.array([count * 7919 + 1], dtype=np.uint64)
    number = deals.draw_many(
        seat, np.uint64(table.hand(seat)), table.seats, table.sight, table.private[seat],
        deals.chances(), rng, worlds,
    )  # fmt: skip
    return float(number), worlds


def possible(table: Table, seat: int) -> list[tuple[int, ...]]:
    """The same by enumeration, from the rules of knowledge written here once more."""
    sight = table.sight
    others = [q for q in range(table.seats) if q != seat]
    unseen = mask_of(c for q in others for c in cards_of(table.hand(q)))
    found: list[tuple[int, ...]] = []

    def go(place: int, left: int, hands: tuple[int, ...]) -> None:
        if place == len(others):
            if not left:
                found.append(hands)
            return
        q = others[place]
        sure = int(sight.known[q])
        free = cards_of(left & int(sight.can[q]) & ~sure)
        if sure & ~left:
            return
        for chosen in combinations(free, int(sight.size[q]) - sure.bit_count()):
            hand = mask_of(chosen) | sure
            if agrees(hand, q):
                go(place + 1, left & ~hand, (*hands, hand))

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

    go(0, unseen, ())
    return found


@pytest.mark.parametrize("number", range(60))
def test_the_true_deal_is_always_possible(number: int) -> None:
    table = random_table(number)
    if table.outcome:
        return
    sight = table.sight
    hands = [table.hand(q) for q in range(table.seats)]
    for q, hand in enumerate(hands):
        assert hand & int(sight.known[q]) == int(sight.known[q])
        assert hand & ~int(sight.can[q]) == 0
        assert hand.bit_count() == sight.size[q]
        assert not any(int(sight.can[r]) & int(sight.known[q]) for r in range(5) if r != q)
    for seat in range(table.seats):
        truth = np.array(hands + [0] * (5 - len(hands)), dtype=np.uint64)
        assert deals._fits(seat, table.seats, sight, truth)
        number_of_deals, worlds = sample(table, seat, 20)
        assert number_of_deals >= 1
        for world in worlds:
            assert int(world[seat]) == hands[seat]
            assert sum(int(hand) for hand in world) == sum(hands)
            for q in range(table.seats):
                assert int(world[q]).bit_count() == sight.size[q]
                assert int(world[q]) & ~int(sight.can[q]) == 0


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
    fields = {"deal": SMALL, "deck": "partial", "tasks": "G2@1"}
    table = Table.of(read_problem(fields).problem)
    for q, card, marker in said:
        table.say(Said(1, q, next(c for c in range(40) if card_name(c) == card), marker))
    for card in played.replace("/", "").split():
        table.play(next(c for c in range(40) if card_name(c) == card))
    expected = possible(table, seat)
    number, worlds = sample(table, seat, 400 * len(expected))
    assert number >= len(expected)
    others = [q for q in range(4) if q != seat]
    counts = Counter(tuple(int(world[q]) for q in others) for world in worlds)
    assert set(counts) == set(expected)
    square = sum((counts[deal] - 400) ** 2 / 400 for deal in expected)
    freedom = len(expected) - 1
    assert square <= freedom + 5 * (2 * freedom + 1) ** 0.5  # five standard deviations


@pytest.mark.parametrize("number", range(30))
def test_counts_of_deals_are_exact(number: int) -> None:
    table = random_table(1000 + number)
    if table.outcome or sum(table.hand(q).bit_count() for q in range(1, table.seats)) > 9:
        return
    table.sight.said[:] = -1
    assert sample(table, 0, 1)[0] == pytest.approx(len(possible(table, 0)))


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("player", [Novice(), Expert(5, 32), Expert(5, 32, trust=0.5)])
def test_decisions_do_not_depend_on_hidden_cards(number: int, player: Player) -> None:
    table = random_table(2000 + number)
    if table.outcome:
        return
    seat, seats = table.seat, table.seats
    choices = set()
    for world in [[table.hand(q) for q in range(seats)], *sample(table, seat, 3)[1].tolist()]:
        other = _same_story(table, [int(hand) for hand in world[:seats]])
        player.begin(other)
        said = player.saying(other, seat, True) if other.between else None
        choices.add((said, player.card(other, seat)))
    assert len(choices) == 1


def _same_story(table: Table, hands: list[int]) -> Table:
    """The game with other hands now, but all that was played and said the same."""
    played = [int(c) for c in table.real.line[: table.ply]]
    dealt = [set(cards_of(hand)) for hand in hands]
    for ply, card in enumerate(played):
        trick = ply // table.seats
        leader = int(table.real.state.leaders[trick])
        dealt[(leader + ply % table.seats) % table.seats].add(card)
    deal = make_deal([sorted(hand) for hand in dealt])
    assert deal is not None
    other = Table.of(replace(table.problem, deal=deal))
    for card in played:
        other.play(card)
    for mine, theirs in zip(other.sight, table.sight, strict=True):
        mine[:] = theirs
    other.real.past[:] = table.real.past
    return other


def _play(problem: Problem, player: Player, talk: bool = True) -> Game:
    return play_game(problem, player, talk)


@pytest.mark.parametrize("mission", PLAYABLE, ids=lambda m: str(m.number))
def test_missions_are_played_by_the_rules(mission: Any) -> None:
    for players in (3, 4, 5):
        problem = drafted(problem_of(mission, players, 9, mission.number))
        player: Player = Expert(1, 32) if players == 3 + mission.number % 3 else Novice()
        game = _play(problem, player)
        assert game.report.outcome in ("won", "lost")
        assert len({said.seat for said in game.said}) == len(game.said)
        for said in game.said:
            assert said.card < 36
            assert said.trick >= mission.disruption
            assert (said.marker == "card") == mission.dead_zone
            _check_marker(game, said)
        if mission.silent:
            assert len(game.said) < problem.deal.seats


def _check_marker(game: Game, said: Said) -> None:
    """The card was the highest, lowest or only one of its colour in the hand at that time."""
    hand = set(game.problem.deal.hands[said.seat])
    for trick in game.report.line[: said.trick - 1]:
        hand -= set(trick)
    suit = [c for c in hand if c // 9 == said.card // 9]
    assert said.card in suit
    if said.marker == "only":
        assert len(suit) == 1
    else:
        assert said.marker == "card" or len(suit) > 1
        assert said.card in {"highest": [max(suit)], "lowest": [min(suit)]}.get(
            said.marker, [min(suit), max(suit)]
        )


def test_a_seed_gives_the_same_game() -> None:
    problem = plain(4, 4, 3)
    games = [_play(problem, player_of("expert", 4, 64)) for _ in range(2)]
    assert games[0].report == games[1].report
    assert games[0].said == games[1].said
    player = player_of("expert", 4, 64)
    _play(plain(5, 3, 9), player)
    assert _play(problem, player).report == games[0].report


def test_seconds_limit_a_game() -> None:
    game = _play(plain(4, 6, 5), player_of("expert", 1, seconds=0.5))
    assert game.seconds < 5


def test_experts_beat_novices() -> None:
    problems = [read_problem(row).problem for row in rows("real_deals.jsonl")][:80]
    problems = [p for p in problems if len(p.tasks) == 6 and p.sharing is None]
    home = {
        level: sum(_play(p, player_of(level, 1, 64)).home for p in problems)
        for level in ("novice", "expert")
    }
    assert home["expert"] > home["novice"]


def test_a_passed_card_is_known_to_its_giver_only() -> None:
    fields = fields_of(random_deal(4, 2, 31, 1), None, True, 31)
    deal = read_problem(fields).problem.deal
    given = [next(c for c in hand if c < 36) for hand in deal.hands]
    shown = " ".join(map(card_name, given))
    table = Table.of(read_problem({**fields, "pass": f"left {shown}"}).problem)
    for world in sample(table, 0, 50)[1]:
        assert int(world[1]) >> given[0] & 1
    holders = {
        q for world in sample(table, 2, 200)[1] for q in range(4) if int(world[q]) >> given[0] & 1
    }
    assert holders >= {0, 1, 3} or table.hand(2) >> given[0] & 1
    _play(table.problem, Novice())


@pytest.mark.parametrize(("mission", "players"), [(12, 4), (4, 2)])
def test_what_crews_do_not_play_is_refused(mission: int, players: int) -> None:
    problem = drafted(problem_of(find_mission(mission), players, 1, 0))
    with pytest.raises(InputError, match=f"mission {mission}"):
        _play(problem, Novice())


def test_weights_name_every_feature() -> None:
    assert WEIGHTS.shape == (len(PHASES), len(FEATURES))
    assert np.array_equal(read_weights(write_weights(WEIGHTS)), WEIGHTS)


def run(*args: str, stdin: str = "") -> tuple[int, list[dict[str, Any]], str]:
    result = CliRunner().invoke(command, args, input=stdin, standalone_mode=False)
    if result.exception:
        raise result.exception
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return int(result.return_value), lines, result.output


def test_command_plays_files() -> None:
    deal = f'{{"id": "a", "deal": "{SMALL}", "deck": "partial", "tasks": "%s"}}'
    code, games, text = run("-", "--json", "--worlds", "32", stdin="\n".join([
        deal % "G2@1", deal % "G2 B3", deal % "G2@1 B3", '{"deal": "P1"}',
    ]))  # fmt: skip
    assert code == 2
    assert [game["id"] for game in games] == ["a", "a"]
    assert {"won", "line", "communicated", "seconds"} <= games[0].keys()
    assert "some have an owner" in text


def test_command_shows_a_game() -> None:
    code, _, text = run("--mission", "14", "--players", "4", "--level", "novice")
    assert code == 0
    assert "before trick 1 seat" in text
    assert " in trick " in text
    _, _, mute = run("--mission", "14", "--level", "novice", "--communication", "off")
    assert "before trick" not in mute
