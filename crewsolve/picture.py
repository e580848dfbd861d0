"""What people see: the deal, the verdict in a sentence, the line trick by trick. Plain ASCII."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabulate import tabulate

from .cards import Card, Seat, card_name, names
from .deal import Deal
from .goals import Goal, Role, Task
from .notation import format_columns, format_hand, format_line
from .play import Play
from .positions import Word
from .problem import Choices, Pass, Problem, SeaTask, chosen_members, final_tasks
from .referee import Report, goal_text
from .review import Review
from .verdict import Verdict


def _table(rows: Sequence[Sequence[object]], **how: object) -> str:
    """A plain table; blanks within cells are kept, since they align marks."""
    table: str = tabulate(rows, preserve_whitespace=True, **how)
    return table


def seat_name(deal: Deal, seat: Seat) -> str:
    """Seat as people call it."""
    return f"seat {seat + 1}" + (" (JARVIS)" if seat == deal.jarvis else "")


def hand_text(play: Play, seat: Seat) -> str:
    """The cards of a seat in mid-game; of JARVIS his columns."""
    hand = play.hands[seat]
    if seat != play.problem.deal.jarvis:
        return format_hand(hand)
    left = ([card for card in column if card in hand] for column in play.columns)
    return format_columns([(c[-1], c[0] if len(c) > 1 else None) for c in left if c])[3:]


def task_text(task: Task | SeaTask, with_owner: bool = True) -> str:
    """A task with its token or prediction, and its owner."""
    if isinstance(task, SeaTask):
        text = f"{task.card.id} {task.card.text}"
        text += f" ({task.predicted})" if task.predicted is not None else ""
    else:
        text = card_name(task.card) + (f" [{task.token}]" if task.token else "")
    return text if task.owner is None or not with_owner else f"{text} for seat {task.owner + 1}"


def picture_of_deal(problem: Problem, choices: Choices | None = None) -> str:
    """Hands, who leads, tasks beside their owners, and what has to happen.

    choices: what was chosen, if that is known.
    """
    deal, tasks = problem.deal, final_tasks(problem, choices)
    head = f"deal {problem.id}: " if problem.id else ""
    passed = problem.passed is not None or problem.distress != "none"
    players = f"{deal.players} players" + (" and JARVIS" if deal.jarvis is not None else "")
    mission = f", mission {problem.mission.name}" if problem.mission else ""
    rows = []
    for seat, hand in enumerate(deal.hands):
        cards = format_columns(deal.columns)[3:] if seat == deal.jarvis else format_hand(hand)
        marks = ["commands"] if seat == deal.commander else []
        marks += ["leads"] if seat == deal.leader else []
        own = ", ".join(task_text(task, False) for task in tasks if task.owner == seat)
        rows.append(
            [
                f"  {seat_name(deal, seat)}",
                cards,
                " and ".join(marks),
                f"tasks: {own}" if own else "",
            ]
        )
    lines = [
        f"{head}{players}{mission}{', hands before the pass' if passed else ''}",
        _table(rows, tablefmt="plain"),
    ]
    if problem.mission is not None:
        lines.append(f"  {problem.mission.text}")
    if problem.played:
        lines.append(f"  played: {format_line(problem.played)}")
    free = [task_text(task) for task in tasks if task.owner is None]
    if free:
        lines.append(f"  tasks to be shared out: {', '.join(free)}")
    goals = problem.goals[: len(problem.goals) - sum(len(task.goals) for task in problem.sea)]
    if problem.mission is None or goals[len(problem.mission.goals) :]:
        lines += [f"  {goal_words(goal)}" for goal in goals]
    return "\n".join(lines)


def first_cards_text(first: Mapping[Card, Word]) -> list[str]:
    """What each first card does, by word."""
    said = []
    for word, verb in (("wins", "win"), ("loses", "lose"), ("unknown", "are not decided")):
        cards = [card for card, what in first.items() if what == word]
        if cards:
            said.append(f"  first cards that {verb}: {names(cards)}")
    return said


def goal_words(goal: Goal) -> str:
    """A goal in words, with the member whom it binds."""
    if isinstance(goal.who, Role):
        return f"chosen member: {goal.describe()}"
    return goal_text(goal.who, goal.describe())


def pass_text(passed: Pass) -> str:
    """A distress pass in words."""
    gifts = [
        f"seat {s + 1} gives {card_name(c)}" for s, c in enumerate(passed.cards) if c is not None
    ]
    return f"everybody passes to the {passed.direction}: {', '.join(gifts)}"


def choices_text(problem: Problem, choices: Choices) -> list[str]:
    """The freedoms that a winning line uses, in words."""
    said: list[str] = []
    if choices.swap is not None:
        first, second = map(card_name, choices.swap)
        verb = "change places" if problem.mission and problem.mission.layout == "swap" else "moved"
        said.append(
            f"tokens of {first} and {second} {verb}"
            if verb != "moved"
            else f"token of {first} moved to {second}"
        )
    if problem.sharing is not None:
        said.append("tasks: " + ", ".join(map(task_text, final_tasks(problem, choices))))
    if choices.moved is not None:
        card, giver, taker = choices.moved
        said.append(f"seat {giver + 1} hands {card_name(card)} on to seat {taker + 1}")
    members = chosen_members(problem, choices)
    if members and problem.roles:
        said.append("chosen: " + ", ".join(f"seat {seat + 1}" for seat in members))
    if choices.passed is not None:
        said.append(pass_text(choices.passed))
    return said


def picture_of_line(deal: Deal, report: Report) -> str:
    """A table of the tricks: `>` leads, `*` wins."""
    head = ["trick", *(f" {seat_name(deal, seat)}" for seat in range(deal.seats)), ""]
    rows = []
    for number, trick in enumerate(report.tricks, 1):
        by_seat: dict[Seat, Card] = {
            (trick.leader + k) % deal.seats: card for k, card in enumerate(trick.cards)
        }
        cells = [
            _cell(by_seat.get(s), s == trick.leader, s == trick.winner) for s in range(deal.seats)
        ]
        rows.append([number, *cells, "; ".join(trick.notes)])
    align = ("right", *("left" for _ in range(deal.seats + 1)))
    return _table(rows, headers=head, tablefmt="simple", colalign=align)


def _cell(card: Card | None, leads: bool, wins: bool) -> str:
    if card is None:
        return ""
    return f"{'>' if leads else ' '}{card_name(card)}{'*' if wins else ' '}"


def sentence(verdict: Verdict) -> str:
    """The verdict in one sentence."""
    problem = verdict.problem
    if verdict.word == "winnable":
        assert verdict.report is not None
        tricks = len(verdict.report.tricks)
        if verdict.share is not None:
            share = verdict.share
            return (
                f"winnable: one choice of owners and trick 1 wins {share.won} of {share.draws}"
                f" random draws ({share.low:.1%} to {share.high:.1%}); another may win more."
            )
        return f"winnable: this line does it in {tricks} of {problem.deal.tricks} tricks."
    if verdict.word == "undecided":
        raised = {"conflicts": " Raise it with --conflicts.", "time": " Raise it with --timeout."}
        limit = "draws tried" if verdict.limit == "draws" else verdict.limit
        return f"undecided: the limit of {limit} was reached.{raised.get(verdict.limit or '', '')}"
    whatever = ["whatever is played" + (" from here on" if problem.played else "")]
    mode = problem.draw.mode if problem.draw is not None else None
    if mode == "every":
        whatever = ["no choice of owners and trick 1 wins for every draw"]
    elif mode == "probability" or mode == "some":
        whatever.append("whatever is drawn")
    if problem.sharing is not None:
        whatever.append("whoever takes the tasks")
    elif any(len(seats) > 1 for seats in problem.roles):
        whatever.append("whoever is chosen")
    if problem.pass_open:
        whatever.append("whichever cards are passed")
    return f"unwinnable: {', '.join(whatever)}."


def picture_of_verdict(verdict: Verdict) -> str:
    """Deal, verdict and line for a person."""
    problem, choices = verdict.problem, verdict.choices
    parts = [picture_of_deal(problem, choices), sentence(verdict)]
    if problem.draw is not None and problem.draw.cards is None and problem.draw.mode == "seeded":
        parts.append(f"  for the one draw of seed {problem.draw.seed} (settings: draw, draw-seed)")
    if verdict.report is not None and choices is not None:
        parts += [f"  {said}" for said in choices_text(problem, choices)]
        parts.append(picture_of_line(problem.deal, verdict.report))
    if verdict.proof is not None:
        state = (
            "checked" if verdict.proof["checked"] else f"not checked: {verdict.proof.get('why')}"
        )
        parts.append(f"proof: {verdict.proof['file']} of {verdict.proof['cnf']}, {state}")
    return "\n".join(parts)


def picture_of_report(deal: Deal, report: Report) -> str:
    """What the referee says of a line."""
    words = {
        "won": f"won in trick {report.trick}: {report.reason}.",
        "lost": f"lost in trick {report.trick}: {report.reason}.",
        "unfinished": f"unfinished: {report.reason}.",
        "illegal": f"illegal at trick {report.trick}, card {report.card}: {report.reason}"
        f" ({report.rule}).",
    }
    parts = [picture_of_line(deal, report)] if report.tricks else []
    parts.append(words[report.outcome])
    if report.unread and report.outcome in ("won", "lost"):
        parts.append(f"  {report.unread} cards after that were not needed")
    return "\n".join(parts)


def picture_of_review(found: Review) -> str:
    """What can be said of a game, for a person."""
    problem = found.problem
    parts = [picture_of_deal(problem)]
    parts += [f"  {pass_text(problem.passed)}"] if problem.passed else []
    parts.append(picture_of_report(problem.deal, found.report))
    parts.append(_turn_text(found))
    parts += first_cards_text(found.first)
    for members, verdict in found.chosen.items():
        named = " and ".join(f"seat {seat + 1}" for seat in members)
        parts.append(f"  {named} chosen: {verdict}")
    if found.passes:
        said = ", ".join(f"{verdict} to the {way}" for way, verdict in found.passes.items())
        parts.append(f"  with a distress pass: {said}")
    if found.shared is not None:
        shared = found.shared
        parts.append(f"  with the tasks shared out anew: {shared.word}")
        if shared.choices is not None:
            parts += [f"    {said}" for said in choices_text(shared.problem, shared.choices)]
    return "\n".join(parts)


def _turn_text(found: Review) -> str:
    turn = found.turn
    if found.start == "loses":
        return "It could not be won from the start, as tasks and members stood."
    if turn is None:
        if found.outcome == "won":
            return "Every card kept it winnable."
        undecided = "It is not decided whether it can still be won."
        return "It can still be won." if found.outcome == "unfinished" else undecided
    lost = "Lost by" if turn.surely else "Lost at the latest by"
    held = " or ".join(map(card_name, turn.that("wins")))
    after = f"{held} would have held." if held else "no other card is known to hold."
    seat, card = seat_name(found.problem.deal, turn.seat), card_name(turn.played)
    return f"{lost} card {turn.place} of trick {turn.trick}: {seat} plays {card}; {after}"
