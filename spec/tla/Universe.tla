------------------------------ MODULE Universe ------------------------------
(***************************************************************************)
(* Every site of a size, for the module Crawl: a second definition of the  *)
(* sites that spec/crawl/sites.py counts.                                  *)
(***************************************************************************)
EXTENDS Integers

\* The answers of URL u in a site of n URLs; with oddities, also an error, and links and redirects to itself.
Answers(n, u, oddities) ==
    LET others == IF oddities THEN 0..(n - 1) ELSE 0..(n - 1) \ {u}
    IN  [kind : {"page"}, to : SUBSET others]
        \cup [kind : {"redirect"}, to : {{v} : v \in others}]
        \cup (IF oddities THEN {[kind |-> "error", to |-> {}]} ELSE {})

OfSize(n, oddities) ==
    LET url == 0..(n - 1)
        answers == [u \in url |-> Answers(n, u, oddities)]
    IN  {s \in [url -> UNION {answers[u] : u \in url}] : \A u \in url : s[u] \in answers[u]}

\* Every site of `least' to `most' URLs.
Between(least, most, oddities) == UNION {OfSize(n, oddities) : n \in least..most}
=============================================================================
