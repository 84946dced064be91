----------------------------- MODULE JoinQueue -----------------------------
(***************************************************************************)
(* The join queue of asyncio, written a second time.                       *)
(*                                                                         *)
(* This is a witness for spec/queue/specification.py: the same rules, with *)
(* the same identifiers and sources, in another language, with another     *)
(* checker and another state.  The tasks that wait for an item, or for     *)
(* room, are a sequence each, the oldest first; waking takes its head off. *)
(* The signals to a task are two sets: `woken' and `cancelled' (both: it   *)
(* was cancelled before it could run, and must pass the wake-up on).  If   *)
(* both specifications mean the same, their states correspond one to one,  *)
(* and so do their steps: a step is one way to make one action true,       *)
(* whether it changes the state or not.                                    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Task,
    Item,
    MaxSize,    \* the capacity; 0 or less: no bound
    Puts,       \* how many items may be put in all: it makes the model finite
    Withdraws,  \* whether requests to cancel may be taken back
    Nothing     \* of a task that does not wait to put, instead of an item

(* QUEUE-9: There is a task; a maxsize of 0 or less means no bound. *)
ASSUME Task # {} /\ IsFiniteSet(Task) /\ MaxSize \in Int /\ Puts \in Nat /\ Withdraws \in BOOLEAN /\ Nothing \notin Item

VARIABLES
    buffer,     \* the items, the oldest first
    unfinished, \* how many items were put and not yet reported done
    holds,      \* for each task, how many items it got and has not reported done
    call,       \* for each task, the call in which it waits
    brings,     \* for each task, the item that its waiting put brings
    line,       \* for each place, the tasks that wait there without a signal
    woken,      \* the tasks that were woken and have not run since
    cancelled,  \* the tasks that were cancelled while they waited and have not run since
    sent, got   \* all that was ever put, and got: read by no action but to bound the model

vars == <<buffer, unfinished, holds, call, brings, line, woken, cancelled, sent, got>>

Place == {"get", "put"}

TypeOK ==
    /\ buffer \in Seq(Item) /\ sent \in Seq(Item) /\ got \in Seq(Item)
    /\ unfinished \in Int
    /\ holds \in [Task -> Int]
    /\ call \in [Task -> {"none", "get", "put", "join"}]
    /\ brings \in [Task -> Item \cup {Nothing}]
    /\ line \in [Place -> Seq(Task)]
    /\ woken \subseteq Task /\ cancelled \subseteq Task

Full == MaxSize > 0 /\ Len(buffer) >= MaxSize

Waits(t, c) == call[t] = c /\ t \notin woken /\ t \notin cancelled

Waiting(c) == {t \in Task : Waits(t, c)}

Signalled(c) == {t \in woken : call[t] = c}

-----------------------------------------------------------------------------
(* Parts of actions. *)

\* The call of t begins to wait.
Wait(t, c, x) ==
    /\ call' = [call EXCEPT ![t] = c]
    /\ brings' = [brings EXCEPT ![t] = x]
    /\ line' = IF c \in Place THEN [line EXCEPT ![c] = Append(@, t)] ELSE line
    /\ UNCHANGED <<buffer, unfinished, holds, woken, cancelled, sent, got>>

\* t was woken in vain: it goes to the end of the line.
WaitAgain(t) ==
    /\ woken' = woken \ {t}
    /\ line' = [line EXCEPT ![call[t]] = Append(@, t)]
    /\ UNCHANGED <<buffer, unfinished, holds, call, brings, cancelled, sent, got>>

Oldest(p) == IF line[p] = <<>> THEN {} ELSE {Head(line[p])}

\* The call of t returns, and the oldest waiter in each of those places is woken.
Return(t, places) ==
    /\ call' = [call EXCEPT ![t] = "none"]
    /\ brings' = [brings EXCEPT ![t] = Nothing]
    /\ cancelled' = cancelled \ {t}
    /\ woken' = (woken \ {t}) \cup UNION {Oldest(p) : p \in places}
    /\ line' = [p \in Place |-> IF p \in places /\ line[p] # <<>> THEN Tail(line[p]) ELSE line[p]]

\* t gets the oldest item, and there is room for one more.
Take(t) ==
    /\ buffer' = Tail(buffer)
    /\ got' = Append(got, Head(buffer))
    /\ holds' = [holds EXCEPT ![t] = @ + 1]
    /\ Return(t, {"put"})
    /\ UNCHANGED <<unfinished, sent>>

\* t puts x, and there is one more item to get.
Add(t, x) ==
    /\ buffer' = Append(buffer, x)
    /\ sent' = Append(sent, x)
    /\ unfinished' = unfinished + 1
    /\ Return(t, {"get"})
    /\ UNCHANGED <<holds, got>>

-----------------------------------------------------------------------------
(* QUEUE-10: A new queue is empty, with nothing unfinished and no task waiting. *)
Init ==
    /\ buffer = <<>> /\ sent = <<>> /\ got = <<>>
    /\ unfinished = 0
    /\ holds = [t \in Task |-> 0]
    /\ call = [t \in Task |-> "none"]
    /\ brings = [t \in Task |-> Nothing]
    /\ line = [p \in Place |-> <<>>]
    /\ woken = {} /\ cancelled = {}

(* QUEUE-24: get_nowait takes the oldest item, or is refused: it raises QueueEmpty and changes nothing. *)
GetNowait(t) ==
    /\ call[t] = "none"
    /\ IF buffer # <<>> THEN Take(t) ELSE UNCHANGED vars

(* QUEUE-11: A get takes the oldest item at once, even before a getter that was woken; in an empty queue it waits. *)
Get(t) ==
    /\ call[t] = "none"
    /\ IF buffer # <<>> THEN Take(t) ELSE Wait(t, "get", Nothing)

(* QUEUE-4: A woken getter takes the oldest item, or waits again when another task was faster. *)
GetResume(t) ==
    /\ t \in Signalled("get") \ cancelled
    /\ IF buffer # <<>> THEN Take(t) ELSE WaitAgain(t)

MayPut(t) ==
    /\ call[t] = "none"
    /\ Len(sent) + Cardinality({p \in Task : call[p] = "put"}) < Puts

(* QUEUE-25: put_nowait adds its item where there is room, or is refused: it raises QueueFull and changes nothing. *)
PutNowait(t, x) ==
    /\ MayPut(t)
    /\ IF Full THEN UNCHANGED vars ELSE Add(t, x)

(* QUEUE-12: A put with room adds its item at once, even before a putter that was woken; in a full queue it waits. *)
Put(t, x) ==
    /\ MayPut(t)
    /\ IF Full THEN Wait(t, "put", x) ELSE Add(t, x)

(* QUEUE-13: A woken putter adds its item, or waits again when another task was faster. *)
PutResume(t) ==
    /\ t \in Signalled("put") \ cancelled
    /\ IF Full THEN WaitAgain(t) ELSE Add(t, brings[t])

(* QUEUE-14: The holder of an item reports it done; the report that leaves nothing unfinished releases every join. *)
(* With nothing unfinished a report is refused: it raises ValueError and changes nothing.                          *)
TaskDone(t) ==
    /\ call[t] = "none"
    /\ \/ /\ holds[t] > 0
          /\ unfinished' = unfinished - 1
          /\ holds' = [holds EXCEPT ![t] = @ - 1]
          /\ woken' = woken \cup (IF unfinished' = 0 THEN Waiting("join") ELSE {})
          /\ UNCHANGED <<buffer, call, brings, line, cancelled, sent, got>>
       \/ /\ holds[t] = 0 /\ unfinished = 0
          /\ UNCHANGED vars

(* QUEUE-15: A join waits while something is unfinished, and else returns at once. *)
Join(t) ==
    /\ call[t] = "none"
    /\ IF unfinished > 0 THEN Wait(t, "join", Nothing) ELSE UNCHANGED vars

(* QUEUE-16: A released join returns, whatever was put since. *)
JoinResume(t) ==
    /\ t \in Signalled("join") \ cancelled
    /\ Return(t, {})
    /\ UNCHANGED <<buffer, unfinished, holds, sent, got>>

(* QUEUE-17: A waiting task is cancelled, before or after it was woken; a second cancel changes nothing. *)
Cancel(t) ==
    /\ call[t] # "none"
    /\ cancelled' = cancelled \cup {t}
    /\ line' = [p \in Place |-> SelectSeq(line[p], LAMBDA w : w # t)]
    /\ UNCHANGED <<buffer, unfinished, holds, call, brings, woken, sent, got>>

(* QUEUE-33: When every request to cancel a task is taken back, a waiter that was woken before is woken as if it had *)
(* not been cancelled; one that was not is cancelled all the same.                                                 *)
Uncancel(t) ==
    /\ Withdraws /\ t \in cancelled
    /\ cancelled' = cancelled \ (IF t \in woken THEN {t} ELSE {})
    /\ UNCHANGED <<buffer, unfinished, holds, call, brings, line, woken, sent, got>>

\* Whether a task that waits in such a call could continue.
Reason(c) == (c = "get" /\ buffer # <<>>) \/ (c = "put" /\ ~Full)

(* QUEUE-18: A cancelled task leaves; one that had been woken passes the wake-up on, if there still is a reason. *)
Unwind(t) ==
    /\ t \in cancelled
    /\ Return(t, IF t \in woken /\ Reason(call[t]) THEN {call[t]} ELSE {})
    /\ UNCHANGED <<buffer, unfinished, holds, sent, got>>

Next ==
    \E t \in Task :
        \/ GetNowait(t) \/ Get(t) \/ GetResume(t)
        \/ \E x \in Item : PutNowait(t, x) \/ Put(t, x)
        \/ PutResume(t)
        \/ TaskDone(t) \/ Join(t) \/ JoinResume(t)
        \/ Cancel(t) \/ Uncancel(t) \/ Unwind(t)

\* A task that can run does run, and the holder of an item reports it in the end.
Fairness ==
    \A t \in Task :
        /\ WF_vars(GetResume(t)) /\ WF_vars(PutResume(t)) /\ WF_vars(JoinResume(t))
        /\ WF_vars(TaskDone(t)) /\ WF_vars(Unwind(t))

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
RECURSIVE Sum(_, _)
Sum(f, ts) == IF ts = {} THEN 0 ELSE LET t == CHOOSE t \in ts : TRUE IN f[t] + Sum(f, ts \ {t})

(* QUEUE-19: Only a waiting task has a signal, and only a waiting putter carries an item. *)
Clean ==
    \A t \in Task :
        /\ call[t] = "none" => t \notin woken \cup cancelled
        /\ (call[t] = "put") <=> (brings[t] # Nothing)

(* QUEUE-20: Every unfinished item is in the buffer or held by a task. *)
Conserved == unfinished = Len(buffer) + Sum(holds, Task)

(* QUEUE-1: The items put are the items got followed by the items in the buffer, in order. *)
Fifo == sent = got \o buffer

(* QUEUE-2: The buffer never holds more than maxsize items. *)
Bounded == MaxSize > 0 => Len(buffer) <= MaxSize

(* QUEUE-5: While a getter waits, every item in the buffer has a wake-up on its way. *)
NoLostGetter == Waiting("get") # {} => Len(buffer) <= Cardinality(Signalled("get"))

(* QUEUE-21: While a putter waits, every free place has a wake-up on its way. *)
NoLostPutter == MaxSize > 0 /\ Waiting("put") # {} => MaxSize - Len(buffer) <= Cardinality(Signalled("put"))

(* QUEUE-8: No task reports more items than it got, so that the count of unfinished items is never negative. *)
NeverNegative == \A t \in Task : holds[t] >= 0

(* QUEUE-7: A join waits only while something is unfinished, however often the count rose and fell. *)
JoinWaits == Waiting("join") # {} => unfinished > 0

(* QUEUE-22: The tasks that wait for an item, and those that wait for room, are in one line each. *)
LinedUp ==
    \A p \in Place :
        /\ {line[p][i] : i \in DOMAIN line[p]} = Waiting(p)
        /\ Len(line[p]) = Cardinality(Waiting(p))

(* QUEUE-34: No more items were put, and are to be put, than the model allows. *)
Limited == Len(sent) + Cardinality({p \in Task : call[p] = "put"}) <= Puts

(* QUEUE-6: A waiting join is released by the very step that leaves nothing unfinished, and by no other. *)
Released == [][\A t \in Waiting("join") : t \in woken' <=> unfinished' = 0]_vars

(* QUEUE-3: No getter, and no putter, is woken before one that has waited longer. *)
OldestFirst ==
    [][\A p \in Place : \A i, j \in DOMAIN line[p] :
        i < j /\ line[p][j] \in woken' => line[p][i] \in woken' \cup cancelled']_vars

(* QUEUE-23: A task that is not cancelled leaves a get with an item, a put with its item added, a join when released. *)
Served ==
    [][\A t \in Task \ cancelled :
        /\ call[t] = "get" /\ call'[t] = "none" => holds'[t] = holds[t] + 1
        /\ call[t] = "put" /\ call'[t] = "none" => sent' = Append(sent, brings[t])
        /\ call[t] = "join" /\ call'[t] = "none" => t \in woken]_vars

(* QUEUE-27: The step in which a cancelled task leaves moves no item. *)
EmptyHanded ==
    [][\A t \in cancelled : call'[t] = "none" => UNCHANGED <<buffer, sent, got>>]_vars

(* QUEUE-26: A task that is woken or cancelled runs, if no request is taken back: it leaves, or waits again. *)
ComesToRest == \A t \in Task : ~Withdraws /\ t \in woken \cup cancelled ~> t \notin woken \cup cancelled
=============================================================================
