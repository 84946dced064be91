---------------------------- MODULE QueueMutants ----------------------------
(***************************************************************************)
(* The mutants of spec/queue/mutants.py, under the same names: each, in    *)
(* the place of the right action, breaks the property that it breaks       *)
(* there, after as many steps.  Only a cancelled task that stays in line   *)
(* shows one step sooner: here a line may hold one, there it needs a pair. *)
(***************************************************************************)
EXTENDS JoinQueue

\* t takes an item, and no putter is woken.
TakeSilently(t) ==
    /\ buffer' = Tail(buffer)
    /\ got' = Append(got, Head(buffer))
    /\ holds' = [holds EXCEPT ![t] = @ + 1]
    /\ Return(t, {})
    /\ UNCHANGED <<unfinished, sent>>

Leave(t) == Return(t, {}) /\ UNCHANGED <<buffer, unfinished, holds, sent, got>>

GetSilently(t) ==
    /\ call[t] = "none"
    /\ IF buffer # <<>> THEN TakeSilently(t) ELSE Wait(t, "get", Nothing)

GetNowaitSilently(t) ==
    /\ call[t] = "none"
    /\ IF buffer # <<>> THEN TakeSilently(t) ELSE UNCHANGED vars

GetResumeSilently(t) ==
    /\ t \in Signalled("get") \ cancelled
    /\ IF buffer # <<>> THEN TakeSilently(t) ELSE WaitAgain(t)

GetResumeWithNothing(t) ==
    /\ t \in Signalled("get") \ cancelled
    /\ Return(t, IF Reason("get") THEN {"get"} ELSE {})
    /\ UNCHANGED <<buffer, unfinished, holds, sent, got>>

UnwindBringingTheItem(t) ==
    /\ t \in cancelled
    /\ IF t \in woken /\ call[t] = "put" /\ ~Full
       THEN Add(t, brings[t])
       ELSE /\ Return(t, IF t \in woken /\ Reason(call[t]) THEN {call[t]} ELSE {})
            /\ UNCHANGED <<buffer, unfinished, holds, sent, got>>

\* The get that empties the buffer releases every join.
GetAndRelease(t) ==
    /\ call[t] = "none"
    /\ IF Len(buffer) = 1
       THEN /\ buffer' = <<>>
            /\ got' = Append(got, Head(buffer))
            /\ holds' = [holds EXCEPT ![t] = @ + 1]
            /\ woken' = woken \cup Oldest("put") \cup Waiting("join")
            /\ line' = [line EXCEPT !["put"] = SelectSeq(@, LAMBDA w : w \notin Oldest("put"))]
            /\ UNCHANGED <<unfinished, call, brings, cancelled, sent>>
       ELSE IF buffer # <<>> THEN Take(t) ELSE Wait(t, "get", Nothing)

GetTheNewest(t) ==
    /\ call[t] = "none"
    /\ IF buffer # <<>>
       THEN /\ buffer' = SubSeq(buffer, 1, Len(buffer) - 1)
            /\ got' = Append(got, buffer[Len(buffer)])
            /\ holds' = [holds EXCEPT ![t] = @ + 1]
            /\ Return(t, {"put"})
            /\ UNCHANGED <<unfinished, sent>>
       ELSE Wait(t, "get", Nothing)

PutAnyway(t, x) == MayPut(t) /\ Add(t, x)

\* A task puts more than the model allows.
PutBeyond(t, x) == call[t] = "none" /\ ~Full /\ Add(t, x)

PutCountingTwice(t, x) ==
    /\ MayPut(t)
    /\ IF Full
       THEN Wait(t, "put", x)
       ELSE /\ buffer' = Append(buffer, x)
            /\ sent' = Append(sent, x)
            /\ unfinished' = unfinished + 2
            /\ Return(t, {"get"})
            /\ UNCHANGED <<holds, got>>

PutWakingAnyone(t, x) ==
    /\ MayPut(t)
    /\ IF Full
       THEN Wait(t, "put", x)
       ELSE /\ buffer' = Append(buffer, x)
            /\ sent' = Append(sent, x)
            /\ unfinished' = unfinished + 1
            /\ \E ws \in IF line["get"] = <<>> THEN {{}} ELSE {{w} : w \in Waiting("get")} :
                /\ woken' = woken \cup ws
                /\ line' = [line EXCEPT !["get"] = SelectSeq(@, LAMBDA w : w \notin ws)]
            /\ UNCHANGED <<holds, call, brings, cancelled, got>>

JoinEvenSo(t) == call[t] = "none" /\ Wait(t, "join", Nothing)

TaskDoneBelowZero(t) ==
    /\ call[t] = "none"
    /\ holds[t] > 0 \/ unfinished = 0
    /\ unfinished' = unfinished - 1
    /\ holds' = [holds EXCEPT ![t] = @ - 1]
    /\ UNCHANGED <<buffer, call, brings, line, woken, cancelled, sent, got>>

\* A cancelled task keeps its place in the line.
CancelStandingInLine(t) ==
    /\ call[t] # "none"
    /\ cancelled' = cancelled \cup {t}
    /\ UNCHANGED <<buffer, unfinished, holds, call, brings, line, woken, sent, got>>

\* A cancelled task just leaves.
UnwindSilently(t) == t \in cancelled /\ Leave(t)

UnwindKeepingTheSignal(t) ==
    /\ t \in cancelled
    /\ call' = [call EXCEPT ![t] = "none"]
    /\ brings' = [brings EXCEPT ![t] = Nothing]
    /\ UNCHANGED <<buffer, unfinished, holds, line, woken, cancelled, sent, got>>
=============================================================================
