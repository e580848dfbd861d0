"""Walking through a game: legal cards, many positions together, the margin."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from crewsolve.chance import Stream
from crewsolve.dealt import problem_of, text_of
from crewsolve.difficulty.choices import drafted, fixed
from crewsolve.difficulty.margin import walk
from crewsolve.files import read_blocks
from crewsolve.inputs import read_problem
from crewsolve.limits import Limits
from crewsolve.mission import find_mission, missions_of
from crewsolve.play import Play
from crewsolve.positions import Positions
from crewsolve.problem import Problem, attempt_of, given_choices
from crewsolve.referee import replay
from crewsolve.solver import solve

LIMITS = Limits(50_000, None, 200_000)
MISSIONS = missions_of("planet-nine")
TABLES = [(mission.number, players) for mission in MISSIONS for players in (2, 3, 4, 5)]


def tricks(problem: Problem, cards: list[int]) -> tuple[tuple[int, ...], ...]:
    seats = problem.deal.seats
    return tuple(tuple(cards[i : i + seats]) for i in range(0, len(cards), seats))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_play_agrees_with_the_referee(players: int) -> None:
    """Every legal card is accepted, every other card refused, draw and columns included."""
    rng = random.Random(players)
    for mission in MISSIONS:
        problem = fixed(problem_of(mission, players, 3, mission.number), 3, mission.number)
        attempt = attempt_of(problem, given_choices(problem))
        play, line = Play(problem), list[int]()
        while not play.over:
            legal = play.legal()
            other = rng.choice(range(40))
            for card in {rng.choice(legal), other}:
                report = replay(attempt, tricks(problem, [*line, card]))
                assert (report.outcome == "illegal") == (card not in legal)
            card = rng.choice(legal)
            play.put(card)
            line.append(card)
            if not play.table and replay(attempt, play.tricks).outcome != "unfinished":
                break


@pytest.mark.parametrize("part", range(8))
def test_positions_agree_with_the_solver(part: int) -> None:
    """Positions asked about together, in any order, have the verdicts that they have alone."""
    rng = random.Random(part)
    for _ in range(6):
        number, players = rng.choice(TABLES)
        problem = fixed(problem_of(find_mission(number), players, 9, part), 9, part)
        play, line = Play(problem), list[int]()
        asked: list[list[int]] = [[]]
        for _ in range(rng.randrange(2, 14)):
            asked += [[*line, card] for card in play.legal()]
            card = rng.choice(play.legal())
            play.put(card)
            line.append(card)
        rng.shuffle(asked)
        with Positions(problem, LIMITS) as positions:
            for cards in asked[:25]:
                alone = solve(replace(problem, played=tricks(problem, cards)), LIMITS)
                words = {True: "winnable", False: "unwinnable", None: "undecided"}
                assert words[positions.winnable(cards)] == alone.word, text_of(problem, cards)


@pytest.mark.parametrize(
    ("number", "players"), [(12, 2), (12, 4), (15, 3), (22, 5), (29, 4), (34, 2)]
)
def test_a_walk_judges_every_legal_card(number: int, players: int) -> None:
    deal = next(
        n
        for n in range(50)
        if solve(drafted(problem_of(find_mission(number), players, 4, n))).report
    )
    problem = drafted(problem_of(find_mission(number), players, 4, deal))
    found = walk(problem, LIMITS, Stream("walk", 4, deal))
    assert found.complete
    line = list(found.line)
    assert (
        replay(attempt_of(problem, given_choices(problem)), tricks(problem, line)).outcome == "won"
    )
    rng = random.Random(1)
    for decision in rng.sample(found.decisions, 6):
        assert line[decision.ply] in decision.winning
        assert set(decision.winning) <= set(decision.legal)
        assert len(decision.legal) > 1
        for card in decision.legal:
            played = tricks(problem, [*line[: decision.ply], card])
            word = solve(replace(problem, played=played), LIMITS).word
            assert (word == "winnable") == (card in decision.winning)
    again = walk(problem, LIMITS, Stream("walk", 4, deal))
    assert again == found


def test_text_of_a_problem_reads_back() -> None:
    for number, players in TABLES:
        mission = find_mission(number)
        for problem in (
            problem_of(mission, players, 2, 5),
            drafted(problem_of(mission, players, 2, 5)),
        ):
            (block,) = read_blocks(iter(text_of(problem).splitlines(keepends=True)), "test")
            read = read_problem(block.fields).problem
            assert read.deal == problem.deal
            assert [(t.card, t.token, t.owner) for t in read.tasks] == [
                (t.card, t.token, t.owner) for t in problem.tasks
            ]
            assert read.roles == problem.roles
            assert read.draw == problem.draw
