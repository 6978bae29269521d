----------------------------- MODULE ZooKeeper ------------------------------
(***************************************************************************)
(* One lock on ZooKeeper. Each claim is one ephemeral child of the lock's  *)
(* node, children are ordered by when they were created, and the first     *)
(* child holds. Nobody writes "granted".                                   *)
(*                                                                         *)
(* The ensemble.  A client talks to a follower. Reads are answered from    *)
(* what the follower has applied, however old that is. Writes go to the    *)
(* leader in order, which orders and commits them, and every follower      *)
(* applies them in that order, at any later time or never: then it is cut  *)
(* off and still answers reads. The leader refuses a write of a session    *)
(* that has ended, or that moved to another follower since.                *)
(*                                                                         *)
(* Time.  There are no clocks here. ZooKeeperSession.tla says why a client *)
(* may count on its session for a while (sure), and that its session does  *)
(* not end meanwhile (A1). A client may stop to be sure at any moment.     *)
(*                                                                         *)
(* Sessions.  A client that is not sure may also give its session up, as   *)
(* the ZooKeeper client does after a while, though the leader knows        *)
(* nothing of that: the old session goes on, its late writes count, and    *)
(* its children stand until the leader ends it.                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Clients, Followers,
    MaxCreates,  \* how many children are created, over all clients
    MaxSessions, \* of each client
    MaxClaims,   \* of each client
    MaxUp,       \* how many writes may be on their way from one follower
    MaxDown,     \* how many changes a follower may be behind
    Look,        \* how a claim of unknown outcome is looked for. "behind a write": as implemented.
                 \* Unsafe: "at once", in what the follower has; "never": created again
    Judge,       \* which list tells who holds. "behind": read after one's own child. Unsafe: "before" it
    Clock,       \* TRUE: handed out only while the client is sure, as implemented. Unsafe: FALSE
    Names        \* "session": only a child of this session counts as its own, by its owner. Unsafe: "client"

ASSUME /\ Look \in {"behind a write", "at once", "never"}
       /\ Judge \in {"behind", "before"}
       /\ Clock \in BOOLEAN
       /\ Names \in {"session", "client"}

VARIABLES
    \* Of the leader
    children,  \* the children of the lock: [zxid, client, session, claim]
    zxid,      \* how many were created
    alive,     \* the sessions that have not ended: <<client, session>>
    owner,     \* the follower that each client's session is at
    \* Of each follower
    tree,      \* the children that it knows of
    down,      \* the changes that it has not applied yet, in order
    up,        \* the writes of its clients that have not reached the leader yet, in order
    \* Of each client
    session,
    claim,     \* its present claim; its child is known by client, session and claim
    phase,     \* "idle", "creating", "queued", "holding", "unknown", "looking", "missing" or "deleting"
    wanted,    \* FALSE: the claim is over, and only its child has to go
    sure,      \* TRUE: it may count on its session
    token,     \* the zxid of its child, as far as it knows; 0 for none
    \* Of the world
    highest,   \* the highest token handed out
    inOrder    \* FALSE: a token was handed out that was not above all before

leaderVars == <<children, zxid, alive, owner>>
followerVars == <<tree, down, up>>
clientVars == <<session, claim, phase, wanted, sure, token>>
worldVars == <<highest, inOrder>>
vars == <<leaderVars, followerVars, clientVars, worldVars>>

Present(c) == <<c, session[c]>>
Alive(c) == Present(c) \in alive
\* The children that a client takes for its own.
Own(c, list) ==
    {child \in list : child.client = c /\ child.claim = claim[c] /\ (Names = "client" \/ child.session = session[c])}
First(list) == CHOOSE child \in list : \A other \in list : child.zxid <= other.zxid
\* Whether a write, or the change that came of it, belongs to the present session of a client.
Of(c, message) == message.client = c /\ message.session = session[c]
\* Whether such a write is somewhere between its follower and the answer. Then the follower lets later reads wait.
UnderWay(c, f) ==
    \/ \E i \in DOMAIN up[f] : Of(c, up[f][i])
    \/ \E i \in DOMAIN down[f] : Of(c, down[f][i]) /\ down[f][i].by = f
\* The same messages, but nobody waits for answers to those of this client any more.
Unasked(c, queue) ==
    [i \in DOMAIN queue |-> IF Of(c, queue[i]) THEN [queue[i] EXCEPT !.asked = FALSE] ELSE queue[i]]

Init ==
    /\ children = {}
    /\ zxid = 0
    /\ alive = {<<c, 1>> : c \in Clients}
    /\ owner \in [Clients -> Followers]
    /\ tree = [f \in Followers |-> {}]
    /\ down = [f \in Followers |-> <<>>]
    /\ up = [f \in Followers |-> <<>>]
    /\ session = [c \in Clients |-> 1]
    /\ claim = [c \in Clients |-> 0]
    /\ phase = [c \in Clients |-> "idle"]
    /\ wanted = [c \in Clients |-> FALSE]
    /\ sure = [c \in Clients |-> TRUE]
    /\ token = [c \in Clients |-> 0]
    /\ highest = 0
    /\ inOrder = TRUE

(***************************************************************************)
(* The ensemble.                                                           *)
(***************************************************************************)

\* The follower forwards a write of its client. It stays ahead of everything that comes later.
Send(c, kind) ==
    /\ Len(up[owner[c]]) < MaxUp
    /\ up' = [up EXCEPT ![owner[c]] = Append(@,
           [kind |-> kind, client |-> c, session |-> session[c], claim |-> claim'[c], token |-> token[c], asked |-> TRUE])]

\* The leader commits a change; every follower will apply it, in this order. One that changes nothing only matters for who asked.
Commit(kind, by, write, child) ==
    LET change == [kind |-> kind, by |-> by, client |-> write.client, session |-> write.session, asked |-> write.asked, child |-> child]
        told == IF child = {} THEN {by} ELSE Followers
    IN /\ \A f \in told : Len(down[f]) < MaxDown
       /\ down' = [f \in Followers |-> IF f \in told THEN Append(down[f], change) ELSE down[f]]

\* The next write of a follower reaches the leader, which refuses it if the session has ended. (One of a session that moved is gone already: see Reconnects.)
Arrives(f) ==
    /\ up[f] # <<>>
    /\ up' = [up EXCEPT ![f] = Tail(@)]
    /\ LET write == Head(up[f])
           child == [zxid |-> zxid + 1, client |-> write.client, session |-> write.session, claim |-> write.claim]
           gone == {old \in children : old.zxid = write.token}
       IN IF <<write.client, write.session>> \notin alive
          THEN UNCHANGED <<children, zxid, down>>
          ELSE CASE write.kind = "create" ->
                        /\ zxid < MaxCreates
                        /\ zxid' = zxid + 1
                        /\ children' = children \cup {child}
                        /\ Commit("create", f, write, {child})
                 [] write.kind = "delete" ->
                        /\ children' = children \ gone
                        /\ Commit("delete", f, write, gone)
                        /\ UNCHANGED zxid
                 [] OTHER ->
                        /\ Commit("beat", f, write, {})
                        /\ UNCHANGED <<children, zxid>>
    /\ UNCHANGED <<alive, owner, tree, clientVars, worldVars>>

\* A1: the leader ends a session only when its client does not count on it any more. Its children go with it.
SessionEnds(c, s) ==
    /\ <<c, s>> \in alive
    /\ s = session[c] => ~sure[c]
    /\ alive' = alive \ {<<c, s>>}
    /\ LET gone == {child \in children : child.client = c /\ child.session = s}
       IN /\ children' = children \ gone
          /\ IF gone = {}
             THEN UNCHANGED down
             ELSE Commit("end", "leader", [client |-> c, session |-> s, asked |-> FALSE], gone)
    /\ UNCHANGED <<zxid, owner, tree, up, clientVars, worldVars>>

(***************************************************************************)
(* What a follower tells its clients.                                      *)
(***************************************************************************)

\* The lease is the caller's from here on.
HandOut(c, t) ==
    /\ phase' = [phase EXCEPT ![c] = "holding"]
    /\ token' = [token EXCEPT ![c] = t]
    /\ highest' = IF t > highest THEN t ELSE highest
    /\ inOrder' = (inOrder /\ t > highest)

\* The client read a list behind its own child: the first child holds, if it is in time. Otherwise it waits.
Judged(c, list) ==
    LET mine == First(Own(c, list)).zxid
    IN IF First(list).zxid = mine /\ wanted[c] /\ (sure[c] \/ ~Clock)
       THEN HandOut(c, mine)
       ELSE /\ phase' = [phase EXCEPT ![c] = IF wanted[c] THEN "queued" ELSE "unknown"]
            /\ token' = [token EXCEPT ![c] = mine]
            /\ UNCHANGED worldVars

\* A change that this client waits for was applied; here is the list behind it.
Answer(c, change, list) ==
    CASE phase[c] = "creating" /\ change.kind = "create" ->
            IF Judge = "before"
            THEN IF sure[c] THEN HandOut(c, First(change.child).zxid)
                 ELSE phase' = [phase EXCEPT ![c] = "unknown"] /\ UNCHANGED <<token, worldVars>>
            ELSE Judged(c, list)
      [] phase[c] = "looking" /\ change.kind = "beat" ->
            IF Own(c, list) # {} THEN Judged(c, list)
            ELSE /\ phase' = [phase EXCEPT ![c] = IF wanted[c] THEN "missing" ELSE "idle"]
                 /\ token' = [token EXCEPT ![c] = 0]
                 /\ UNCHANGED worldVars
      [] phase[c] = "deleting" /\ change.kind = "delete" ->
            /\ phase' = [phase EXCEPT ![c] = "idle"]
            /\ token' = [token EXCEPT ![c] = 0]
            /\ UNCHANGED worldVars
      [] OTHER -> UNCHANGED <<phase, token, worldVars>>

\* The follower applies the next change, and answers the client whose write it was, if it is still there.
Applies(f) ==
    /\ down[f] # <<>>
    /\ LET change == Head(down[f])
           list == IF change.kind = "create" THEN tree[f] \cup change.child ELSE tree[f] \ change.child
       IN /\ tree' = [tree EXCEPT ![f] = list]
          /\ down' = [down EXCEPT ![f] = Tail(@)]
          /\ IF change.by = f /\ change.asked /\ Of(change.client, change)
             THEN Answer(change.client, change, list)
             ELSE UNCHANGED <<phase, token, worldVars>>
    /\ UNCHANGED <<leaderVars, up, session, claim, wanted, sure>>

(***************************************************************************)
(* A client.                                                               *)
(***************************************************************************)

\* Somebody wants the lock. UNSAFE, Judge = "before": only if the list, as the follower has it, is empty; and then it is enough.
Wants(c) ==
    /\ phase[c] = "idle"
    /\ claim[c] < MaxClaims
    /\ claim' = [claim EXCEPT ![c] = @ + 1]
    /\ Judge = "before" => tree[owner[c]] = {}
    /\ Send(c, "create")
    /\ phase' = [phase EXCEPT ![c] = "creating"]
    /\ wanted' = [wanted EXCEPT ![c] = TRUE]
    /\ UNCHANGED <<leaderVars, tree, down, session, sure, token, worldVars>>

\* It was looked for and is not there: created, again.
Creates(c) ==
    /\ phase[c] = "missing"
    /\ UNCHANGED claim
    /\ Send(c, "create")
    /\ phase' = [phase EXCEPT ![c] = "creating"]
    /\ UNCHANGED <<leaderVars, tree, down, session, wanted, sure, token, worldVars>>

\* A waiter looks again: its watch fired, or it is time to. What the follower has may be old.
LooksAgain(c) ==
    /\ phase[c] = "queued"
    /\ LET list == tree[owner[c]]
       IN IF Own(c, list) # {}
          THEN /\ First(list) \in Own(c, list)
               /\ Judged(c, list)
          ELSE /\ phase' = [phase EXCEPT ![c] = "unknown"]
               /\ token' = [token EXCEPT ![c] = 0]
               /\ UNCHANGED worldVars
    /\ UNCHANGED <<leaderVars, followerVars, session, claim, wanted, sure>>

\* The holder gives back, a waiter or somebody with an unknown outcome gives up.
Releases(c) ==
    /\ phase[c] \in {"queued", "holding"}
    /\ UNCHANGED claim
    /\ Send(c, "delete")
    /\ phase' = [phase EXCEPT ![c] = "deleting"]
    /\ wanted' = [wanted EXCEPT ![c] = FALSE]
    /\ UNCHANGED <<leaderVars, tree, down, session, sure, token, worldVars>>

GivesUp(c) ==
    /\ phase[c] \in {"creating", "unknown", "looking", "missing"}
    /\ wanted[c]
    /\ wanted' = [wanted EXCEPT ![c] = FALSE]
    /\ phase' = [phase EXCEPT ![c] = IF @ = "missing" THEN "idle" ELSE @]
    /\ UNCHANGED <<leaderVars, followerVars, session, claim, sure, token, worldVars>>

\* Nobody knows whether the child is there. It is looked for behind a write.
Looks(c) ==
    /\ phase[c] = "unknown"
    /\ Look = "behind a write"
    /\ token[c] = 0
    /\ UNCHANGED claim
    /\ Send(c, "beat")
    /\ phase' = [phase EXCEPT ![c] = "looking"]
    /\ UNCHANGED <<leaderVars, tree, down, session, wanted, sure, token, worldVars>>

\* UNSAFE: the follower is asked, and answers with what it has.
LooksAtOnce(c) ==
    /\ phase[c] = "unknown"
    /\ Look = "at once"
    /\ token[c] = 0
    /\ ~UnderWay(c, owner[c])
    /\ LET list == tree[owner[c]]
       IN IF Own(c, list) # {} THEN Judged(c, list)
          ELSE /\ phase' = [phase EXCEPT ![c] = IF wanted[c] THEN "missing" ELSE "idle"]
               /\ token' = [token EXCEPT ![c] = 0]
               /\ UNCHANGED worldVars
    /\ UNCHANGED <<leaderVars, followerVars, session, claim, wanted, sure>>

\* UNSAFE: created again, without looking.
LooksNot(c) ==
    /\ phase[c] = "unknown"
    /\ Look = "never"
    /\ token[c] = 0
    /\ phase' = [phase EXCEPT ![c] = IF wanted[c] THEN "missing" ELSE "idle"]
    /\ UNCHANGED <<leaderVars, followerVars, session, claim, wanted, sure, token, worldVars>>

\* The child is known, and not wanted.
Deletes(c) ==
    /\ phase[c] = "unknown"
    /\ ~wanted[c]
    /\ token[c] # 0
    /\ UNCHANGED claim
    /\ Send(c, "delete")
    /\ phase' = [phase EXCEPT ![c] = "deleting"]
    /\ UNCHANGED <<leaderVars, tree, down, session, wanted, sure, token, worldVars>>

(***************************************************************************)
(* Connections and sessions.                                               *)
(***************************************************************************)

Unanswered(c) == phase[c] \in {"creating", "looking", "deleting"}

\* The connection broke, and the session goes on at a follower, the same or another. The leader is asked first: what comes from another
\* follower after that is refused, so it might as well be lost. What the same follower has is ahead of everything that comes now.
Reconnects(c, f) ==
    /\ Alive(c)
    /\ f # owner[c] \/ Unanswered(c)
    /\ owner' = [owner EXCEPT ![c] = f]
    /\ up' = [g \in Followers |-> IF g = f THEN Unasked(c, up[g]) ELSE SelectSeq(up[g], LAMBDA write : ~Of(c, write))]
    /\ down' = [g \in Followers |-> Unasked(c, down[g])]
    /\ phase' = [phase EXCEPT ![c] = IF Unanswered(c) THEN "unknown" ELSE @]
    /\ UNCHANGED <<children, zxid, alive, tree, session, claim, wanted, sure, token, worldVars>>

\* The client cannot count on its session any more: what it holds is lost, and has to be cleared away.
Doubts(c) ==
    /\ sure[c]
    /\ sure' = [sure EXCEPT ![c] = FALSE]
    /\ wanted' = [wanted EXCEPT ![c] = @ /\ (phase[c] # "holding" \/ ~Clock)]
    /\ phase' = [phase EXCEPT ![c] = IF @ = "holding" /\ Clock THEN "unknown" ELSE @]
    /\ UNCHANGED <<leaderVars, followerVars, session, claim, token, worldVars>>

\* Beats were answered.
Trusts(c) ==
    /\ ~sure[c]
    /\ Alive(c)
    /\ sure' = [sure EXCEPT ![c] = TRUE]
    /\ UNCHANGED <<leaderVars, followerVars, session, claim, phase, wanted, token, worldVars>>

\* It was told that its session has ended, or gives it up by itself. Whoever waits goes on in the new one, with the same claim.
NewSession(c) ==
    /\ ~sure[c]
    /\ session[c] < MaxSessions
    /\ session' = [session EXCEPT ![c] = @ + 1]
    /\ alive' = alive \cup {<<c, session[c] + 1>>}
    /\ owner' \in {[owner EXCEPT ![c] = f] : f \in Followers}
    /\ sure' = [sure EXCEPT ![c] = TRUE]
    /\ wanted' = [wanted EXCEPT ![c] = @ /\ phase[c] # "holding"]
    /\ phase' = [phase EXCEPT ![c] = IF @ \in {"idle", "holding"} THEN "idle" ELSE "unknown"]
    /\ token' = [token EXCEPT ![c] = 0]
    /\ UNCHANGED <<children, zxid, followerVars, claim, worldVars>>

Next ==
    \/ \E f \in Followers : Arrives(f) \/ Applies(f)
    \/ \E c \in Clients :
        \/ Wants(c) \/ Creates(c) \/ LooksAgain(c) \/ Releases(c) \/ GivesUp(c)
        \/ Looks(c) \/ LooksAtOnce(c) \/ LooksNot(c) \/ Deletes(c)
        \/ Doubts(c) \/ Trusts(c) \/ NewSession(c)
    \/ \E c \in Clients, f \in Followers : Reconnects(c, f)
    \/ \E c \in Clients, s \in 1..MaxSessions : SessionEnds(c, s)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What must hold in every state.                                          *)
(***************************************************************************)

TypeOK ==
    /\ \A child \in children : child.zxid \in 1..zxid
    /\ zxid \in 0..MaxCreates
    /\ alive \subseteq Clients \X (1..MaxSessions)
    /\ owner \in [Clients -> Followers]
    /\ session \in [Clients -> 1..MaxSessions]
    /\ claim \in [Clients -> 0..MaxClaims]
    /\ phase \in [Clients -> {"idle", "creating", "queued", "holding", "unknown", "looking", "missing", "deleting"}]
    /\ wanted \in [Clients -> BOOLEAN]
    /\ sure \in [Clients -> BOOLEAN]
    /\ token \in [Clients -> 0..MaxCreates]
    /\ highest \in 0..MaxCreates
    /\ inOrder \in BOOLEAN

\* No two clients hold. (A holder that is not sure any more does not hold.)
MutualExclusion == \A c, d \in Clients : phase[c] = "holding" /\ phase[d] = "holding" => c = d

\* Each token handed out is above every token handed out before.
TokensGrow == inOrder

\* A claim never has two children.
OneChild == \A c \in Clients : Cardinality({child \in children : Of(c, child) /\ child.claim = claim[c]}) <= 1

\* When a claim is over, nothing is left of it in its session, and nothing will come.
NothingLeft ==
    \A c \in Clients :
        phase[c] = "idle" /\ Alive(c) =>
            /\ ~\E child \in children : Of(c, child)
            /\ ~\E i \in DOMAIN up[owner[c]] : Of(c, up[owner[c]][i]) /\ up[owner[c]][i].kind = "create"

\* Followers are alike, and so are clients.
Symmetry == Permutations(Followers) \cup Permutations(Clients)
=============================================================================
