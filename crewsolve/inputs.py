"""From the fields of an input (text, JSON or TOML) to a `Problem`, with every fault at once.

Fields are those of the JSON form; values may be text or structured. What each may hold is said
at its reader in `values`. Fields that only annotate (note, source, ...) are let through, but a name
that looks like a misspelt field is refused.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .cards import ROCKET, Card, Seat, card_name, names, suit_of
from .chance import draw_order
from .deal import DECKS, Deal, Deck, make_deal
from .errors import Faults, InputError
from .goal_spec import read_goals
from .goals import Goal, Role, Task
from .mission import Mission, find_mission
from .notation import TaskText
from .problem import (
    DISTRESS,
    Direction,
    Draw,
    Problem,
    Sharing,
    attempt_of,
    draft_quotas,
    given_choices,
)
from .referee import replay
from .sea_inputs import Sea, read_sea
from .settings import merge_settings, read_settings
from .values import (
    Fields,
    read_cards,
    read_choice,
    read_hands,
    read_line,
    read_move,
    read_pair,
    read_pass,
    read_sea_tasks,
    read_seat,
    read_tasks,
    read_truth,
)

FIELDS = (
    "id game hands deal tasks mission deck chosen leader commander settings owners distress played "
    "rocket-tasks goal pass swap move draw line solution expect unique"
).split()
_ANNOTATIONS = (
    "note source family case also bots title author comment description tags date url schema "
    "version players number seed difficulty published-sat-cpu-s"
).split()


@dataclass(frozen=True)
class Entry:
    """A problem as read, with what the author says of it.

    expect: the verdict that the author expects, or None. line: a line of play to verify, or None.
    """

    problem: Problem
    expect: str | None
    line: tuple[tuple[Card, ...], ...] | None


def _check_names(fields: Fields, faults: Faults) -> None:
    """No field is silently without effect."""
    for name in (str(key).replace("_", "-") for key in fields):
        if name in FIELDS or name in _ANNOTATIONS or name.startswith("x-"):
            continue
        near = difflib.get_close_matches(name, FIELDS, n=1, cutoff=0.75)
        hint = f"did you mean {near[0]}?" if near else "fields of your own begin with x-"
        faults.add(name, "no such field", hint)
    for one, other in (("hands", "deal"), ("line", "solution")):
        if fields.get(one) is not None and fields.get(other) is not None:
            faults.add(one, f"stands beside {other}, which says the same", "leave one of them out")


def merged(fields: Fields, overrides: Fields) -> dict[str, Any]:
    """Fields with others in their place; settings are merged one by one (or InputError)."""
    both = {**fields, **overrides}
    if fields.get("settings") is not None and overrides.get("settings") is not None:
        faults = Faults()
        both["settings"] = merge_settings(fields["settings"], overrides["settings"], faults)
        faults.check()
    return both


def _check_tasks(
    texts: list[TaskText], deal: Deal, mission: Mission | None, rocket_tasks: bool, faults: Faults
) -> tuple[Task, ...]:
    """Tasks against deal and mission; tokens not written go to the tasks in listed order."""
    seen: set[Card] = set()
    tokens: set[str] = set()
    for task in texts:
        where = f"tasks, {card_name(task.card)}"
        if task.card in seen:
            faults.add(where, "stands twice")
        seen.add(task.card)
        if not deal.mask >> task.card & 1:
            faults.add(where, "is in no hand", "a task card must be in the deck")
        if suit_of(task.card) == ROCKET and not rocket_tasks:
            faults.add(
                where, "a rocket is no task in the printed game", "a puzzle says rocket-tasks: yes"
            )
        if task.owner is not None and task.owner >= deal.seats:
            faults.add(where, f"owner {task.owner + 1}: there are {deal.seats} seats")
        if task.token is not None and task.token in tokens:
            faults.add(where, f"token {task.token} stands twice")
        if task.token is not None and task.token.isdigit() and int(task.token) > len(texts):
            faults.add(where, f"token {task.token} with {len(texts)} tasks can never be in order")
        tokens.add(task.token or "")
    printed = mission.tokens if mission is not None else ()
    tokens.discard("")
    if mission is not None:
        _check_count(mission, deal, len(texts), tokens, faults)
    if not tokens:
        texts = [
            replace(t, token=printed[n] if n < len(printed) else None) for n, t in enumerate(texts)
        ]
    return tuple(Task(t.card, t.token, t.owner) for t in texts)


def _check_count(
    mission: Mission, deal: Deal, count: int, tokens: set[str], faults: Faults
) -> None:
    """A mission's number of tasks and its tokens; a partial deck may have fewer of both."""
    partial = deal.deck == "partial"
    if count != mission.tasks and not partial:
        hint = f"name {mission.tasks} cards" if mission.tasks else "it has goals of its own"
        if mission.difficulty or mission.task_cards:
            hint = "name task cards: T017 T055@2"
        faults.add("tasks", f"{count} named; mission {mission.number} has {mission.tasks}", hint)
    right = " ".join(mission.tokens) or "none"
    if mission.layout is not None and not all(token.isdigit() for token in tokens):
        faults.add(
            "tasks", f"tokens {' '.join(sorted(tokens))}", f"mission {mission.number}: {right}"
        )
    elif tokens and not partial and tokens != set(mission.tokens):
        hint = f"mission {mission.number} has {right}; tokens left out lie in order"
        faults.add("tasks", f"tokens {' '.join(sorted(tokens))}", hint)


def _eligible(deal: Deal, settings: Mapping[str, str]) -> tuple[Seat, ...]:
    """Who may be named by the commander: everybody else, and himself by a setting."""
    may = settings.get("commander-chosen") == "may"
    return tuple(seat for seat in range(deal.seats) if may or seat != deal.commander)


def _sharing(
    fields: Fields,
    tasks: tuple[Task, ...],
    deal: Deal,
    mission: Mission | None,
    chosen: tuple[Seat, ...] | None,
    settings: Mapping[str, str],
    faults: Faults,
) -> tuple[tuple[Task, ...], Sharing | None]:
    """Which owners are still open, and how they may be shared out."""
    owners = read_choice(fields, "owners", ("given", "best"), "", faults)
    if owners == "best":
        tasks = tuple(replace(task, owner=None) for task in tasks)
    unowned = [task.card for task in tasks if task.owner is None]
    if owners == "given" and unowned:
        faults.add("owners", f"given, but {names(unowned)} has none", "write CARD@SEAT")
    if not unowned:
        if mission is not None and deal.deck != "partial" and fields.get("move") is None:
            _check_owners(tasks, deal, mission, settings, faults)
            _check_receiver(tasks, chosen, mission, faults)
        return tasks, None
    kind: Any = "draft" if mission is None or mission.sharing == "none" else mission.sharing
    moved = fields.get("move") is not None
    hand_on = mission is not None and mission.hand_on and deal.seats == 5 and not moved
    receivers: tuple[Seat, ...] = ()
    if kind == "decision":
        receivers = chosen or _eligible(deal, settings)
    return tasks, Sharing(kind, receivers, hand_on)


def _check_owners(
    tasks: tuple[Task, ...],
    deal: Deal,
    mission: Mission,
    settings: Mapping[str, str],
    faults: Faults,
) -> None:
    """Owners that the mission's way of sharing out can lead to, a task handed on included."""
    counts = [sum(task.owner == seat for task in tasks) for seat in range(deal.seats)]
    hand_on = int(mission.hand_on and deal.seats == 5)
    if mission.sharing == "decision":
        takers = [counts[seat] for seat in _eligible(deal, settings)]
        right = "one member, not the commander, takes them all"
        fits = max(takers) >= len(tasks) - hand_on
    elif mission.sharing == "distribution":
        low, extra = divmod(len(tasks), deal.seats)
        right = "nobody ends two ahead of another"
        fits = sum(max(0, n - low) for n in counts) <= extra + hand_on and max(counts) <= low + 2
        fits = fits and (hand_on == 1 or max(counts) - min(counts) <= 1)
    else:
        quotas = draft_quotas(len(tasks), deal.seats, deal.commander)
        right = f"a draft gives {'/'.join(map(str, quotas))} by seat"
        fits = sum(max(0, n - q) for n, q in zip(counts, quotas, strict=True)) <= hand_on
    if not fits:
        said = f"{'/'.join(map(str, counts))} tasks by seat cannot come of mission {mission.number}"
        faults.add("owners", said, right)


def _check_receiver(
    tasks: tuple[Task, ...], chosen: tuple[Seat, ...] | None, mission: Mission, faults: Faults
) -> None:
    """The member chosen to take all tasks has them, but for one handed on."""
    if mission.sharing == "decision" and chosen:
        others = [task.card for task in tasks if task.owner not in chosen]
        if len(others) > mission.hand_on:
            faults.add("chosen", f"seat {chosen[0] + 1} takes all, but others own {names(others)}")


def _chosen(
    fields: Fields, deal: Deal, mission: Mission | None, settings: Mapping[str, str], faults: Faults
) -> tuple[Seat, ...] | None:
    """Members chosen already: a seat number, a list of them, or text like ``2, 3``."""
    value = fields.get("chosen")
    if value is None or value == []:
        return None
    items = value if isinstance(value, list) else re.split(r"[\s,]+", str(value).strip())
    seats = [read_seat(item, "chosen", faults) for item in items]
    found = tuple(seat for seat in seats if seat is not None)
    decision = mission is not None and mission.sharing == "decision"
    expected = 1 if decision else mission.chosen if mission is not None else 0
    if len(found) != expected:
        faults.add("chosen", f"{len(found)} members; this mission chooses {expected}")
        return None
    for seat in found:
        if seat >= deal.seats:
            faults.add("chosen", f"seat {seat + 1}: there are {deal.seats} seats")
        elif expected == 1 and seat not in _eligible(deal, settings):
            faults.add(
                "chosen", f"seat {seat + 1} is the commander", "another member must be chosen"
            )
    if len(set(found)) < len(found):
        faults.add("chosen", "one member twice", "the roles go to different members")
    return found


def roles_of(
    deal: Deal,
    mission: Mission | None,
    chosen: tuple[Seat, ...] | None,
    settings: Mapping[str, str],
) -> tuple[tuple[Seat, ...], ...]:
    """Candidates for each chosen member whom the goals bind."""
    if mission is None or mission.silent or not mission.chosen:
        return ()
    if chosen is not None:
        return tuple((seat,) for seat in chosen)
    pair = mission.chosen > 1  # mission 50: the commander may take any role
    candidates = tuple(range(deal.seats)) if pair else _eligible(deal, settings)
    return (candidates,) * mission.chosen


def _apply_swap(
    tasks: tuple[Task, ...], swap: tuple[Card, Card] | None, mission: Mission | None, faults: Faults
) -> tuple[Task, ...]:
    """Tasks after two tokens changed places, or one went to a task without one."""
    if swap is None:
        return tasks
    token = {task.card: task.token for task in tasks}
    if mission is None or mission.layout is None:
        faults.add("swap", "this mission allows no change of tokens", "missions 23 and 40 do")
    elif not set(swap) <= token.keys() or swap[0] == swap[1]:
        faults.add("swap", f"{names(swap)} are not two of the tasks")
    elif mission.layout == "swap" and None in [token[card] for card in swap]:
        faults.add("swap", "two tokens change places", "name two tasks with tokens")
    elif mission.layout == "move" and [token[card] is None for card in swap] != [False, True]:
        faults.add(
            "swap", "a token moves to a task without one", "name the task with the token first"
        )
    else:
        token[swap[0]], token[swap[1]] = token[swap[1]], token[swap[0]]
    return tuple(replace(task, token=token[task.card]) for task in tasks)


def _apply_move(
    tasks: tuple[Task, ...],
    move: tuple[Card, Seat, Seat] | None,
    deal: Deal,
    mission: Mission | None,
    faults: Faults,
) -> tuple[Task, ...]:
    """Tasks after one was handed on."""
    if move is None:
        return tasks
    card, giver, taker = move
    if mission is None or not mission.hand_on or deal.seats != 5:
        faults.add(
            "move", "no task may be handed on here", "five players, missions from 25 on with tasks"
        )
    elif Task(card, next((t.token for t in tasks if t.card == card), None), giver) not in tasks:
        faults.add("move", f"seat {giver + 1} has no task {card_name(card)}")
    elif taker >= deal.seats or taker == giver:
        faults.add("move", f"seat {taker + 1} cannot take it")
    return tuple(replace(task, owner=taker) if task.card == card else task for task in tasks)


def _draw(
    value: Any, deal: Deal, mission: Mission | None, settings: Mapping[str, str], faults: Faults
) -> Draw | None:
    """Mission 12's draw; a given one is the cards by giver."""
    if mission is None or not mission.draw:
        if value is not None:
            faults.add("draw", "only mission 12 has a draw")
        return None
    seed = int(settings.get("draw-seed", "1"))
    cards = None if value is None else tuple(read_cards(value, "draw", faults))
    if cards is not None and len(cards) != deal.seats:
        faults.add(
            "draw", f"{len(cards)} cards for {deal.seats} seats", "the card that each seat loses"
        )
    mode: Any = settings["draw"] if cards is None else "seeded"
    return Draw(mode, draw_order(seed), seed, cards)


def _read_mission(fields: Fields, sea: bool, faults: Faults) -> Mission | None:
    """The mission that is named; task cards of Mission Deep Sea say which game is meant."""
    value = fields.get("mission")
    game = fields.get("game") or ("deep-sea" if sea else "planet-nine")
    if value is None:
        return None
    try:
        mission = find_mission(str(value), str(game))
    except InputError as error:
        faults.extend(error.faults)
        return None
    if sea and mission.game != "deep-sea":
        faults.add("tasks", f"task cards of deep-sea; the mission is {mission.name}")
    return mission


def _goals(
    fields: Fields, deal: Deal, mission: Mission | None, settings: Mapping[str, str], faults: Faults
) -> tuple[Goal, ...]:
    extra = read_goals(fields["goal"], "goal", {}, faults) if fields.get("goal") else ()
    bound = (
        [spec.bind(deal, settings, faults, f"mission {mission.number}") for spec in mission.goals]
        if mission
        else []
    )
    bound += [spec.bind(deal, settings, faults, "goal") for spec in extra]
    goals = tuple(goal for goal in bound if goal is not None)
    roles = mission.chosen if mission is not None and not mission.silent else 0
    for goal in goals:
        if isinstance(goal.who, Role) and goal.who.number >= roles:
            faults.add(
                "goal", "binds a chosen member, but nobody is chosen here", "name a seat: who = 2"
            )
    return goals


def read_problem(fields: Fields, number: int = 1) -> Entry:
    """The problem of an input's fields; InputError with every fault.

    number: place in the batch, the id where none is given.
    """
    faults = Faults()
    _check_names(fields, faults)
    deck: Any = read_choice(fields, "deck", DECKS, "full", faults)
    value = fields.get("tasks")
    sea_texts = None if value is None else read_sea_tasks(value, faults)
    mission = _read_mission(fields, sea_texts is not None, faults)
    deal = _read_deal(fields, deck, faults)
    texts = [] if value is None or sea_texts is not None else read_tasks(value, faults)
    settings = read_settings(fields.get("settings"), mission, faults)
    line_value = fields.get("line") if fields.get("line") is not None else fields.get("solution")
    line = None if line_value is None else read_line(line_value, "line", faults)
    played = () if fields.get("played") is None else read_line(fields["played"], "played", faults)
    expect = fields.get("expect")
    if expect not in (None, "winnable", "unwinnable", "undecided", "error"):
        faults.add("expect", f"{expect!r} is not a verdict", "winnable or unwinnable")
    if deal is None:
        faults.check()
        raise AssertionError("a deal is missing only with a fault")
    sea = Sea()
    if sea_texts is not None or (mission is not None and mission.game == "deep-sea" and not texts):
        sea = read_sea(sea_texts or [], deal, mission, settings, fields.get("owners"), faults)
    problem = _assemble(fields, deal, mission, texts, sea, settings, played, faults)
    faults.check()
    assert problem is not None
    identity = fields.get("id")
    problem = replace(problem, id=_printable(str(number if identity is None else identity)))
    _check_played(problem)
    return Entry(problem, expect, line)


def _printable(text: str) -> str:
    """Text that a terminal can be given: no control characters, no lone surrogates."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _read_deal(fields: Fields, deck: Deck, faults: Faults) -> Deal | None:
    value = fields.get("hands") if fields.get("hands") is not None else fields.get("deal")
    commander = read_seat(fields.get("commander"), "commander", faults)
    leader = read_seat(fields.get("leader"), "leader", faults)
    if value is None:
        faults.add("deal", "no hands", "deal: P139 B24 ... | ... | ...")
        return None
    noted = len(faults)
    hands, jarvis = read_hands(value, deck, faults)
    broken = len(faults) > noted
    sink = Faults() if broken else faults
    deal = make_deal(hands, jarvis, deck, commander, leader, sink)
    players = fields.get("players")
    if players is not None and str(players) != str(len(hands) - len(jarvis)):
        faults.add("players", f"{players}, but {len(hands) - len(jarvis)} people hold cards")
    if broken:
        # A card that could not be read is missing too; only what is wrong besides that is told.
        faults.extend(f for f in sink if "stands" in f.what)
        return None
    return deal


def _assemble(
    fields: Fields,
    deal: Deal,
    mission: Mission | None,
    texts: list[TaskText],
    sea: Sea,
    settings: Mapping[str, str],
    played: tuple[tuple[Card, ...], ...],
    faults: Faults,
) -> Problem | None:
    """Everything that needs the deal; None once faults are noted."""
    tasks = _check_tasks(
        texts, deal, mission, read_truth(fields.get("rocket-tasks"), "rocket-tasks", faults), faults
    )
    swap = read_pair(fields.get("swap"), "swap", faults)
    move = read_move(fields.get("move"), faults)
    tasks = _apply_swap(tasks, swap, mission, faults)
    tasks = _apply_move(tasks, move, deal, mission, faults)
    chosen = _chosen(fields, deal, mission, settings, faults)
    tasks, sharing = _sharing(fields, tasks, deal, mission, chosen, settings, faults)
    passed = read_pass(fields.get("pass"), deal.seats, faults)
    distress: Any = read_choice(fields, "distress", DISTRESS, "none", faults)
    if passed is not None and distress not in ("none", "best", passed.direction):
        faults.add("distress", f"{distress}, but the pass given goes {passed.direction}")
    goals = _goals(fields, deal, mission, settings, faults) + sea.goals
    if not goals and not tasks and not sea.tasks and not faults:
        if mission is not None and mission.tasks:
            said = f"none named; mission {mission.number} has {mission.tasks}"
            faults.add("tasks", said, "tasks: P9 B3 ...")
        else:
            faults.add("problem", "nothing has to happen", "give tasks, a mission, or goals")
    open_layout = mission is not None and swap is None and sharing is not None and not played
    problem = Problem(
        id="",
        deal=deal,
        mission=mission,
        tasks=tasks,
        goals=goals,
        sharing=sea.sharing if sea.tasks else sharing,
        roles=sea.roles or roles_of(deal, mission, chosen, settings),
        layout=mission.layout if mission is not None and open_layout else None,
        distress=distress,
        passed=passed,
        draw=_draw(fields.get("draw"), deal, mission, settings, faults),
        played=played,
        last_in_last=mission is not None and mission.last_in_last,
        silent=chosen if chosen and mission is not None and mission.silent else (),
        settings=tuple(sorted(settings.items())),
        swap=swap,
        moved=move,
        sea=sea.tasks,
    )
    _check_freedoms(problem, faults)
    return None if faults else problem


def _check_freedoms(problem: Problem, faults: Faults) -> None:
    """Freedoms that cannot be used here."""
    if problem.passed is None and problem.distress in ("left", "right"):
        for seat in problem.givers():
            if not problem.passable(seat):
                faults.add("distress", f"seat {seat + 1} holds no colour card that it could pass")
    _check_draw(problem, faults)
    if not problem.played:
        return
    free = "is fixed once a card is played"
    unowned = [card_name(task.card) for task in problem.tasks if task.owner is None]
    unowned += [task.card.id for task in problem.sea if task.owner is None]
    if unowned:
        faults.add("owners", f"the owner of {' '.join(unowned)} {free}", "write TASK@SEAT")
    elif any(len(seats) > 1 for seats in problem.roles):
        faults.add("chosen", f"the choice {free}", "name it with chosen")
    if problem.pass_open:
        faults.add("distress", f"a pass {free}", "give the pass that was made: pass: left P3 ...")
    draw = problem.draw
    late = draw is not None and draw.cards is None and len(problem.played) > 1
    if late and draw is not None and draw.mode != "seeded":
        faults.add("draw", "trick 1 is over, so the draw is known", "name the cards: draw: G1 ...")


def _check_draw(problem: Problem, faults: Faults) -> None:
    """A given draw takes from each seat a card that it can hold then."""
    draw, passed = problem.draw, problem.passed
    if draw is None or draw.cards is None:
        return
    for seat, card in enumerate(draw.cards):
        near = {seat}
        if passed is not None or problem.distress != "none":
            way = passed.direction if passed is not None else None
            ways: tuple[Direction, ...] = (way,) if way is not None else ("left", "right")
            givers = problem.givers()
            near |= {s for s in givers for w in ways if problem.neighbour(s, w) == seat}
        if not any(card in problem.deal.hands[s] for s in near):
            faults.add(
                "draw", f"seat {seat + 1} cannot lose {card_name(card)}: it does not hold it"
            )


def _check_played(problem: Problem) -> None:
    """Cards played so far must be legal; the trick that does not fit is named."""
    if not problem.played and problem.passed is None:
        return
    choices = given_choices(problem)
    if problem.sharing is not None:
        choices = replace(choices, tasks=())
    report = replay(attempt_of(problem, choices), problem.played)
    if report.unread and report.outcome != "illegal":
        over = f"the attempt was {report.outcome} in trick {report.trick}"
        raise InputError.one(
            "played", f"{over}, and {report.unread} cards follow", "leave them out"
        )
    if report.outcome == "illegal":
        where = f"played, trick {report.trick}, card {report.card}" if report.trick else "pass"
        raise InputError.one(where, report.reason)
