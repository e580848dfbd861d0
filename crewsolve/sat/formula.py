"""A formula in the making: fresh variables, clauses, counting constraints.

Literals are non-zero ints as in DIMACS. Clauses come as Python lists, or as rows of numpy arrays
that are broadcast against each other, so that whole families are written in one line.

Counting constraints are kept apart for a solver that knows them natively (Liffiton and Maglalang,
"A Cardinality Solver: More Expressive Constraints for Free", SAT 2012), or become clauses
through python-sat where a proof is wanted: pairwise for short at-most-ones, else the sequential
counter (Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", CP 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from pysat.card import CardEnc, EncType

Ints = npt.NDArray[np.int64]
Clause = Sequence[int]

TRUE = 1
"""Variable 1 is true in every formula, so that constants are literals too."""

_PAIRWISE = 6


class Formula:
    """Clauses and counting constraints over variables 1..top.

    native: keep counting constraints for the solver instead of writing clauses for them.
    """

    def __init__(self, native: bool = True) -> None:
        self.top = TRUE
        self.native = native
        self.chunks: list[Sequence[Clause]] = []
        self.clauses: list[Clause] = [[TRUE]]
        self.at_mosts: list[tuple[list[int], int]] = []

    def new(self) -> int:
        """A fresh variable."""
        self.top += 1
        return self.top

    def array(self, *shape: int) -> Ints:
        """Fresh variables in an array of this shape, numbered in C order."""
        size = int(np.prod(shape))
        block = np.arange(self.top + 1, self.top + 1 + size, dtype=np.int64).reshape(shape)
        self.top += size
        return block

    def add(self, *literals: int) -> None:
        """One clause; true literals drop it, false ones drop out."""
        if TRUE not in literals:
            self.clauses.append([lit for lit in literals if lit != -TRUE])

    def extend(self, clauses: Sequence[Clause]) -> None:
        """Many clauses, kept as they are (a template may be shared between formulas)."""
        self.chunks.append(clauses)

    def rows(self, *columns: Ints) -> None:
        """One clause for each element of the columns, broadcast against each other."""
        self.extend(rows(*columns))

    def at_most(self, literals: Iterable[int], k: int) -> None:
        """At most k of the literals are true."""
        lits = [int(lit) for lit in literals if lit != -TRUE]
        k -= sum(lit == TRUE for lit in lits)
        lits = [lit for lit in lits if lit != TRUE]
        if k < 0:
            self.add(-TRUE)
        elif k == 0:
            self.clauses.extend([-lit] for lit in lits)
        elif len(lits) > k:
            self._count(lits, k)

    def at_most_one(self, groups: Iterable[list[int]]) -> None:
        """At most one literal of each group is true; groups of plain variables, no constants."""
        if self.native:
            self.at_mosts.extend((group, 1) for group in groups)
        else:
            for group in groups:
                self.at_most(group, 1)

    def _count(self, lits: list[int], k: int) -> None:
        if k == 1 and len(lits) <= 2:
            self.add(-lits[0], -lits[1])
        elif self.native:
            self.at_mosts.append((lits, k))
        else:
            kind = EncType.pairwise if k == 1 and len(lits) <= _PAIRWISE else EncType.seqcounter
            cnf = CardEnc.atmost(lits=lits, bound=k, top_id=self.top, encoding=kind)
            self.top = max(self.top, cnf.nv)
            self.clauses.extend(cnf.clauses)

    def at_least(self, literals: Iterable[int], k: int) -> None:
        """At least k of the literals are true."""
        lits = list(literals)
        if k == 1:
            self.add(*lits)
        elif k > 1:
            self.at_most((-lit for lit in lits), len(lits) - k)

    def exactly_one(self, literals: Iterable[int]) -> None:
        """Exactly one of the literals is true."""
        lits = list(literals)
        self.add(*lits)
        self.at_most(lits, 1)

    def all_of(self, literals: Sequence[int]) -> int:
        """A literal that is true exactly if all of these are."""
        lits = [lit for lit in literals if lit != TRUE]
        if -TRUE in lits:
            return -TRUE
        if len(lits) < 2:
            return lits[0] if lits else TRUE
        both = self.new()
        for lit in lits:
            self.add(-both, lit)
        self.add(both, *(-lit for lit in lits))
        return both

    def any_of(self, literals: Sequence[int]) -> int:
        """A literal that is true exactly if one of these is."""
        return -self.all_of([-lit for lit in literals])

    def parts(self) -> list[Sequence[Clause]]:
        """All clauses, in chunks."""
        return [*self.chunks, self.clauses]


def rows(*columns: Ints) -> list[list[int]]:
    """Clauses from columns of literals that are broadcast against each other."""
    shape = np.broadcast_shapes(*(column.shape for column in columns))
    table = np.empty((*shape, len(columns)), dtype=np.int64)
    for place, column in enumerate(columns):
        table[..., place] = column
    clauses: list[list[int]] = table.reshape(-1, len(columns)).tolist()
    return clauses
