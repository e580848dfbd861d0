"""The choices before play: blind ones (`fixed`), and rules of thumb from hidden hands (`drafted`).

Both turn a problem whose freedoms are open into one in which only the cards are left to be played.
Every decision of `drafted` is a function of what its maker may know: the cards that he sees in his
own hand (of JARVIS the open ones), the task cards on the table, and what has been said and picked.
The rules were found by asking, for many random sharings, which features of a seat and its tasks
tell the deals that can be won from the others (`benchmarks/drafting.py` measures them):

* A high card is best won by who holds it, a low one by anybody else: in the hand of its owner it
  needs a trick in which nobody follows higher.
* Two members who own cards of the same colour that they hold themselves stand in each other's way.
* Rockets matter for members who must not win: of two, one can be lost under R4, not both.

Tokens stay as they lie (missions 23 and 40), as no rule tried from the table alone helped on fresh
deals. Nobody hands a task on: who would gain by it is not known before the first trick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from ..cards import ROCKETS, SUIT_MASKS, Card, Seat, mask_of, suit_of
from ..chance import Stream, receiver
from ..deal import Deal
from ..dealt import blind_owners
from ..goals import CountTricks, Role, Task, WinPositions
from ..problem import Problem, resolve
from ..sea_inputs import settle
from .sea_choices import sea_owners

_ROCKETS = mask_of(ROCKETS)
_TOP = mask_of(card for card in range(36) if card % 9 >= 7)
"""The eights and nines."""


def fixed(problem: Problem, seed: int, number: int) -> Problem:
    """The problem of deal `number` of `seed` without freedoms: nobody has chosen anything.

    Tasks are dealt round in draft order; of a decision the seeded receiver takes all. Chosen
    members are drawn uniformly. No owner may be named yet.
    """
    if problem.sea:
        names = [task.card.id for task in problem.sea]
        return _sea_settled(
            problem, blind_owners(problem.deal, names, problem.mission, seed, number)
        )
    owners = list(_round(problem.deal, len(problem.tasks)))
    if problem.sharing is not None and problem.sharing.kind == "decision":
        owners = [receiver(problem.deal.seats, problem.deal.commander, seed, number)] * len(owners)
    stream = Stream("members", seed, number)
    members: list[Seat] = []
    for candidates in problem.roles:
        left = [seat for seat in candidates if seat not in members]
        members.append(left[stream.below(len(left))])
    return _settled(problem, owners, members)


def drafted(problem: Problem) -> Problem:
    """The problem after every member has chosen by the rules of this module.

    No owner may be named yet.
    """
    deal, tasks, sharing = problem.deal, problem.tasks, problem.sharing
    hands = [seen(deal, seat) for seat in range(deal.seats)]
    if problem.sea:
        return _sea_settled(problem, sea_owners(problem, hands))
    owners: list[Seat] = []
    if sharing is not None and sharing.kind == "decision":
        taker = _named(_asked(deal, sharing.receivers), hands, takes_all)
        owners = [taker] * len(tasks)
    elif sharing is not None and sharing.kind == "distribution":
        owners = _distribution(deal, tasks, hands)
    elif sharing is not None:
        owners = _draft(deal, tasks, hands)
    return _settled(problem, owners, _members(problem, hands))


def _settled(problem: Problem, owners: Sequence[Seat], members: Sequence[Seat]) -> Problem:
    """The problem with these owners and chosen members, and nothing else open."""
    tasks = problem.tasks
    if problem.sharing is not None:
        tasks = tuple(replace(task, owner=seat) for task, seat in zip(tasks, owners, strict=True))
    roles = tuple((seat,) for seat in members)
    return replace(problem, tasks=tasks, sharing=None, roles=roles, layout=None)


def _sea_settled(problem: Problem, owners: Sequence[Seat]) -> Problem:
    """The problem with these owners of its task cards."""
    roles = tuple((seat,) for seat in owners)
    return replace(
        problem,
        sea=settle(problem.sea, owners),
        goals=resolve(problem.goals, owners),
        sharing=None,
        roles=roles,
    )


def _round(deal: Deal, turns: int) -> Iterable[Seat]:
    """Whose turn it is to pick: the commander first, then clockwise."""
    return ((deal.commander + turn) % deal.seats for turn in range(turns))


def seen(deal: Deal, seat: Seat) -> int:
    """Mask of the cards that a seat chooses by: its hand; for JARVIS, his open cards."""
    if seat == deal.jarvis:
        return mask_of(top for top, _ in deal.columns)
    return mask_of(deal.hands[seat])


# Tasks


def worth(hand: int, task: Task, rivals: int) -> int:
    """How gladly a member takes a task, by his own hand.

    rivals: tasks of its colour that others own.
    A card in his own hand: the higher the better, and worse with every rival, who probably holds
    his card too. A card that another holds: the lower the better, as its holder would lose it
    gladly, and better with the eight or nine above it. A number must come home early, with nearly
    all cards still in the hands: high and low, and the eight or nine, matter more.
    """
    card, rank = task.card, task.card % 9 + 1
    early = task.token is not None and task.token.isdigit()
    if hand >> card & 1:
        return (2 * rank - 14 if early else rank - 6) - 3 * rivals
    above = hand & _TOP & SUIT_MASKS[suit_of(card)] > 1 << card
    return 10 - 2 * rank + 6 * above if early else 5 - rank + 2 * above


def pick(hand: int, tasks: Sequence[Task], rivals: Sequence[int]) -> Task:
    """Draft: the task that a member picks from those open; the first of equals.

    rivals: tasks that others own, by suit.
    """
    return max(tasks, key=lambda task: worth(hand, task, rivals[suit_of(task.card)]))


def wants(hand: int, task: Task, rivals: int) -> bool:
    """Distribution: whether a member says yes to the task that was turned up."""
    return worth(hand, task, rivals) >= 0


def takes_all(hand: int) -> bool:
    """Decision: whether a member would take tasks that nobody has seen yet.

    He says yes with three rockets, nines and eights: it is he who must win tricks.
    """
    return strong(hand) >= 3


def _draft(deal: Deal, tasks: Sequence[Task], hands: Sequence[int]) -> list[Seat]:
    """Owners when all pick in turn; the commander picks for JARVIS, by the cards that all see."""
    rest = list(tasks)
    owner: dict[Card, Seat] = {}
    taken = _Taken(deal.seats)
    for seat in _round(deal, len(tasks)):
        task = pick(hands[seat], rest, taken.by_others(seat))
        rest.remove(task)
        owner[task.card] = seat
        taken.add(seat, task)
    return [owner[task.card] for task in tasks]


def _distribution(deal: Deal, tasks: Sequence[Task], hands: Sequence[int]) -> list[Seat]:
    """Owners when the commander gives each task away as it is turned up.

    It goes to one who says yes if there is one, among those to one with the fewest tasks so far,
    and among those to the first clockwise from the commander. Nobody ends two ahead of another.
    """
    least, extra = divmod(len(tasks), deal.seats)
    order = list(_round(deal, deal.seats))
    counts = [0] * deal.seats
    taken = _Taken(deal.seats)
    owners: list[Seat] = []
    for task in tasks:
        suit = suit_of(task.card)
        able = [seat for seat in order if counts[seat] < least + (extra > 0)]
        willing = [s for s in able if wants(hands[s], task, taken.by_others(s)[suit])]
        seat = min(willing or able, key=counts.__getitem__)
        extra -= counts[seat] == least
        counts[seat] += 1
        taken.add(seat, task)
        owners.append(seat)
    return owners


class _Taken:
    """Tasks taken so far, by seat and suit."""

    def __init__(self, seats: int) -> None:
        self._own = [[0] * 5 for _ in range(seats)]
        self._all = [0] * 5

    def add(self, seat: Seat, task: Task) -> None:
        """A seat takes a task."""
        suit = suit_of(task.card)
        self._own[seat][suit] += 1
        self._all[suit] += 1

    def by_others(self, seat: Seat) -> list[int]:
        """Tasks that the other seats have taken, by suit."""
        return [all_ - own for all_, own in zip(self._all, self._own[seat], strict=True)]


# Members


def strong(hand: int) -> int:
    """Rockets, nines and eights in a hand: cards that win tricks."""
    return (hand & (_ROCKETS | _TOP)).bit_count()


def serves(hand: int, wins: int) -> bool:
    """Whether a member says yes to a role that lets him win so many tricks and no other.

    Four and more need as many strong cards. With fewer he must lose the other tricks: low cards do
    that by themselves, one rocket falls under R4, a second is likely to win. Each trick to be won
    needs an eight or nine.
    """
    if wins > 2:
        return strong(hand) >= wins
    return (hand & _ROCKETS).bit_count() <= 1 and (hand & _TOP).bit_count() >= wins


def leads(hand: int, wins: int) -> bool:
    """Whether the commander takes a role of many tricks himself, where he may.

    He has the first lead, so he does with one strong card less than the role has tricks.
    """
    return wins > 2 and strong(hand) >= wins - 1


def _asked(deal: Deal, candidates: Sequence[Seat]) -> list[Seat]:
    """Others than the commander in the order in which the first to say yes is named.

    Clockwise from the commander; JARVIS last, whose covered cards speak for nobody.
    """
    others = list(_round(deal, deal.seats))[1:]
    able = [seat for seat in others if seat in candidates]
    return sorted(able, key=lambda seat: seat == deal.jarvis) or list(candidates)


def _named(asked: Sequence[Seat], hands: Sequence[int], yes: Callable[[int], bool]) -> Seat:
    """The first who says yes; if nobody does, the last: JARVIS's no is the least certain."""
    return next((seat for seat in asked if yes(hands[seat])), asked[-1])


def _members(problem: Problem, hands: Sequence[int]) -> list[Seat]:
    """Chosen members: for each role the commander himself, or whom he names after asking."""
    commander = problem.deal.commander
    members: list[Seat] = []
    for number, candidates in enumerate(problem.roles):
        wins = _wins(problem, number)
        if commander in candidates and leads(hands[commander], wins):
            members.append(commander)
            continue
        asked = _asked(problem.deal, [seat for seat in candidates if seat not in members])
        members.append(_named(asked, hands, partial(serves, wins=wins)))
    return members


def _wins(problem: Problem, number: int) -> int:
    """Tricks that a chosen member has to win."""
    own = [goal for goal in problem.goals if goal.who == Role(number)]
    counts = [goal.n for goal in own if isinstance(goal, CountTricks) and goal.op != "at-most"]
    counts += [len(goal.must) for goal in own if isinstance(goal, WinPositions)]
    return max(counts, default=0)
