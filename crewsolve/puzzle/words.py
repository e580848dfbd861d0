"""Checks, explanations and repairs in words, for people (plain ASCII) and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..cards import Card, card_name, names
from ..goals import Goal, Task
from ..picture import (
    first_cards_text,
    goal_words,
    pass_text,
    picture_of_deal,
    picture_of_line,
    picture_of_report,
    seat_name,
    sentence,
    task_text,
)
from ..problem import Problem
from ..sat.demands import Before, Demand, Home, LastTrick, Numbered
from ..sat.repairs import Dropped, Exchanged, NewOwner
from .changes import (
    KINDS,
    Change,
    SeaDropped,
    SeaOwner,
    TokenDropped,
    TokenMoved,
    TokensExchanged,
    by_card,
    changed_tasks,
)
from .changes import kind_of as kind_of_change
from .check import Check
from .explain import Conflict, Cost, Explanation, ordered_cards
from .moments import Moment
from .repair import Repair, Repaired


def kind_of(demand: Demand) -> str:
    """Kind of a demand as JSON names it."""
    if isinstance(demand, Home):
        return "task"
    return "goal" if isinstance(demand, Goal) else "order"


def demand_text(demand: Demand) -> str:
    """A demand in words."""
    if isinstance(demand, Home):
        owner, card = demand.task.owner, card_name(demand.task.card)
        return f"{card} must come home" if owner is None else f"{card} must go to seat {owner + 1}"
    if isinstance(demand, Before):
        first, second = card_name(demand.first), card_name(demand.second)
        return f"{first} must fall before {second} or in the same trick"
    if isinstance(demand, Numbered):
        return f"{card_name(demand.task.card)} must come home as number {demand.number}"
    if isinstance(demand, LastTrick):
        return f"{card_name(demand.card)} must fall in the very last trick"
    if isinstance(demand, Goal):
        return goal_words(demand)
    return "the tasks must come home in the order of the tokens"


def sentence_of(conflict: Conflict) -> str:
    """A conflict in one sentence, or two."""
    demands = conflict.demands
    tasks = [d for d in demands if isinstance(d, Home)]
    order = [d for d in demands if isinstance(d, Before)]
    if not demands:
        return "The cards as they lie allow no line at all."
    if len(demands) == 3 and len(tasks) == 2 and len(order) == 1:
        by_card = {task.task.card: task for task in tasks}
        if set(by_card) == {order[0].first, order[0].second}:
            first, second = demand_text(by_card[order[0].first]), by_card[order[0].second].task
            seat = "comes home" if second.owner is None else f"goes to seat {second.owner + 1}"
            return f"{first} before {card_name(second.card)} {seat}: these two alone cannot be met."
    alone = {1: "this alone", 2: "these two alone"}.get(len(demands), "these together")
    return f"{'; '.join(map(demand_text, demands))}: {alone} cannot be met."


def cost_text(cost: Cost) -> str:
    """What would be dropped."""
    if cost.kind == "order":
        return "the order of the tasks"
    if cost.kind == "task":
        home = cost.dropped[0]
        assert isinstance(home, Home)
        owner = home.task.owner
        seat = "" if owner is None else f" for seat {owner + 1}"
        return f"task {card_name(home.task.card)}{seat}"
    return demand_text(cost.dropped[0])


def explanation_json(found: Explanation) -> dict[str, Any]:
    """The JSON object of an explanation; seats, tricks and cards of a trick from 1."""
    conflict, narrow = found.conflict, found.narrowest
    return {
        "schema": 1,
        "id": found.problem.id,
        "verdict": found.verdict.word,
        "conflict": conflict
        and {
            "text": sentence_of(conflict),
            "minimal": conflict.minimal,
            "demands": [
                {
                    "kind": kind_of(demand),
                    "cards": _cards_of(demand),
                    "text": demand_text(demand),
                }
                for demand in conflict.demands
            ],
        },
        "first_cards": [card_name(card) for card in found.first],
        "costs": [
            {
                "kind": cost.kind,
                "text": cost_text(cost),
                "more_first_cards": [card_name(card) for card in cost.cards],
                "unknown": [card_name(card) for card in cost.unknown],
            }
            for cost in found.costs
        ],
        "narrowest": narrow and narrow.to_json(),
        "shared_tricks": [[card_name(a), card_name(b)] for a, b in found.shared],
    }


def _cards_of(demand: Demand) -> list[str]:
    if isinstance(demand, Home):
        return [card_name(demand.task.card)]
    return [card_name(card) for card in ordered_cards(demand)]


def picture_of_explanation(found: Explanation) -> str:
    """An explanation for a person."""
    parts = [picture_of_deal(found.problem)]
    if found.conflict is not None:
        parts += [sentence(found.verdict), sentence_of(found.conflict)]
        if found.conflict.minimal and len(found.conflict.demands) > 1:
            parts.append("  Without any one of these demands the others can be met.")
        elif not found.conflict.minimal:
            parts.append("  Whether all of them are needed was not decided within the limit.")
        return "\n".join(parts)
    parts.append(sentence(found.verdict))
    if found.verdict.word != "winnable":
        return "\n".join(parts)
    if found.first:
        parts.append(f"  first cards that win: {names(found.first)}")
    for cost in found.costs:
        said = f"{len(cost.cards)} more first cards win: {names(cost.cards)}"
        if len(cost.cards) < 2:
            said = f"{names(cost.cards)} wins too" if cost.cards else "no other first card wins"
        if cost.unknown:
            said += f" (not decided: {names(cost.unknown)})"
        parts.append(f"  without {cost_text(cost)}: {said}")
    if found.narrowest is not None:
        parts.append(f"  narrowest moment: {_moment(found, found.narrowest)}")
    shared = ", ".join(f"{card_name(a)} with {card_name(b)}" for a, b in found.shared)
    if len(found.problem.tasks) > 1:
        parts.append(f"  tasks that can share a trick: {shared or 'none'}")
    return "\n".join(parts)


def _moment(found: Explanation, moment: Moment) -> str:
    seat = seat_name(found.problem.deal, moment.seat)
    keep = moment.that("wins") + moment.that("unknown")
    return (
        f"card {moment.place} of trick {moment.trick}, where {len(keep)} of {len(moment.cards)}"
        f" cards of {seat} {'keeps' if len(keep) == 1 else 'keep'} it winnable: {names(keep)}"
    )


def picture_of_check(found: Check) -> str:
    """A check for a person."""
    problem = found.puzzle.entry.problem
    parts = [picture_of_deal(problem)]
    if found.solution is not None:
        parts += ["the author's solution:", picture_of_report(problem.deal, found.solution)]
    parts.append(sentence(found.verdict))
    won_by_author = found.solution is not None and found.solution.outcome == "won"
    if found.verdict.report is not None and not won_by_author:
        parts.append(picture_of_line(problem.deal, found.verdict.report))
    parts += _counts(found)
    parts += first_cards_text(found.first)
    parts += _losing(found)
    parts += [f"WRONG: {said}" for said in found.failures]
    parts += [f"not decided: {said}" for said in found.open]
    if not found.failures and not found.open:
        parts.append("The puzzle is what it says." if _says(found) else "The puzzle is sound.")
    return "\n".join(parts)


def _says(found: Check) -> bool:
    """Whether the author says anything that could be checked."""
    puzzle = found.puzzle
    return puzzle.unique or puzzle.entry.expect is not None or found.solution is not None


def _counts(found: Check) -> list[str]:
    if found.verdict.word == "unwinnable":
        return []
    if found.solutions is None:
        return [f"  solutions are not counted: {found.uncounted}"]
    counts = found.solutions
    said = [
        f"  solutions: {counts.lines} card by card,",
        f"    {counts.up_to_exchange} up to exchange of touching cards",
    ]
    if found.puzzle.entry.problem.tasks:
        said[-1] += ","
        said.append(f"    {counts.task_plans} ways to bring the tasks home")
    return said


def _losing(found: Check) -> list[str]:
    """By trick the cards that would have lost at once, by seat."""
    by_trick: dict[int, list[str]] = {}
    for moment in found.moments:
        loses = moment.that("loses")
        if loses:
            by_trick.setdefault(moment.trick, []).append(
                f"seat {moment.seat + 1} with {names(loses)}"
            )
    if not by_trick:
        return []
    said = [f"    trick {number}: {'; '.join(who)}" for number, who in by_trick.items()]
    return ["  cards that lose at once along this line:", *said]


def change_texts(problem: Problem, changes: Sequence[Change]) -> list[str]:
    """Changes of a problem in words, in the order in which they are made."""
    said, tasks = [], problem.tasks
    for change in changes:
        said.append(_change_text(problem, by_card(tasks), change))
        tasks = changed_tasks(tasks, change)
    return said


def _change_text(problem: Problem, task: dict[Card, Task], change: Change) -> str:
    if isinstance(change, NewOwner):
        owner = task[change.card].owner
        assert owner is not None
        return f"{card_name(change.card)} goes to seat {change.seat + 1}, not {owner + 1}"
    if isinstance(change, Dropped):
        return f"{task_text(task[change.card])} is no task"
    if isinstance(change, (SeaOwner, SeaDropped)):
        sea = next(t for t in problem.sea if t.card.id == change.task)
        if isinstance(change, SeaDropped):
            return f"{task_text(sea)} is no task"
        assert sea.owner is not None
        return f"{task_text(sea, False)} goes to seat {change.seat + 1}, not {sea.owner + 1}"
    if isinstance(change, Exchanged):
        places = (
            f"{card_name(card)} of seat {(problem.deal.holder(card) or 0) + 1}"
            for card in (change.first, change.second)
        )
        return f"{' and '.join(places)} change places"
    if isinstance(change, TokenMoved):
        token = task[change.giver].token
        return f"token {token} moves from {card_name(change.giver)} to {card_name(change.taker)}"
    if isinstance(change, TokensExchanged):
        both = (task_text(task[card], False) for card in (change.first, change.second))
        return f"{' and '.join(both)} exchange their tokens"
    if isinstance(change, TokenDropped):
        return f"{task_text(task[change.card], False)} loses its token"
    return pass_text(change.passed)


def repair_json(found: Repaired) -> dict[str, Any]:
    """The JSON object of a repair; each `puzzle` is an input."""
    return {
        "schema": 1,
        "id": found.problem.id,
        "verdict": found.verdict.word,
        "to": found.aim,
        "met": found.met,
        "kinds": list(found.kinds),
        "repairs": [_repair_json(found.problem, repair) for repair in found.repairs],
        "at_least": found.least,
        "looked_through": found.changes if found.complete else None,
    }


def _repair_json(problem: Problem, repair: Repair) -> dict[str, Any]:
    texts = change_texts(problem, repair.changes)
    return {
        "changes": [
            {"kind": kind_of_change(change), "text": text}
            for change, text in zip(repair.changes, texts, strict=True)
        ],
        "puzzle": repair.fields,
    }


def picture_of_repair(found: Repaired) -> str:
    """What would repair a puzzle, for a person."""
    parts = [picture_of_deal(found.problem), sentence(found.verdict)]
    if found.met is None:
        return "\n".join([*parts, "Whether it needs a repair is not decided."])
    wanted = "winnable in one way only" if found.aim == "unique" else found.aim
    if found.met:
        return "\n".join([*parts, f"It is {wanted} as it is: nothing to repair."])
    parts.append(f"It would be {wanted} if" if found.repairs else f"It is to be {wanted}.")
    for repair in found.repairs:
        texts = change_texts(found.problem, repair.changes)
        parts.append("  - " + f"{',' if len(texts) > 2 else ''} and ".join(texts))
    parts.append(_bound_text(found))
    if {*found.kinds} != {*KINDS}:
        parts.append(f"Only changes of these kinds were looked at: {', '.join(found.kinds)}.")
    return "\n".join(parts)


def _bound_text(found: Repaired) -> str:
    """What is known of the number of changes."""
    least, changes = found.least, found.changes
    if not found.repairs:
        if least > changes:
            return f"No repair with up to {changes} change{'s' * (changes > 1)} exists."
        said = f"No repair was found. It needs at least {least} change{'s' * (least > 1)};"
        return f"{said} a limit kept the rest open."
    fewest = len(found.repairs[0].changes)
    if fewest == 1:
        return "One change is the least."
    if least == fewest:
        return f"No repair with fewer than {fewest} changes exists."
    return (
        f"It needs at least {least} change{'s' * (least > 1)};"
        f" whether fewer than {fewest} do was not decided within the limit."
    )
