"""Crews that cannot see: what a seat knows, sampling, decisions without hidden cards, games."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from crewsolve.chance import random_deal
from crewsolve.cli.crew import command
from crewsolve.crew.game import Game, play_game
from crewsolve.crew.players import WAYS, Expert, Novice, Player, player_of
from crewsolve.crew.table import Said
from crewsolve.crew.thumb import FEATURES, PHASES
from crewsolve.crew.weights import WEIGHTS, read_weights, write_weights
from crewsolve.dealt import fields_of, problem_of
from crewsolve.difficulty.choices import drafted
from crewsolve.errors import InputError
from crewsolve.inputs import read_problem
from crewsolve.mission import find_mission, missions_of
from crewsolve.problem import Problem

from .conftest import rows

SMALL = "R4 P1 B5 | P2 B2 B4 | P3 B3 G1 | P4 B1 G2"


def plain(players: int, tasks: int, number: int) -> Problem:
    fields = fields_of(random_deal(players, tasks, 31, number), None, False, 31)
    return drafted(read_problem(fields).problem)


def _play(problem: Problem, player: Player, talk: bool = True) -> Game:
    return play_game(problem, player, talk)


@pytest.mark.parametrize("mission", missions_of("planet-nine"), ids=lambda m: str(m.number))
def test_missions_are_played_by_the_rules(mission: Any) -> None:
    for players in (3, 4, 5) if mission.draw else (2, 3, 4, 5):
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
    drawn = game.report.drawn
    if drawn is not None and said.trick > 1:
        hand = hand - {drawn[said.seat]} | {drawn[said.seat - 1]}
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


@pytest.mark.parametrize("distress", ["none", "best"])
def test_seconds_limit_a_game_with_all_that_is_said(distress: Any) -> None:
    problem = replace(plain(4, 6, 5), distress=distress)
    _play(problem, player_of("expert", 1, 32))  # compiles
    for seconds in (0.3, 1.0):
        game = _play(problem, player_of("expert", 1, seconds=seconds))
        assert game.seconds < seconds + 0.5
    assert _play(problem, player_of("expert", 1, seconds=1e-9)).seconds < 0.5


def test_beliefs_are_the_shares_of_possible_deals() -> None:
    problem = plain(4, 4, 3)
    game = play_game(problem, Novice(), False, beliefs=True)
    assert game.beliefs is not None
    assert game.report == play_game(problem, Novice(), False).report
    assert {b.trick for b in game.beliefs} == set(range(1, len(game.report.tricks) + 1))
    gone: set[int] = set()
    for belief in game.beliefs:
        if belief.seat == 0:
            gone = {c for trick in game.report.line[: belief.trick - 1] for c in trick}
        pending = [task.card for task in problem.tasks if task.card not in gone]
        assert [card for card, _ in belief.holders] == pending
        assert 0 <= belief.win <= 1
        for card, shares in belief.holders:
            truth = problem.deal.holder(card)
            assert truth in dict(shares)
            assert sum(dict(shares).values()) == pytest.approx(1)
            assert (belief.seat in dict(shares)) == (belief.seat == truth)
            if belief.trick == 1 and truth != belief.seat:
                assert all(0.2 < share < 0.47 for share in dict(shares).values())


def test_experts_beat_novices() -> None:
    problems = [read_problem(row).problem for row in rows("real_deals.jsonl")][:80]
    problems = [p for p in problems if len(p.tasks) == 6 and p.sharing is None][:25]
    home = {
        level: sum(_play(p, player_of(level, 1, 64)).home for p in problems)
        for level in ("novice", "expert")
    }
    assert home["expert"] > home["novice"]


def test_what_crews_do_not_play_is_refused() -> None:
    problem = drafted(problem_of(find_mission(12), 2, 1, 0))
    with pytest.raises(InputError, match="mission 12"):
        _play(problem, Novice())


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("level", ["novice", "expert"])
def test_a_crew_passes_cards(players: int, level: str) -> None:
    ways = set()
    for number in range(6):
        problem = drafted(problem_of(find_mission(10), players, 9, number))
        for distress in ("left", "best"):
            asked = replace(problem, distress=distress)
            game = _play(asked, player_of(level, 1, 32))
            assert game.report.outcome in ("won", "lost")
            passed = game.problem.passed
            way = "none" if passed is None else passed.direction
            ways.add(way)
            if distress == "left":
                assert (game.votes, way) == ((), "left")
            else:
                jarvis = problem.deal.jarvis
                assert [v is None for v in game.votes] == [
                    seat == jarvis for seat in range(problem.deal.seats)
                ]
                assert game.votes.count(way) == max(map(game.votes.count, (*WAYS, "none")))
            assert _play(asked, player_of(level, 1, 32)).report == game.report
    assert len(ways) > 1  # votes differ from deal to deal


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
    asked = ("--mission", "14", "--players", "4", "--level", "novice")
    code, _, text = run(*asked)
    assert code == 0
    assert "win" in text
    assert "has it" in text
    assert "won in trick" in text or "lost in trick" in text
    _, _, short = run(*asked, "--no-beliefs")
    assert "before trick 1 seat" in short
    assert "has it" not in short
    _, _, mute = run(*asked, "--communication", "off", "--no-beliefs")
    assert "before trick" not in mute
    _, _, passed = run(*asked, "--distress", "left")
    assert "everybody passes to the left" in passed
    _, games, _ = run(*asked, "--json", "--beliefs", "--distress", "best")
    assert games[0]["beliefs"][0]["holders"].keys() <= {t["card"] for t in games[0]["tasks"]}
    assert len(games[0]["votes"]) == 4
