------------------------------- MODULE Crawl -------------------------------
(***************************************************************************)
(* The crawl, written a second time.                                       *)
(*                                                                         *)
(* This is a witness for spec/crawl/specification.py: the same rules, with *)
(* the same identifiers and sources, in another language, with another     *)
(* checker and another state.  A URL has a status, a worker has a URL or   *)
(* none, and the join is a counter, as it is in the chapter's queue.       *)
(* Budgets are not raised step by step, but derived from the set of URLs   *)
(* that are done: a root, and a URL that a done page links to, has the     *)
(* full budget; a URL n done redirects away from it has n less; the        *)
(* shortest way counts.  That is the confluence of the crawl, stated as a  *)
(* definition.  The chapter's rule (FirstWins) has no such form: its       *)
(* budgets depend on the past.                                             *)
(*                                                                         *)
(* The site is a variable that never changes, so that one run of the       *)
(* checker covers many sites; so is the least solution of its equation.    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Sites,      \* a site gives for each URL its answer: [kind |-> "page", "redirect" or "error", to |-> URLs]
    Roots,      \* URLs of every site
    Limit,      \* the full budget
    FirstWins,  \* whether the first offer fixes the budget of a URL
    Worker,
    Idle, Gone  \* of a worker that fetches nothing: it waits for a URL, or was cancelled

Kinds == {"page", "redirect", "error"}

(* CRAWL-7: There is a root, every link and redirect leads to a URL of the site, budgets are natural numbers. *)
ASSUME
    /\ Limit \in Nat /\ FirstWins \in BOOLEAN /\ Roots # {} /\ Idle # Gone
    /\ \A s \in Sites :
        /\ Roots \subseteq DOMAIN s
        /\ \A u \in DOMAIN s :
            /\ s[u].kind \in Kinds /\ s[u].to \subseteq DOMAIN s
            /\ s[u].kind = "redirect" => Cardinality(s[u].to) = 1
            /\ s[u].kind = "error" => s[u].to = {}

VARIABLES
    site, least,    \* these two never change
    budget,         \* for each URL, the budget known for redirects from it on; -1: the URL is unknown
    status,         \* for each URL, its status
    worker,         \* for each worker, the URL that it fetches, Idle or Gone
    fetches,        \* for each URL, how often it was fetched
    unfinished,     \* how many URLs are queued or in flight
    phase           \* the phase of the crawl

vars == <<site, least, budget, status, worker, fetches, unfinished, phase>>

Url == DOMAIN site

TypeOK ==
    /\ budget \in [Url -> -1..Limit]
    /\ status \in [Url -> {"unknown", "queued", "fetching", "done"}]
    /\ worker \in [Worker -> Url \cup {Idle, Gone}]
    /\ fetches \in [Url -> Nat]
    /\ unfinished \in Nat
    /\ phase \in {"run", "joined", "closed"}

-----------------------------------------------------------------------------
(* The budgets that follow from a set of URLs that are done. *)

Of(kind, s, d) == {u \in d : s[u].kind = kind}

RECURSIVE Rich(_, _, _)
\* The URLs with a budget of n or more.
Rich(s, d, n) ==
    IF n = Limit
    THEN Roots \cup UNION {s[u].to : u \in Of("page", s, d)}
    ELSE LET richer == Rich(s, d, n + 1)
         IN  richer \cup UNION {s[u].to : u \in Of("redirect", s, d \cap richer)}

\* The budget of every URL: the greatest n with which it is in that set.
Known(s, d) == [v \in DOMAIN s |-> Cardinality({n \in 0..Limit : v \in Rich(s, d, n)}) - 1]

RECURSIVE Fetched(_, _)
\* The URLs that a crawl fetches after it has fetched d.
Fetched(s, d) ==
    LET e == Rich(s, d, 0)
    IN  IF e = d THEN d ELSE Fetched(s, e)

\* CRAWL-8: `least' is closed under the site's equation; and nothing less is.
Least(s) == Known(s, Fetched(s, Roots))

-----------------------------------------------------------------------------
(* CRAWL-9: At first the roots are known and queued, with the full budget, and nothing else. *)
Init ==
    /\ site \in Sites
    /\ least = Least(site)
    /\ budget = [u \in Url |-> IF u \in Roots THEN Limit ELSE -1]
    /\ status = [u \in Url |-> IF u \in Roots THEN "queued" ELSE "unknown"]
    /\ worker = [w \in Worker |-> Idle]
    /\ fetches = [u \in Url |-> 0]
    /\ unfinished = Cardinality(Roots)
    /\ phase = "run"

(* CRAWL-10: An idle worker takes any queued URL and fetches it. *)
Start(w, u) ==
    /\ worker[w] = Idle /\ status[u] = "queued"
    /\ worker' = [worker EXCEPT ![w] = u]
    /\ status' = [status EXCEPT ![u] = "fetching"]
    /\ fetches' = [fetches EXCEPT ![u] = @ + 1]
    /\ UNCHANGED <<site, least, budget, unfinished, phase>>

Done == {u \in Url : status[u] = "done"}

\* The budgets when u is done.  The chapter's rule: only URLs that are not known get a budget, from that of u now.
Budgets(u) ==
    LET given == IF site[u].kind = "page" THEN Limit ELSE budget[u] - 1
    IN  IF FirstWins
        THEN [v \in Url |-> IF budget[v] = -1 /\ v \in site[u].to THEN given ELSE budget[v]]
        ELSE Known(site, Done \cup {u})

\* The URLs that become known by these budgets.
New(budgets) == {v \in Url : budget[v] = -1 /\ budgets[v] # -1}

\* w reports u done: new URLs are queued; if nothing is left to do, the join is released.
Report(w, u, budgets) ==
    LET new == New(budgets)
    IN  /\ budget' = budgets
        /\ status' = [v \in Url |-> IF v = u THEN "done" ELSE IF v \in new THEN "queued" ELSE status[v]]
        /\ worker' = [worker EXCEPT ![w] = Idle]
        /\ unfinished' = unfinished + Cardinality(new) - 1
        /\ phase' = IF unfinished' = 0 THEN "joined" ELSE phase
        /\ UNCHANGED <<site, least, fetches>>

Fetches(w, u, kind) == worker[w] = u /\ site[u].kind = kind

(* CRAWL-11: A page arrives: its links are offered the full budget. *)
Page(w, u) == Fetches(w, u, "page") /\ Report(w, u, Budgets(u))

(* CRAWL-3: A redirect arrives: its target is offered one less than the best budget known for it now, if any is left. *)
Redirect(w, u) == Fetches(w, u, "redirect") /\ Report(w, u, Budgets(u))

(* CRAWL-5: A fetch that fails is a result too: the URL is done, and its worker continues. *)
Fail(w, u) == Fetches(w, u, "error") /\ Report(w, u, budget)

(* CRAWL-12: After the join, the workers are cancelled. *)
Cancel(w) ==
    /\ phase = "joined" /\ worker[w] # Gone
    /\ worker' = [worker EXCEPT ![w] = Gone]
    /\ UNCHANGED <<site, least, budget, status, fetches, unfinished, phase>>

(* CRAWL-13: When every worker was cancelled, the crawl is closed. *)
Close ==
    /\ phase = "joined" /\ \A w \in Worker : worker[w] = Gone
    /\ phase' = "closed"
    /\ UNCHANGED <<site, least, budget, status, worker, fetches, unfinished>>

Next ==
    \/ \E w \in Worker : \E u \in Url : Start(w, u) \/ Page(w, u) \/ Redirect(w, u) \/ Fail(w, u)
    \/ \E w \in Worker : Cancel(w)
    \/ Close

\* Some step is taken while one is possible.  Steps are never undone, so no more is needed.
Fairness == WF_vars(Next)

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
(* CRAWL-14: No budget exceeds the least solution. *)
Sound == \A u \in Url : -1 <= budget[u] /\ budget[u] <= least[u]

(* CRAWL-15: The known URLs are those that are queued, in flight or done: none is forgotten, none invented. *)
Accounted == \A u \in Url : budget[u] >= 0 <=> status[u] # "unknown"

(* CRAWL-16: No URL is two of queued, in flight, done; no two workers fetch one URL; no worker fetches two. *)
Apart == \A u \in Url : Cardinality({w \in Worker : worker[w] = u}) = IF status[u] = "fetching" THEN 1 ELSE 0

(* CRAWL-1: No URL is fetched more than once. *)
Once == \A u \in Url : fetches[u] <= 1

(* CRAWL-23: A URL that is in flight or done was fetched, any other was not. *)
Fetched == \A u \in Url : fetches[u] = 0 <=> status[u] \notin {"fetching", "done"}

(* CRAWL-17: The roots keep the full budget. *)
Rooted == \A r \in Roots : budget[r] = Limit

(* CRAWL-4: The URLs that a done URL leads to are known, with the budget that follows from the best one known now; *)
(* under the chapter's rule, with any budget.                                                                     *)
ClosedWhenDone ==
    \A u \in Done : \A v \in site[u].to :
        LET deserves == IF site[u].kind = "page" THEN Limit ELSE budget[u] - 1
        IN  deserves >= 0 => budget[v] >= IF FirstWins THEN 0 ELSE deserves

(* CRAWL-18: The join is released exactly when nothing is queued and nothing is in flight. *)
JoinExact == phase = "run" <=> \E u \in Url : status[u] \in {"queued", "fetching"}

(* CRAWL-6: After the join, the URLs done are those of the least solution, and the budgets are its budgets.  For *)
(* the chapter's rule, only the URLs are compared.                                                               *)
Answer ==
    phase # "run" =>
        /\ Done = {u \in Url : least[u] >= 0}
        /\ FirstWins \/ budget = least

(* CRAWL-19: While the crawl runs, every worker is alive; when it is closed, none is. *)
Outlived ==
    /\ phase = "run" => \A w \in Worker : worker[w] # Gone
    /\ phase = "closed" => \A w \in Worker : worker[w] = Gone

\* A crawl ends only when it is closed.
Ends == phase = "closed" \/ ENABLED Next

(* CRAWL-2: A budget that is known never falls. *)
Grows == [][\A u \in Url : budget[u] <= budget'[u]]_vars

(* CRAWL-21: A crawl that has begun is closed in the end, if its actions are fair: every step advances some URL, or *)
(* the end of the crawl.                                                                                           *)
Terminates == phase = "run" ~> phase = "closed"
=============================================================================
