------------------------------- MODULE Quorum -------------------------------
(***************************************************************************)
(* How one lock is taken on a majority of independent nodes, and why its   *)
(* tokens grow. README.md beside this file says what is left out, how long *)
(* each configuration takes, and how each unsafe variant breaks.           *)
(*                                                                         *)
(* Time.  There are no clocks here. What the protocol needs of them is     *)
(* assumption A1: a node's lease does not end before the deadline that the *)
(* client computed for itself. So a deadline may pass at any moment, and a *)
(* node may let go of a claim only after that claim's deadline.            *)
(*                                                                         *)
(* Tokens.  A node that is free answers ANY value above the last one it    *)
(* stored (and not below the floor of the request): max(last+1, time, P)   *)
(* with a clock that may show anything. That covers every proposal P, so P *)
(* itself does not appear; only a raise and a top-up carry a floor.        *)
(*                                                                         *)
(* Messages.  A request stays in the network for ever and may be executed  *)
(* at any time, more than once or never, in any order; its answer reaches  *)
(* the client or does not. An answer is noted when the request is executed:*)
(* the client may act on it at any later time, and one that comes after    *)
(* the client went on is the same as one that was lost.                    *)
(*                                                                         *)
(* Claims.  A client has one claim at a time. When its round is over, the  *)
(* claim becomes an orphan: it can still be granted by a late request and  *)
(* still blocks nodes, until a release arrives or its lease ends, but it   *)
(* can never be handed out, so nobody needs to know which one it was. Thus *)
(* the number of rounds is not bounded; the number of tokens is.           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Nodes, Clients,
    Quorum,         \* how many nodes make a majority: 2 of 3
    MaxToken,       \* tokens are 1..MaxToken; a node that has stored MaxToken grants no more
    MaxRestarts,    \* how many times a node restarts, over all nodes
    Orphans,        \* TRUE: claims whose round is over linger on nodes, and late requests make more of them
    Renewals,       \* TRUE: holders renew, re-assert and top up
    Raise,          \* "owner": as implemented. Unsafe: "none", "unconditional"
    DeadlineCheck,  \* "after" the raise: as implemented. Unsafe: "before"
    Guard,          \* "incarnation": as implemented. Unsafe: "marker", "none"
    Reassert        \* whose re-assert counts. "had": as implemented. Unsafe: "any"

ASSUME /\ Raise \in {"owner", "none", "unconditional"}
       /\ DeadlineCheck \in {"after", "before"}
       /\ Guard \in {"incarnation", "marker", "none"}
       /\ Reassert \in {"had", "any"}

VARIABLES
    \* Of each node
    last,     \* the last token it stored
    owner,    \* the claim it is granted to: Free, Orphan, or the client whose present claim it is
    lease,    \* how long, for the owner's present claim: "now" covers the client's deadline, "next" also the
              \* deadline that the renewal under way will give it, "past" neither: it may end any time
    shut,     \* TRUE: it restarted, and its guard lets nobody in
    awaited,  \* while shut: how many deadlines of each client must pass before the leases it may have forgotten are over
    high,     \* the highest token it ever stored, whether it remembers or not. Nobody reads it but Open.
    \* Of each client
    phase,    \* "asking", "raising" or "holding"
    value,    \* what it raises to, or its token while it holds
    answers,  \* what each node answered to the present request, 0 for nothing yet
    lapsed,   \* TRUE: its deadline passed before it was handed out
    had,      \* of a holder: the nodes whose answers gave it its present deadline
    \* Of the world
    highest,  \* the highest token handed out
    inOrder,  \* FALSE: a token was handed out that was not above all handed out before
    restarts

nodeVars == <<last, owner, lease, shut, awaited, high>>
clientVars == <<phase, value, answers, lapsed, had>>
worldVars == <<highest, inOrder, restarts>>
vars == <<nodeVars, clientVars, worldVars>>

Free == "free"
Orphan == "orphan"
Tokens == 1..MaxToken
Nothing == [n \in Nodes |-> 0]

Max(a, b) == IF a > b THEN a ELSE b
Answered(c) == {n \in Nodes : answers[c][n] # 0}
Greatest(c) == CHOOSE v \in {answers[c][n] : n \in Nodes} : \A n \in Nodes : answers[c][n] <= v
Holding(c) == phase[c] = "holding"
\* The value that a majority answered, as a set: empty or one value.
Agreed(c) == {v \in Tokens : Cardinality({n \in Nodes : answers[c][n] = v}) >= Quorum}

Init ==
    /\ last = Nothing
    /\ owner = [n \in Nodes |-> Free]
    /\ lease = [n \in Nodes |-> "now"]
    /\ shut = [n \in Nodes |-> FALSE]
    /\ awaited = [n \in Nodes |-> [c \in Clients |-> 0]]
    /\ high = Nothing
    /\ phase = [c \in Clients |-> "asking"]
    /\ value = [c \in Clients |-> 0]
    /\ answers = [c \in Clients |-> Nothing]
    /\ lapsed = [c \in Clients |-> FALSE]
    /\ had = [c \in Clients |-> {}]
    /\ highest = 0
    /\ inOrder = TRUE
    /\ restarts = 0

(***************************************************************************)
(* What a node does with a request, atomically.                            *)
(***************************************************************************)

\* It stores token t for claim c, with a lease that covers c's deadline.
Store(n, c, t) ==
    /\ last' = [last EXCEPT ![n] = t]
    /\ high' = [high EXCEPT ![n] = Max(@, t)]
    /\ owner' = [owner EXCEPT ![n] = c]

\* Free: granted with any token above the last one and not below the floor.
GrantFree(n, c, floor, t) ==
    /\ ~shut[n]
    /\ owner[n] = Free
    /\ t > last[n]
    /\ t >= floor
    /\ Store(n, c, t)
    /\ lease' = [lease EXCEPT ![n] = "now"]
    /\ UNCHANGED <<shut, awaited>>

\* Owned by the same claim: its token is raised to the floor, if it is below.
GrantAgain(n, c, floor, t) ==
    /\ ~shut[n]
    /\ owner[n] = c
    /\ t = Max(last[n], floor)
    /\ Store(n, c, t)
    /\ UNCHANGED <<lease, shut, awaited>>

Attempt(n, c, floor, t) == GrantFree(n, c, floor, t) \/ GrantAgain(n, c, floor, t)

\* The answer t of node n reaches client c, if it has none yet, or is lost.
Note(c, n, t) ==
    \/ /\ answers[c][n] = 0
       /\ answers' = [answers EXCEPT ![c][n] = t]
    \/ UNCHANGED answers

(***************************************************************************)
(* A round of a client.                                                    *)
(***************************************************************************)

\* A client that asks has made a new claim and sent attempt(claim, P) to all nodes; nothing tells it from one that has not yet.
\* Its deadline counts from there. Here the attempt is executed while the client waits for it.
AttemptArrives(c, n) ==
    /\ phase[c] = "asking"
    /\ \E t \in Tokens : Attempt(n, c, 0, t) /\ Note(c, n, t)
    /\ UNCHANGED <<phase, value, lapsed, had, worldVars>>

\* The attempt is executed when the client has gone on with the same claim: a duplicate, a late one, or, of a holder, a
\* top-up of a node that it did not have. The client does not count it.
LateAttemptArrives(c, n) ==
    /\ phase[c] \in {"raising", "holding"}
    /\ \E t \in Tokens : GrantFree(n, c, 0, t)
    /\ UNCHANGED <<clientVars, worldVars>>

\* A majority answered, but no majority the same: ask again with the greatest answer as floor.
StartRaise(c) ==
    /\ phase[c] = "asking"
    /\ Raise # "none"
    /\ Cardinality(Answered(c)) >= Quorum
    /\ Agreed(c) = {}
    /\ phase' = [phase EXCEPT ![c] = "raising"]
    /\ value' = [value EXCEPT ![c] = Greatest(c)]
    /\ answers' = [answers EXCEPT ![c] = Nothing]
    /\ UNCHANGED <<nodeVars, lapsed, had, worldVars>>

\* The raise is an attempt with a floor. Any node may be asked. On one that is free it is a fresh grant, and counts if it
\* answers exactly the value.
RaiseArrives(c, n) ==
    /\ phase[c] = "raising"
    /\ Raise = "owner"
    /\ \E t \in Tokens : Attempt(n, c, value[c], t) /\ Note(c, n, t)
    /\ UNCHANGED <<phase, value, lapsed, had, worldVars>>

\* UNSAFE: the node stores and acknowledges whoever owns it.
UnconditionalRaiseArrives(c, n) ==
    /\ phase[c] = "raising"
    /\ Raise = "unconditional"
    /\ ~shut[n]
    /\ Store(n, owner[n], Max(last[n], value[c]))
    /\ Note(c, n, value[c])
    /\ UNCHANGED <<lease, shut, awaited, phase, value, lapsed, had, worldVars>>

\* A node answered more than it was raised to: go on with that.
RaiseAgain(c) ==
    /\ phase[c] = "raising"
    /\ Greatest(c) > value[c]
    /\ value' = [value EXCEPT ![c] = Greatest(c)]
    /\ answers' = [answers EXCEPT ![c] = Nothing]
    /\ UNCHANGED <<nodeVars, phase, lapsed, had, worldVars>>

\* The lease is the caller's from here on.
HandOut(c, t) ==
    /\ phase' = [phase EXCEPT ![c] = "holding"]
    /\ value' = [value EXCEPT ![c] = t]
    /\ answers' = [answers EXCEPT ![c] = Nothing]
    /\ highest' = Max(highest, t)
    /\ inOrder' = (inOrder /\ t > highest)
    /\ had' = [had EXCEPT ![c] = IF Renewals THEN Answered(c) ELSE {}]
    /\ UNCHANGED <<nodeVars, lapsed, restarts>>

\* One trip: a majority answered the same value, and the deadline is not over.
HandOutAtOnce(c) ==
    /\ phase[c] = "asking"
    /\ Raise # "none"
    /\ \E t \in Agreed(c) : HandOut(c, t)

\* Two trips: a majority answered exactly the value it was raised to, and the deadline is not over after that.
HandOutRaised(c) ==
    /\ phase[c] = "raising"
    /\ DeadlineCheck = "after" => ~lapsed[c]
    /\ value[c] \in Agreed(c)
    /\ HandOut(c, value[c])

\* UNSAFE: the greatest answer of a majority, which only one node may have stored.
HandOutGreatest(c) ==
    /\ phase[c] = "asking"
    /\ Raise = "none"
    /\ Cardinality(Answered(c)) >= Quorum
    /\ HandOut(c, Greatest(c))

\* The round is over. Its claim may linger on nodes until the release arrives or the lease ends. The next round has a new claim.
End(c) ==
    /\ phase' = [phase EXCEPT ![c] = "asking"]
    /\ value' = [value EXCEPT ![c] = 0]
    /\ answers' = [answers EXCEPT ![c] = Nothing]
    /\ lapsed' = [lapsed EXCEPT ![c] = FALSE]
    /\ had' = [had EXCEPT ![c] = {}]
    /\ owner' = [n \in Nodes |-> IF owner[n] # c THEN owner[n] ELSE IF Orphans THEN Orphan ELSE Free]
    /\ lease' = [n \in Nodes |-> IF owner[n] = c THEN "now" ELSE lease[n]]
    /\ awaited' = [n \in Nodes |-> [awaited[n] EXCEPT ![c] = 0]]
    /\ UNCHANGED <<last, shut, high, worldVars>>

\* Refused, timed out, interrupted, or found its deadline over: release on all nodes.
GiveUp(c) == ~Holding(c) /\ End(c)

\* The holder releases; or its deadline passes, which ends the lease for it at that moment.
HoldEnds(c) == Holding(c) /\ End(c)

\* The deadline passes during the raise, and the client has not looked at its clock yet. (Before the raise it looks before it goes
\* on, and if it is too late there, GiveUp is all it can do.)
DeadlinePasses(c) ==
    /\ phase[c] = "raising"
    /\ ~lapsed[c]
    /\ lapsed' = [lapsed EXCEPT ![c] = TRUE]
    /\ awaited' = [n \in Nodes |-> [awaited[n] EXCEPT ![c] = 0]]
    /\ UNCHANGED <<last, owner, lease, shut, high, phase, value, answers, had, worldVars>>

(***************************************************************************)
(* What happens to a node.                                                 *)
(***************************************************************************)

\* A claim leaves the node: released, or its lease ended, which A1 allows only after its own deadline.
LetGo(n) ==
    /\ \/ owner[n] = Orphan
       \/ lease[n] = "past"
       \/ \E c \in Clients : owner[n] = c /\ lapsed[c]
    /\ owner' = [owner EXCEPT ![n] = Free]
    /\ lease' = [lease EXCEPT ![n] = "now"]
    /\ UNCHANGED <<last, shut, awaited, high, clientVars, worldVars>>

\* A request of a claim whose round is over is executed, and nobody waits for it.
OrphanArrives(n) ==
    /\ Orphans
    /\ \E t \in Tokens : GrantFree(n, Orphan, 0, t)
    /\ UNCHANGED <<clientVars, worldVars>>

\* What was stored goes back to an earlier state: an older token, and nobody, the owner, or a holder who may have had the node before.
Restore(n, t, who) ==
    /\ t <= last[n]
    /\ who \in {Free, owner[n]} \cup {c \in Clients : Renewals /\ Holding(c)}
    /\ last' = [last EXCEPT ![n] = t]
    /\ owner' = [owner EXCEPT ![n] = who]
    /\ lease' = [lease EXCEPT ![n] = IF who \in Clients THEN "past" ELSE "now"]

\* The node restarts and has forgotten everything, or what was last. Its new incarnation shuts it, until every lease that it granted before is over.
Restart(n) ==
    /\ Guard = "incarnation"
    /\ restarts < MaxRestarts
    /\ restarts' = restarts + 1
    /\ \/ Restore(n, 0, Free)
       \/ \E t \in 0..last[n], who \in Clients \cup {Free, Orphan} : Restore(n, t, who)
    /\ shut' = [shut EXCEPT ![n] = TRUE]
    /\ awaited' = [awaited EXCEPT ![n] = [c \in Clients |->
           Max(@[c], IF owner[n] # c THEN 0 ELSE IF lease[n] = "next" THEN 2 ELSE 1)]]
    /\ UNCHANGED <<high, clientVars, highest, inOrder>>

\* UNSAFE. "marker": only a node that has lost its mark, and so everything, is shut. "none": no node is.
UnguardedRestart(n) ==
    /\ Guard # "incarnation"
    /\ restarts < MaxRestarts
    /\ restarts' = restarts + 1
    /\ \/ /\ Guard = "marker"
          /\ \E t \in Tokens : Restore(n, t, Free) /\ high' = [high EXCEPT ![n] = t]
       \/ /\ Guard = "none"
          /\ Restore(n, 0, Free)
          /\ high' = [high EXCEPT ![n] = 0]
    /\ UNCHANGED <<shut, awaited, clientVars, highest, inOrder>>

\* Every lease that was granted before the restart is over. Tokens are times, and the node was shut for longer than clocks
\* differ, so the next token will be above all that this node ever stored. (Not: above all that were handed out.)
Open(n) ==
    /\ shut[n]
    /\ \A c \in Clients : awaited[n][c] = 0
    /\ shut' = [shut EXCEPT ![n] = FALSE]
    /\ last' = [last EXCEPT ![n] = high[n]]
    /\ UNCHANGED <<owner, lease, awaited, high, clientVars, worldVars>>

(***************************************************************************)
(* How a hold goes on.                                                     *)
(***************************************************************************)

\* Renewal at a node: only of its own claim. A node that is shut also takes back a hold that it may have forgotten (re-assert), from
\* the holder with the highest token. But a shut node may have forgotten a rival instead, whose grant still counts. So its answer
\* counts only for a holder that had this node when it got its present deadline: then no rival can have had it since.
\* UNSAFE, Reassert = "any": it counts for every holder.
RenewArrives(c, n) ==
    /\ Renewals
    /\ Holding(c)
    /\ owner[n] = c \/ (shut[n] /\ last[n] < value[c])
    /\ Store(n, c, IF shut[n] THEN Max(last[n], value[c]) ELSE last[n])
    /\ lease' = [lease EXCEPT ![n] = "next"]
    /\ IF ~shut[n] \/ n \in had[c] \/ Reassert = "any" THEN Note(c, n, 1) ELSE UNCHANGED answers
    /\ UNCHANGED <<shut, awaited, phase, value, lapsed, had, worldVars>>

\* The same of a hold that is over: late.
OrphanRenewArrives(n) ==
    /\ Orphans
    /\ Renewals
    /\ shut[n]
    /\ \E t \in Tokens : last[n] < t /\ t <= highest /\ Store(n, Orphan, t)
    /\ lease' = [lease EXCEPT ![n] = "now"]
    /\ UNCHANGED <<shut, awaited, clientVars, worldVars>>

\* A majority renewed in one round: the deadline moves on. Nodes that did not renew may end their leases any time now.
Renewed(c) ==
    /\ Holding(c)
    /\ Cardinality(Answered(c)) >= Quorum
    /\ answers' = [answers EXCEPT ![c] = Nothing]
    /\ had' = [had EXCEPT ![c] = Answered(c)]
    /\ lease' = [n \in Nodes |-> IF owner[n] # c THEN lease[n] ELSE IF lease[n] = "next" THEN "now" ELSE "past"]
    /\ awaited' = [n \in Nodes |-> [awaited[n] EXCEPT ![c] = IF @ = 0 THEN 0 ELSE @ - 1]]
    /\ UNCHANGED <<last, owner, shut, high, phase, value, lapsed, worldVars>>

\* Too few renewed: the answers are dropped and the next round begins, with the same deadline.
RenewAnew(c) ==
    /\ Holding(c)
    /\ Answered(c) # {} \/ \E n \in Nodes : owner[n] = c /\ lease[n] = "next"
    /\ answers' = [answers EXCEPT ![c] = Nothing]
    /\ lease' = [n \in Nodes |-> IF owner[n] = c /\ lease[n] = "next" THEN "now" ELSE lease[n]]
    /\ awaited' = [n \in Nodes |-> [awaited[n] EXCEPT ![c] = IF @ = 2 THEN 1 ELSE @]]
    /\ UNCHANGED <<last, owner, shut, high, phase, value, lapsed, had, worldVars>>

Next ==
    \/ \E c \in Clients :
        \/ StartRaise(c) \/ RaiseAgain(c)
        \/ HandOutAtOnce(c) \/ HandOutRaised(c) \/ HandOutGreatest(c)
        \/ GiveUp(c) \/ HoldEnds(c) \/ DeadlinePasses(c)
        \/ Renewed(c) \/ RenewAnew(c)
    \/ \E c \in Clients, n \in Nodes :
        \/ AttemptArrives(c, n) \/ LateAttemptArrives(c, n)
        \/ RaiseArrives(c, n) \/ UnconditionalRaiseArrives(c, n)
        \/ RenewArrives(c, n)
    \/ \E n \in Nodes :
        \/ LetGo(n) \/ OrphanArrives(n) \/ OrphanRenewArrives(n)
        \/ Restart(n) \/ UnguardedRestart(n) \/ Open(n)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What must hold in every state.                                          *)
(***************************************************************************)

TypeOK ==
    /\ last \in [Nodes -> 0..MaxToken]
    /\ owner \in [Nodes -> Clients \cup {Free, Orphan}]
    /\ lease \in [Nodes -> {"past", "now", "next"}]
    /\ shut \in [Nodes -> BOOLEAN]
    /\ awaited \in [Nodes -> [Clients -> 0..2]]
    /\ high \in [Nodes -> 0..MaxToken]
    /\ phase \in [Clients -> {"asking", "raising", "holding"}]
    /\ value \in [Clients -> 0..MaxToken]
    /\ answers \in [Clients -> [Nodes -> 0..MaxToken]]
    /\ lapsed \in [Clients -> BOOLEAN]
    /\ had \in [Clients -> SUBSET Nodes]
    /\ highest \in 0..MaxToken
    /\ inOrder \in BOOLEAN
    /\ restarts \in 0..MaxRestarts
    /\ \A n \in Nodes : last[n] <= high[n]

\* No two clients hold a lease whose own deadline has not passed.
MutualExclusion == \A c, d \in Clients : Holding(c) /\ Holding(d) => c = d

\* Each token handed out is above every token handed out before.
TokensGrow == inOrder

\* Why a raise may be a fresh grant: while the deadline is not over, a node whose answer counts still has the claim, or is shut.
\* So a claim that was lost can only come back when it is too late to be handed out.
AnswersStand ==
    \A c \in Clients, n \in Nodes :
        phase[c] \in {"asking", "raising"} /\ ~lapsed[c] /\ answers[c][n] # 0 => owner[n] = c \/ shut[n]

\* Nodes are alike, and so are clients.
Symmetry == Permutations(Nodes) \cup Permutations(Clients)
=============================================================================
