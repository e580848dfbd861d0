"""A made-up report of full size, the same for the same seed: shapes are real, figures are not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from math import exp
from typing import Any

from crewsolve.cards import card_name
from crewsolve.difficulty.contrasts import CONTRASTS
from crewsolve.difficulty.logbook import logbook
from crewsolve.intervals import wilson
from crewsolve.mission import Mission, missions_of
from crewsolve.notation import format_columns, format_hand, format_task

METHOD = "Wilson 95 %"
TRICKS = {2: 13, 3: 13, 4: 10, 5: 8}
HARDNESS = {"clairvoyant": 0.05, "fixed": 1.0, "drafted": 0.6, "crew": 6.0}


def report(
    seed: int = 1,
    deals: int = 1000,
    players: tuple[int, ...] = (2, 3, 4, 5),
    numbers: range = range(1, 51),
    rungs: tuple[str, ...] = ("clairvoyant", "fixed", "drafted"),
) -> dict[str, Any]:
    """A report that a run could have written."""
    rng = random.Random(seed)
    missions = [m for m in missions_of("planet-nine") if m.number in numbers]
    made: dict[str, Any] = {
        "schema": 1,
        "version": "0.1.0",
        "game": "planet-nine",
        "seed": seed,
        "command": f"crewsolve report --missions 1-50 --players 2-5 --deals {deals} --out report",
        "settings": {
            "deals": deals,
            "half_width": None,
            "margin_deals": 20,
            "nodes": 2_000_000,
            "conflicts": 100_000,
            "distress": True,
        },
        "rungs": list(rungs),
        "players": list(players),
        "missions": [
            {
                "number": m.number,
                "name": m.name,
                "text": m.text,
                "tasks": m.tasks,
                "tokens": list(m.tokens),
                "note": "The draw is known before the first card." if m.draw else "",
            }
            for m in missions
        ],
    }
    made |= {name: [] for name in ("cells", "pairs", "margin", "passes", "hardest")}
    for mission in missions:
        for crew in players:
            _add(made, rng, mission, crew, seed)
    made["pooled"] = [
        row for crew in players for rung in rungs for row in _pooled(made["pairs"], crew, rung)
    ]
    made["crew"] = _crew(rng, missions, players) if "crew" in rungs else None
    return made


VARIANTS = {"expert": 0.05, "silent": 0.08, "dead zone": 0.065, "novice": 0.12, "more time": 0.045}
NOT_YET = "crews do not decide on a pass yet"


def _crew(rng: random.Random, missions: list[Mission], players: tuple[int, ...]) -> dict[str, Any]:
    """Games of the crew: missions in about the order of the logbook, some in all variants."""
    made: dict[str, Any] = {"games": 300, "worlds": 100, "more_worlds": 400}
    made |= {"variants": {name: name for name in VARIANTS}}
    made |= {name: [] for name in ("cells", "not_played", "contrasts", "pooled", "logbook")}
    games = 300
    for crew in players:
        won: dict[str, dict[int, list[bool]]] = {name: {} for name in VARIANTS}
        for mission in missions:
            key = {"mission": mission.number, "players": crew}
            if mission.draw:
                reason = f"mission {mission.number}: crews do not play its draw yet"
                made["not_played"].append(key | {"variant": "expert", "reason": reason})
                continue
            luck = rng.uniform(0.6, 1.3)
            for name, hardness in VARIANTS.items():
                if name != "expert" and mission.number % 5:
                    continue
                p = exp(-hardness * luck * (mission.number + crew))
                won[name][mission.number] = [rng.random() < p for _ in range(games)]
                made["cells"].append(_games(key, name, won[name][mission.number], mission.tasks))
            if mission.number % 5 == 0:
                reason = f"mission {mission.number}: {NOT_YET}"
                made["not_played"].append(key | {"variant": "distress", "reason": reason})
        for contrast, (first, second) in CONTRASTS.items():
            both = [n for n in won.get(first, {}) if n in won.get(second, {})]
            rows = [_contrast(contrast, first, second, won[first][n], won[second][n]) for n in both]
            made["contrasts"] += [
                {"mission": n, "players": crew} | row for n, row in zip(both, rows, strict=True)
            ]
            if rows:
                mean = sum(float(row["difference"]) for row in rows) / len(rows)
                made["pooled"].append(
                    rows[0]
                    | {"players": crew, "missions": len(rows), "difference": mean}
                    | {"low": mean - 0.02, "high": mean + 0.02}
                )
        found = logbook(crew, 1, won["expert"])
        made["logbook"] += [found] if found is not None else []
    return made


def _games(key: dict[str, int], name: str, won: list[bool], tasks: int) -> dict[str, Any]:
    n, wins = len(won), sum(won)
    low, high = wilson(wins, n)
    home = (wins / n + 1) / 2 if tasks else None
    return {
        **key,
        "variant": name,
        "n": n,
        "won": wins,
        "rate": wins / n,
        "low": low,
        "high": high,
        "method": METHOD,
        "attempts": n / wins if wins else None,
        "attempts_low": 1 / high,
        "attempts_high": 1 / low if low else None,
        "home": home,
        "home_low": home and home - 0.02,
        "home_high": home and home + 0.02,
    }


def _contrast(
    contrast: str, first: str, second: str, a: list[bool], b: list[bool]
) -> dict[str, Any]:
    n, one, other = len(a), sum(a), sum(b)
    return {
        "contrast": contrast,
        "first": first,
        "second": second,
        "n": n,
        "first_rate": one / n,
        "second_rate": other / n,
        "only_first": sum(x and not y for x, y in zip(a, b, strict=True)),
        "only_second": sum(y and not x for x, y in zip(a, b, strict=True)),
        "difference": (one - other) / n,
        "low": (one - other) / n - 0.05,
        "high": (one - other) / n + 0.05,
        "p": 0.01,
        "method": "exact McNemar",
    }


def _pooled(pairs: list[dict[str, Any]], crew: int, rung: str) -> Iterator[dict[str, Any]]:
    """All missions together."""
    mine = [p for p in pairs if p["players"] == crew and p.get("rung") == rung]
    for way in ("best", "left", "right"):
        rows = [p for p in mine if p.get("direction") == way]
        if rows:
            yield {"kind": "saved", "players": crew, "rung": rung, "direction": way} | _share(
                sum(p["winnable"] for p in rows), sum(p["n"] for p in rows)
            )
    left = sum(p.get("only_left", 0) for p in mine)
    total = left + sum(p.get("only_right", 0) for p in mine)
    if total:
        yield {"kind": "directions", "players": crew, "rung": rung} | _share(left, total)


def _share(part: int, total: int) -> dict[str, Any]:
    low, high = wilson(part, total)
    return {
        "n": total,
        "winnable": part,
        "undecided": 0,
        "rate": part / total,
        "low": low,
        "high": high,
        "method": METHOD,
    }


def _add(made: dict[str, Any], rng: random.Random, mission: Mission, crew: int, seed: int) -> None:
    """All rows of a mission for a crew."""
    deals = made["settings"]["deals"]
    key = {"mission": mission.number, "players": crew}
    for rung in made["rungs"]:
        weight = 0.02 + (mission.tasks / 10) ** 3 * (0.4 + 0.2 * crew) * rng.uniform(0.7, 1.3)
        lost = deals - _draw(rng, deals, exp(-HARDNESS.get(rung, 2.0) * weight))
        undecided = _draw(rng, lost, 0.03)
        saved = _draw(rng, lost, 0.6)
        made["cells"].append(_cell(key, rung, "none", deals, deals - lost, undecided, seed))
        if rung == "crew":
            continue
        won = deals - lost + saved
        made["cells"].append(_cell(key, rung, "best", deals, won, undecided // 2, seed))
        if lost:
            made["pairs"] += _ways(rng, key | {"rung": rung}, lost, saved)
            low, high = wilson(saved // 2, lost)
            if rung == "drafted":
                made["passes"].append(
                    {**key, "rung": rung, "deals": min(lost, 20), "passes": 64}
                    | {"share": saved // 2 / lost, "low": low, "high": high, "method": METHOD}
                )
    made["hardest"] += [_hardest(rng, mission, crew, made["rungs"][-1], seed) for _ in range(2)]
    for first, second in combinations(made["rungs"], 2):
        made["pairs"].append(_rungs(rng, key, first, second, deals))
    made["margin"].append(_margin(rng, mission, crew, seed))


def _draw(rng: random.Random, n: int, p: float) -> int:
    """About binomial."""
    return min(n, max(0, round(rng.gauss(n * p, (n * p * (1 - p)) ** 0.5))))


def _cell(
    key: dict[str, int], rung: str, distress: str, n: int, won: int, undecided: int, seed: int
) -> dict[str, Any]:
    low, high = wilson(won, n)[0], wilson(won + undecided, n)[1]
    return {
        **key,
        "rung": rung,
        "distress": distress,
        "n": n,
        "winnable": won,
        "unwinnable": n - won - undecided,
        "undecided": undecided,
        "rate": won / n,
        "low": low,
        "high": high,
        "method": METHOD,
        "seed": seed,
        "attempts": n / won if won else None,
        "attempts_low": 1 / high,
        "attempts_high": 1 / low if low else None,
        "score": n / won + (distress == "best") / 10 if won else None,
    }


def _ways(rng: random.Random, key: dict[str, Any], lost: int, saved: int) -> list[dict[str, Any]]:
    """Which way of passing saves lost deals, and how the ways compare."""
    left, right = _draw(rng, saved, 0.25), _draw(rng, saved, 0.2)
    left, right = min(left, saved), min(right, saved - left)
    rows = []
    for direction, won in (("best", saved), ("left", saved - right), ("right", saved - left)):
        low, high = wilson(won, lost)
        rows.append(
            {"kind": "saved", **key, "direction": direction, "n": lost, "winnable": won}
            | {"undecided": 0, "rate": won / lost, "low": low, "high": high, "method": METHOD}
        )
    rows.append(
        {"kind": "directions", **key, "n": lost, "only_left": left, "only_right": right}
        | {"difference": (left - right) / lost, "low": -0.1, "high": 0.2, "p": rng.random()}
        | {"method": "exact McNemar"}
    )
    return rows


def _rungs(
    rng: random.Random, key: dict[str, Any], first: str, second: str, n: int
) -> dict[str, Any]:
    a, b = rng.randrange(n // 10 + 1), rng.randrange(n // 50 + 1)
    return (
        {"kind": "rungs", **key, "first": first, "second": second, "n": n}
        | {"only_first": a, "only_second": b, "difference": (a - b) / n}
        | {"low": (a - b) / n - 0.01, "high": (a - b) / n + 0.01}
        | {"p": rng.random() ** 6, "method": "exact McNemar"}
    )


def _text(rng: random.Random, mission: Mission, crew: int, name: str) -> str:
    """A deal as text that can be solved."""
    deck = rng.sample(range(39), 39)
    deck.insert(rng.randrange(14, 40), 39)  # JARVIS never holds rocket 4
    if crew == 2:
        columns = [(top, below) for top, below in zip(deck[:7], deck[7:14], strict=True)]
        hands = [format_hand(deck[14:27]), format_columns(columns), format_hand(deck[27:])]
    else:
        hands = [format_hand(deck[k::crew]) for k in range(crew)]
    cards = rng.sample(range(36), mission.tasks)
    tokens = [*mission.tokens, *[None] * (mission.tasks - len(mission.tokens))]
    tasks = [format_task(*task, None) for task in zip(cards, tokens, strict=True)]
    return "\n".join(
        [f"id: {name}", f"deal: {' | '.join(hands)}", f"mission: {mission.name}"]
        + ([f"tasks: {' '.join(tasks)}"] if tasks else [])
    )


def _hardest(
    rng: random.Random, mission: Mission, crew: int, rung: str, seed: int
) -> dict[str, Any]:
    number = rng.randrange(1000)
    return {
        "mission": mission.number,
        "players": crew,
        "rung": rung,
        "id": f"{seed}-{number}",
        "verdict": rng.choice(("winnable", "unwinnable", "unwinnable", "undecided")),
        "saved": rng.random() < 0.3,
        "work": int(10 ** rng.uniform(2, 6)),
        "text": _text(rng, mission, crew, f"{seed}-{number}"),
    }


def _margin(rng: random.Random, mission: Mission, crew: int, seed: int) -> dict[str, Any]:
    start = 0.95 - 0.04 * mission.tasks - 0.03 * crew + rng.uniform(-0.05, 0.05)
    tricks = [
        {
            "trick": t,
            "decisions": rng.randrange(30, 90),
            "share": min(1.0, max(0.1, start + 0.04 * t + rng.uniform(-0.05, 0.05))),
        }
        for t in range(1, TRICKS[crew] + 1 - (mission.number % 3))
    ]
    share = sum(float(t["share"]) for t in tricks) / len(tricks)
    number = rng.randrange(1000)
    hardest = {
        "id": f"{seed}-{number}",
        "trick": rng.randrange(1, 5),
        "seat": rng.randrange(1, crew + 1),
        "winning": [card_name(rng.randrange(40))],
        "legal": rng.randrange(2, 9),
        "drawn": [card_name(rng.randrange(40)) for _ in range(crew)] if mission.draw else [],
        "text": _text(rng, mission, crew, f"{seed}-{number}"),
    }
    return {
        "mission": mission.number,
        "players": crew,
        "n": 20,
        "share": share,
        "low": max(0.0, share - 0.06),
        "high": min(1.0, share + 0.05),
        "method": "t interval over deals, 95 %",
        "losing": rng.uniform(0.3, 0.9),
        "undecided": rng.randrange(3) if mission.number % 7 == 0 else 0,
        "tricks": tricks,
        "hardest": hardest if mission.number % 4 else None,
    }
