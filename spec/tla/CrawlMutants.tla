---------------------------- MODULE CrawlMutants ----------------------------
(***************************************************************************)
(* The mutants of spec/crawl/mutants.py, under the same names: each, in    *)
(* the place of the right action, breaks the property that it breaks       *)
(* there, after as many steps.  Only a budget that is read too early has   *)
(* no counterpart: here it is always derived anew, from the URLs done.     *)
(***************************************************************************)
EXTENDS Crawl

Larger(a, b) == IF a > b THEN a ELSE b

\* The budgets after u offered `given' to its targets, and no redirect passed anything on.
Raised(u, given) == [v \in Url |-> IF v \in site[u].to THEN Larger(budget[v], given) ELSE budget[v]]

PageForgets(w, u) == Fetches(w, u, "page") /\ Report(w, u, Raised(u, Limit))

RedirectForgets(w, u) == Fetches(w, u, "redirect") /\ Report(w, u, Raised(u, budget[u] - 1))

\* The last report releases the join although it brings links.
PageDoneFirst(w, u) ==
    LET new == New(Budgets(u))
    IN  /\ Fetches(w, u, "page")
        /\ budget' = Budgets(u)
        /\ status' = [v \in Url |-> IF v = u THEN "done" ELSE IF v \in new THEN "queued" ELSE status[v]]
        /\ worker' = [worker EXCEPT ![w] = Idle]
        /\ unfinished' = unfinished + Cardinality(new) - 1
        /\ phase' = IF unfinished = 1 THEN "joined" ELSE phase
        /\ UNCHANGED <<site, least, fetches>>

\* The links are known, and not queued.
PageNotQueued(w, u) ==
    /\ Fetches(w, u, "page")
    /\ budget' = Budgets(u)
    /\ status' = [status EXCEPT ![u] = "done"]
    /\ worker' = [worker EXCEPT ![w] = Idle]
    /\ unfinished' = unfinished - 1
    /\ phase' = IF unfinished' = 0 THEN "joined" ELSE phase
    /\ UNCHANGED <<site, least, fetches>>

\* The page itself is queued again.
PageQueuedAgain(w, u) ==
    LET new == New(Budgets(u))
    IN  /\ Fetches(w, u, "page")
        /\ budget' = Budgets(u)
        /\ status' = [v \in Url |-> IF v \in new \cup {u} THEN "queued" ELSE status[v]]
        /\ worker' = [worker EXCEPT ![w] = Idle]
        /\ unfinished' = unfinished + Cardinality(new)
        /\ UNCHANGED <<site, least, fetches, phase>>

\* Each fetch of a URL is two.
StartTwice(w, u) ==
    /\ worker[w] = Idle /\ status[u] = "queued"
    /\ worker' = [worker EXCEPT ![w] = u]
    /\ status' = [status EXCEPT ![u] = "fetching"]
    /\ fetches' = [fetches EXCEPT ![u] = @ + 2]
    /\ UNCHANGED <<site, least, budget, unfinished, phase>>

\* A URL that is fetched stays in the queue.
StartStillQueued(w, u) ==
    /\ worker[w] = Idle /\ status[u] = "queued"
    /\ worker' = [worker EXCEPT ![w] = u]
    /\ fetches' = [fetches EXCEPT ![u] = @ + 1]
    /\ UNCHANGED <<site, least, budget, status, unfinished, phase>>

RedirectForFree(w, u) == Fetches(w, u, "redirect") /\ Report(w, u, Raised(u, budget[u]))

RedirectOverwrites(w, u) ==
    /\ Fetches(w, u, "redirect")
    /\ Report(w, u, [v \in Url |-> IF v \in site[u].to THEN budget[u] - 1 ELSE budget[v]])

\* A worker may be cancelled before the join.
CancelAnyTime(w) ==
    /\ phase # "closed" /\ worker[w] # Gone
    /\ worker' = [worker EXCEPT ![w] = Gone]
    /\ UNCHANGED <<site, least, budget, status, fetches, unfinished, phase>>
=============================================================================
