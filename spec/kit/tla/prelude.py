"""The definitions in TLA+ that every module begins with: operations of Python that TLA+ has not."""

from __future__ import annotations

import re

PRELUDE = r"""
CONSTANT None
Named(name, holds) == holds \/ (PrintT(<<"broken", name>>) /\ FALSE)
Number(b) == IF b THEN 1 ELSE 0
Max(a, b) == IF a >= b THEN a ELSE b
Min(a, b) == IF a <= b THEN a ELSE b
Range(q) == {q[i] : i \in DOMAIN q}
At(q, i) == IF i < 0 THEN q[Len(q) + i + 1] ELSE q[i + 1]
First(q) == IF q = <<>> THEN <<>> ELSE <<Head(q)>>
Rest(q) == IF q = <<>> THEN <<>> ELSE Tail(q)
RECURSIVE SumOver(_, _)
SumOver(f, d) == IF d = {} THEN 0 ELSE LET x == CHOOSE x \in d : TRUE IN f[x] + SumOver(f, d \ {x})
Sum(f) == SumOver(f, DOMAIN f)
RECURSIVE Less(_, _)
Less(p, q) == IF p = <<>> THEN q # <<>> ELSE IF q = <<>> THEN FALSE
    ELSE IF Head(p) = Head(q) THEN Less(Tail(p), Tail(q)) ELSE Head(p) < Head(q)
Item(rows, key) == LET found == {r[2] : r \in {r \in rows : r[1] = key}}
    IN IF Cardinality(found) = 1 THEN CHOOSE x \in found : TRUE ELSE Assert(FALSE, <<"two values of", key>>)
MapOf(rows) == [key \in {r[1] : r \in rows} |-> Item(rows, key)]
"""
#: The names that no operator may have: these, those of TLA+'s standard modules, and those of `module.py`.
RESERVED = re.findall(r"\b[A-Z]\w*(?=\(.*\) ==)", PRELUDE) + re.findall(
    r"\w+",
    """
    None Nat Int Seq Len Append Head Tail SubSeq SelectSeq Cardinality IsFiniteSet Print PrintT Assert JavaTime TLCGet
    TLCSet Permutations SortSeq RandomElement Any ToString TLCEval Init Next Spec Constants Initial Family Deadlock
    HighConstants HighInitial Refines
    """,
)
