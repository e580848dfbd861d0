"""A slow solver for small decks, written from the rules alone: the check of the engines.

It shares no code with the engines, the referee or the judges of `crewsolve.goals`: cards are
played here, missions are judged here by their number, goals by what their names say. It walks over
every legal card of every pass, and cuts a line only where a finished trick cannot be repaired.

A seat's cards are piles, the open card on top: a person's are piles of one, JARVIS's of two. A card
beneath opens when the one above it is played; nobody plays twice in a trick, so that is in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from crewsolve.deal import Deal
from crewsolve.goals import (
    Balance,
    CountTricks,
    EachWins,
    Goal,
    Role,
    WinCards,
    WinPositions,
    WinWith,
)
from crewsolve.problem import Choices, Problem

Card = int
Pile = tuple[Card, ...]
Place = tuple[Pile, ...]
Table = tuple[Place, ...]

TRUMP = 4
ONES, NINES = frozenset({0, 9, 18, 27}), frozenset({8, 17, 26, 35})
PINKS, ROCKETS = frozenset(range(9)), frozenset(range(36, 40))

DECISION, DISTRIBUTION = (20, 27, 37), (24, 32, 36, 43)
HAND_ON = (25, 27, 28, 30, 31, 32, 35, 36, 37, 38, 39, 40, 42, 43, 45, 47, 48, 49)
"""Missions in which five players may hand one task on."""


# Cards on the table


def set_table(deal: Deal) -> Table:
    """The piles of each seat before the first card."""
    people: list[Place] = [tuple((card,) for card in hand) for hand in deal.hands]
    if deal.jarvis is not None:
        people[deal.jarvis] = tuple(
            (top,) if under is None else (under, top) for top, under in deal.columns
        )
    return tuple(people)


def cards_in(place: Place) -> list[Card]:
    """All cards of a seat, open and covered."""
    return [card for pile in place for card in pile]


def tricks_in(table: Table) -> int:
    """Number of full tricks."""
    return min(len(cards_in(place)) for place in table)


def legal(place: Place, led: int | None) -> list[Card]:
    """Cards that a seat may play: open ones, of the suit led if there is one among them."""
    shown = [pile[-1] for pile in place]
    return [card for card in shown if card // 9 == led] or shown


def without(place: Place, card: Card) -> Place:
    """A seat's piles after it played an open card."""
    left = (pile[:-1] if pile[-1] == card else pile for pile in place)
    return tuple(pile for pile in left if pile)


def winner_of(cards: Sequence[Card]) -> int:
    """Which card of a trick wins, counted from its leader."""
    best = 0
    for place, card in enumerate(cards):
        suit, best_suit = card // 9, cards[best] // 9
        if (suit == best_suit and card > cards[best]) or (suit == TRUMP != best_suit):
            best = place
    return best


def exchange(table: Table, gifts: Mapping[int, Card], to: Mapping[int, int]) -> Table | None:
    """Everybody gives a card at once; what a seat receives lies where its gift lay.

    None if somebody does not hold what he should give.
    """
    if any(card not in cards_in(table[seat]) for seat, card in gifts.items()):
        return None
    received = {to[seat]: card for seat, card in gifts.items()}
    return tuple(
        tuple(
            tuple(received[seat] if card == gifts.get(seat) else card for card in pile)
            for pile in place
        )
        for seat, place in enumerate(table)
    )


def all_tricks(
    table: Table, leader: int, forced: Sequence[Card] = (), cards: tuple[Card, ...] = ()
) -> Iterator[tuple[tuple[Card, ...], Table]]:
    """Every way of playing a trick that begins with the forced cards, and the table after it."""
    if len(cards) == len(table):
        yield cards, table
        return
    seat = (leader + len(cards)) % len(table)
    choice = legal(table[seat], cards[0] // 9 if cards else None)
    if len(cards) < len(forced):
        choice = [card for card in choice if card == forced[len(cards)]]
    for card in choice:
        after = (*table[:seat], without(table[seat], card), *table[seat + 1 :])
        yield from all_tricks(after, leader, forced, (*cards, card))


# What has happened


@dataclass(frozen=True)
class Trick:
    """A finished trick: its cards, who won it, and with which card."""

    cards: tuple[Card, ...]
    winner: int
    top: Card


@dataclass(frozen=True)
class Play:
    """Finished tricks of an attempt that has `total` of them."""

    tricks: tuple[Trick, ...]
    total: int

    @property
    def over(self) -> bool:
        """Whether the last trick is played."""
        return len(self.tricks) == self.total

    def when(self, card: Card) -> int:
        """Number of the trick with a card; beyond the last trick while there is none."""
        for number, trick in enumerate(self.tricks, 1):
            if card in trick.cards:
                return number
        return self.total + 1

    def winners(self) -> list[int]:
        """Who won each trick."""
        return [trick.winner for trick in self.tricks]

    def left_over(self, cards: Iterable[Card]) -> bool:
        """Whether some of the cards stay in a hand for good."""
        return self.over and any(self.when(card) > self.total for card in cards)


# Tasks and tokens


def tokens_broken(play: Play, cards: Sequence[Card], tokens: Sequence[str | None]) -> bool:
    """Whether the tricks break the order of the tokens; cards not played yet come later than all.

    Number k is the k-th of all tasks: fewer than k come home before it, at least k with it.
    """
    times = [play.when(card) for card in cards]
    never = play.total + 1
    if play.over and never in times:
        return True
    for token, time in zip(tokens, times, strict=True):
        if token is None:
            continue
        if token.isdigit():
            before = sum(other < time for other in times)
            by_then = sum(other <= time for other in times)
            if before >= int(token) or (time < never and by_then < int(token)):
                return True
        elif token == "last" and max(times) > time:
            return True
    arrows = sorted(
        (len(token), time)
        for token, time in zip(tokens, times, strict=True)
        if token is not None and token[0] == ">"
    )
    in_order = [time for _, time in arrows]
    return in_order != sorted(in_order)


def omega_broken(play: Play, cards: Sequence[Card], tokens: Sequence[str | None]) -> bool:
    """Mission 48: the task with the omega comes home in the very last trick."""
    early = {card for card, token in zip(cards, tokens, strict=True) if token == "last"}
    return any(play.when(card) < play.total for card in early)


@lru_cache
def reachable(
    kind: str, tasks: int, seats: int, commander: int, takers: tuple[int, ...], hand_on: bool
) -> frozenset[tuple[int, ...]]:
    """Every sharing of tasks that the rules can bring about.

    takers: who may be named in a decision. hand_on: one task may go to somebody else afterwards.
    """
    drafted = sorted((commander + pick) % seats for pick in range(tasks))
    found = set()
    for owners in product(range(seats), repeat=tasks):
        counts = [owners.count(seat) for seat in range(seats)]
        if kind == "draft":
            fits = sorted(owners) == drafted
        elif kind == "decision":
            fits = owners[0] in takers and len(set(owners)) == 1
        else:
            fits = max(counts) - min(counts) <= 1
        if fits:
            found.add(owners)
    if hand_on:
        for owners in list(found):
            for task, seat in product(range(tasks), range(seats)):
                found.add((*owners[:task], seat, *owners[task + 1 :]))
    return frozenset(found)


def _way_of_sharing(problem: Problem) -> tuple[str, tuple[int, ...]]:
    """How the mission hands tasks out, and who may be named in a decision."""
    number = problem.mission.number if problem.mission else 0
    if number in DISTRIBUTION:
        return "distribution", ()
    if number not in DECISION:
        return "draft", ()
    may = dict(problem.settings).get("commander-chosen") == "may"
    takers = tuple(s for s in range(problem.deal.seats) if may or s != problem.deal.commander)
    if problem.sharing is not None and len(problem.sharing.receivers) == 1:
        takers = problem.sharing.receivers  # named in the input
    return "decision", takers


def _agrees(named: Sequence[int | None], owners: Sequence[int]) -> bool:
    """Whether a sharing has the owners that are named."""
    return all(name in (None, owner) for name, owner in zip(named, owners, strict=True))


def _as_well_as_counts_allow(
    kind: str, named: Sequence[int | None], seats: int, commander: int
) -> list[tuple[int, ...]]:
    """Sharings for owners that no rule brings about: nobody else gets more than his share."""
    tasks = len(named)
    share = [-(-tasks // seats)] * seats
    if kind == "draft":
        share = [len(range((seat - commander) % seats, tasks, seats)) for seat in range(seats)]
    most = [max(share[seat], named.count(seat)) for seat in range(seats)]
    return [
        owners
        for owners in product(range(seats), repeat=tasks)
        if _agrees(named, owners) and all(owners.count(s) <= most[s] for s in range(seats))
    ]


def owners_of(problem: Problem) -> list[tuple[int, ...]]:
    """Every final sharing of the tasks: as written where it is, else as the mission hands out.

    A named owner is the final one. A task that the input says was handed on had its giver before,
    and no other is handed on then.
    """
    cards = [task.card for task in problem.tasks]
    named = [task.owner for task in problem.tasks]
    given = [owner for owner in named if owner is not None]
    if len(given) == len(named):
        return [tuple(given)]
    seats, number = problem.deal.seats, problem.mission.number if problem.mission else 0
    kind, takers = _way_of_sharing(problem)
    hand_on = seats == 5 and number in HAND_ON and problem.moved is None
    if problem.moved is not None:
        named[cards.index(problem.moved[0])] = problem.moved[1]
    ways = reachable(kind, len(named), seats, problem.deal.commander, takers, hand_on)
    found = [owners for owners in sorted(ways) if _agrees(named, owners)]
    if not found and kind != "decision":
        found = _as_well_as_counts_allow(kind, named, seats, problem.deal.commander)
    if problem.moved is not None:
        moved, _, taker = problem.moved
        found = [
            tuple(taker if card == moved else o for card, o in zip(cards, owners, strict=True))
            for owners in found
        ]
    return found


def layouts_of(problem: Problem) -> list[tuple[str | None, ...]]:
    """Every layout of tokens: two change places in mission 23, one moves in mission 40."""
    tokens = tuple(task.token for task in problem.tasks)
    number = problem.mission.number if problem.mission else 0
    all_named = all(task.owner is not None for task in problem.tasks)
    if number not in (23, 40) or problem.swap is not None or all_named or problem.played:
        return [tokens]
    found = {tokens}
    for one, other in product(range(len(tokens)), repeat=2):
        if tokens[one] is not None and (tokens[other] is None) == (number == 40):
            changed = list(tokens)
            changed[one], changed[other] = tokens[other], tokens[one]
            found.add(tuple(changed))
    return sorted(found, key=repr)


# Missions and goals: whether finished tricks break them for good


def off(count: int, play: Play, op: str, n: int) -> bool:
    """Whether a count is too high, or too low once all is over."""
    return (op != "at-least" and count > n) or (op != "at-most" and play.over and count < n)


def wins_with(play: Play, cards: Iterable[Card], who: int | None = None, until: int = 99) -> int:
    """Number of tricks, up to a certain one, that a member (or anybody) wins with these cards."""
    return sum(trick.top in cards and who in (None, trick.winner) for trick in play.tricks[:until])


def unbalanced(play: Play, seats: int) -> bool:
    """Whether somebody was two tricks ahead of another after some trick."""
    for number in range(1, len(play.tricks) + 1):
        won = [play.winners()[:number].count(seat) for seat in range(seats)]
        if max(won) - min(won) > 1:
            return True
    return False


def cards_lost(play: Play, who: int | None, cards: Iterable[Card], leftover: str) -> bool:
    """Whether another member wins one of the cards, or one stays in a hand and must not."""
    taken = any(t.winner != who and any(card in t.cards for card in cards) for t in play.tricks)
    return taken or (leftover == "fail" and play.left_over(cards))


def one_beaten(play: Play, cards: Iterable[Card], ordered: bool, leftover: str) -> bool:
    """Whether one of the cards does not win its trick, or wins it out of order."""
    wanted = sorted(cards)
    for trick in play.tricks:
        if any(card in trick.cards and card != trick.top for card in wanted):
            return True
    times = [play.when(card) for card in wanted]
    if ordered and leftover == "ok":
        times = [time for time in times if time <= play.total]
    if ordered and times != sorted(times):
        return True
    return leftover == "fail" and play.left_over(wanted)


def wrong_places(play: Play, who: int | None, must: set[int], may: set[int]) -> bool:
    """Whether a member lost a trick that he must win, or won one that he may not."""
    if not must <= may or any(number > play.total for number in must):
        return True
    for number, winner in enumerate(play.winners(), 1):
        if (number in must and winner != who) or (number not in may and winner == who):
            return True
    return False


def until_home(play: Play, tasks: Sequence[Card], until: str) -> int:
    """Number of tricks that a ban covers: all, or up to the one that brings the last task home."""
    if until == "strict":
        return play.total
    return max((play.when(card) for card in tasks), default=0)


def mission_broken(problem: Problem, play: Play, chosen: Sequence[int]) -> bool:
    """Whether the tricks break the text of the mission (tasks and tokens apart)."""
    number = problem.mission.number if problem.mission else 0
    settings = dict(problem.settings)
    deal, winners = problem.deal, play.winners()
    dealt = {card for hand in deal.hands for card in hand}
    if number == 5:
        return chosen[0] in winners
    if number in (9, 26):
        return off(wins_with(play, ONES), play, "at-least", 1 if number == 9 else 2)
    if number in (13, 44):
        leftover = settings["leftover-rocket"]
        return one_beaten(play, ROCKETS & dealt, number == 44, leftover)
    if number in (16, 17):
        tasks = [task.card for task in problem.tasks]
        end = until_home(play, tasks, settings["nine-ban"] if number == 17 else "strict")
        return wins_with(play, NINES, until=end) > 0
    if number in (29, 34):
        ends = {1, play.total}
        anywhere = set(range(1, play.total + 1))
        commander = number == 34 and wrong_places(play, deal.commander, ends, anywhere)
        return commander or unbalanced(play, deal.seats)
    if number == 33:
        count = winners.count(chosen[0])
        return wins_with(play, ROCKETS, chosen[0]) > 0 or off(count, play, "exactly", 1)
    if number == 46:
        holder = next(seat for seat, hand in enumerate(deal.hands) if 8 in hand)
        winner = (holder + 1) % deal.seats
        return cards_lost(play, winner, PINKS & dealt, settings["leftover-pink"])
    return _placed_broken(number, play, chosen)


def _placed_broken(number: int, play: Play, chosen: Sequence[int]) -> bool:
    """Missions 41 and 50, where chosen members win certain tricks and no others."""
    if number == 41:
        ends = {1, play.total}
        rocket = wins_with(play, ROCKETS, chosen[0]) > 0
        return rocket or wrong_places(play, chosen[0], ends, ends)
    if number == 50:
        first, last = {1, 2, 3, 4}, {play.total}
        return wrong_places(play, chosen[0], first, first) or wrong_places(
            play, chosen[1], last, last
        )
    return False


def goal_broken(problem: Problem, goal: Goal, play: Play, chosen: Sequence[int]) -> bool:
    """Whether the tricks break a goal that a puzzle adds."""
    who = chosen[goal.who.number] if isinstance(goal.who, Role) else goal.who
    mask = getattr(goal, "cards", 0)
    cards = [card for card in range(40) if mask >> card & 1]
    if isinstance(goal, CountTricks):
        return off(play.winners().count(-1 if who is None else who), play, goal.op, goal.n)
    if isinstance(goal, WinCards):
        return cards_lost(play, who, cards, goal.unplayed)
    if isinstance(goal, WinWith):
        tasks = [task.card for task in problem.tasks]
        end = until_home(play, tasks, goal.until)
        return off(wins_with(play, cards, who, end), play, goal.op, goal.n)
    if isinstance(goal, EachWins):
        return one_beaten(play, cards, goal.ordered, goal.unplayed)
    if isinstance(goal, WinPositions):
        must = {play.total if place == "last" else place for place in goal.must}
        barred = {play.total if place == "last" else place for place in goal.must_not}
        may = must if goal.only else set(range(1, play.total + 1)) | must
        return wrong_places(play, who, must, may - barred)
    assert isinstance(goal, Balance)
    return unbalanced(play, problem.deal.seats)


# The walk


@dataclass(frozen=True)
class Open:
    """Values of the crew's free choices for which the tricks so far are not lost yet."""

    owners: tuple[tuple[int, ...], ...]
    layouts: tuple[tuple[str | None, ...], ...]
    chosen: tuple[tuple[int, ...], ...]

    def after(self, problem: Problem, play: Play) -> Open | None:
        """Choices that stand one more trick; None if it loses the attempt whatever they were."""
        cards = [task.card for task in problem.tasks]
        last = play.tricks[-1]
        home = [index for index, card in enumerate(cards) if card in last.cards]
        omega = problem.mission is not None and problem.mission.number == 48
        extra = problem.goals[len(problem.mission.goals) if problem.mission else 0 :]
        owners = tuple(o for o in self.owners if all(o[index] == last.winner for index in home))
        layouts = tuple(
            tokens
            for tokens in self.layouts
            if not tokens_broken(play, cards, tokens)
            and not (omega and omega_broken(play, cards, tokens))
        )
        if not owners or not layouts:
            return None
        chosen = tuple(
            members
            for members in self.chosen
            if not mission_broken(problem, play, members)
            and not any(goal_broken(problem, goal, play, members) for goal in extra)
        )
        return Open(owners, layouts, chosen) if chosen else None


def chosen_of(problem: Problem) -> tuple[tuple[int, ...], ...]:
    """Every choice of members: one, not the commander (5, 33, 41), or two different ones (50)."""
    number = problem.mission.number if problem.mission else 0
    if number not in (5, 33, 41, 50):
        return ((),)
    if all(len(seats) == 1 for seats in problem.roles):  # named in the input
        return (tuple(seats[0] for seats in problem.roles),)
    seats, commander = range(problem.deal.seats), problem.deal.commander
    if number == 50:
        return tuple((a, b) for a, b in product(seats, repeat=2) if a != b)
    may = dict(problem.settings)["commander-chosen"] == "may"
    return tuple((seat,) for seat in seats if may or seat != commander)


def passed_tables(problem: Problem) -> Iterator[Table]:
    """The table after every pass that may be made."""
    table = set_table(problem.deal)
    seats = range(problem.deal.seats)
    jarvis = problem.deal.jarvis
    out = jarvis if dict(problem.settings).get("jarvis-pass") == "out" else None
    givers = [seat for seat in seats if seat != out]
    if problem.passed is None and problem.distress in ("none", "best"):
        yield table
    for direction in ("left", "right"):
        if problem.passed is not None:
            if problem.passed.direction != direction:
                continue
            own: list[list[Card]] = [[card] for card in problem.passed.cards if card is not None]
        elif problem.distress in (direction, "best"):
            own = [[c for c in legal(table[seat], None) if c < 36] for seat in givers]
        else:
            continue
        turn = 1 if direction == "left" else -1
        to = {giver: givers[(n + turn) % len(givers)] for n, giver in enumerate(givers)}
        for gifts in product(*own):
            after = exchange(table, dict(zip(givers, gifts, strict=True)), to)
            assert after is not None
            yield after


def drawn_tables(problem: Problem, table: Table) -> list[Table]:
    """Mission 12: the table after every draw that has to be looked at; none if it is impossible."""
    draw = problem.draw
    assert draw is not None
    seats = range(len(table))
    if draw.cards is not None:
        draws: Iterable[tuple[Card, ...]] = [draw.cards]
    elif draw.mode == "seeded":
        held = [cards_in(place) for place in table]
        draws = [tuple(next(card for card in draw.order if card in own) for own in held)]
    else:
        draws = product(*(cards_in(place) for place in table))
    left = {seat: (seat + 1) % len(table) for seat in seats}
    found = (exchange(table, dict(zip(seats, gifts, strict=True)), left) for gifts in draws)
    return [after for after in found if after is not None]


def winnable_from(problem: Problem, table: Table, leader: int, play: Play, choices: Open) -> bool:
    """Whether some way of playing on wins for some of the choices."""
    if play.over:
        return True
    number = len(play.tricks)
    forced = problem.played[number] if number < len(problem.played) else ()
    for cards, after in all_tricks(table, leader, forced):
        place = winner_of(cards)
        winner = (leader + place) % len(table)
        now = Play((*play.tricks, Trick(cards, winner, cards[place])), play.total)
        still = choices.after(problem, now)
        if still is None:
            continue
        if problem.draw is not None and number == 0 and not now.over:
            if _draw_wins(problem, after, winner, now, still):
                return True
        elif winnable_from(problem, after, winner, now, still):
            return True
    return False


def _draw_wins(problem: Problem, table: Table, leader: int, play: Play, choices: Open) -> bool:
    """Whether the attempt is won over trick 1 and the draw (or all draws, where they all count)."""
    if not problem.goals and all(play.when(task.card) == 1 for task in problem.tasks):
        return True  # won before anybody draws
    assert problem.draw is not None
    tables = drawn_tables(problem, table)
    wins = (winnable_from(problem, after, leader, play, choices) for after in tables)
    every = problem.draw.mode == "every" and problem.draw.cards is None
    return all(wins) if every else any(wins)


def exhaustive(problem: Problem) -> str:
    """``winnable`` or ``unwinnable``, by trying everything."""
    leader = problem.deal.leader
    owners = tuple(owners_of(problem))
    choices = Open(owners, tuple(layouts_of(problem)), chosen_of(problem))
    before = [choices]
    if problem.draw is not None and problem.draw.mode == "every":
        before = [replace(choices, owners=(one,)) for one in owners]  # fixed before the draw
    for table in passed_tables(problem):
        start = Play((), tricks_in(table))
        if any(winnable_from(problem, table, leader, start, fixed) for fixed in before):
            return "winnable"
    return "unwinnable"


def allows(problem: Problem, choices: Choices, line: Sequence[Sequence[Card]]) -> str | None:
    """What is wrong with a win as reported, or None: a choice not allowed, or a line that fails.

    Where mission 12's win must hold for every draw, only trick 1 of the line counts.
    """
    owners = [task.owner for task in choices.tasks]
    if tuple(owners) not in owners_of(problem):
        return "owners"
    if tuple(task.token for task in choices.tasks) not in layouts_of(problem):
        return "tokens"
    if problem.roles and choices.chosen not in chosen_of(problem):
        return "chosen members"
    fixed = replace(
        problem,
        tasks=choices.tasks,
        sharing=None,
        roles=tuple((seat,) for seat in choices.chosen) if problem.roles else (),
        passed=choices.passed,
        distress="none",
        played=tuple(map(tuple, line)),
    )
    draw = problem.draw
    if draw is not None and draw.cards is None and draw.mode == "every":
        fixed = replace(fixed, played=fixed.played[:1])
    elif draw is not None and draw.mode == "some" and choices.drawn is not None:
        fixed = replace(fixed, draw=replace(draw, cards=choices.drawn))
    start = next(passed_tables(fixed))
    if not any(start == table for table in passed_tables(problem)):
        return "pass"
    return None if exhaustive(fixed) == "winnable" else "line"


def told_rightly(problem: Problem, choices: Choices) -> bool:
    """Whether the changes that a win reports explain its tokens and, of free tasks, its owners."""
    tokens = {task.card: task.token for task in problem.tasks}
    if problem.swap is None and choices.swap is not None:
        one, other = choices.swap
        tokens[one], tokens[other] = tokens[other], tokens[one]
    if any(tokens[task.card] != task.token for task in choices.tasks):
        return False
    if not problem.tasks or any(task.owner is not None for task in problem.tasks):
        return True
    owners = {task.card: task.owner for task in choices.tasks}
    if choices.moved is not None:
        card, giver, taker = choices.moved
        if owners[card] != taker:
            return False
        owners[card] = giver
    kind, takers = _way_of_sharing(problem)
    before = tuple(owner for owner in owners.values() if owner is not None)
    seats, commander = problem.deal.seats, problem.deal.commander
    return before in reachable(kind, len(before), seats, commander, takers, False)
