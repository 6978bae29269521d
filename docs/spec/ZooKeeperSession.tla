-------------------------- MODULE ZooKeeperSession --------------------------
(***************************************************************************)
(* How long a client may count on its ZooKeeper session. The leader ends a *)
(* session when it has not been touched for as long as the session lasts.  *)
(* A client cannot see when that was: a write that it sends through a      *)
(* follower is committed by the leader and touches nothing there. The      *)
(* follower only notes that it heard of the client, and tells the leader   *)
(* with its answer to the leader's next ping.                              *)
(*                                                                         *)
(* So the client sends beats: writes, one at a time, each at least one     *)
(* ping after the answer to the one before. When a beat is answered, the   *)
(* session lasts for its full length from before the LAST BUT ONE beat was *)
(* sent: between that beat and the next the leader pinged, the next beat's *)
(* answer shows that the follower answered the ping, and this beat's       *)
(* answer that the leader has read it.                                     *)
(*                                                                         *)
(* Time.  Tick is one ping interval; what happens between two ticks takes  *)
(* any part of it. Everything that moves may also stand still for ever: a  *)
(* paused client, a follower that is cut off in one direction or both.     *)
(* All clocks run at the same rate; the code takes off 1 %.                *)
(*                                                                         *)
(* ZooKeeper.tla goes on from here: it takes it for granted that a session *)
(* does not end while its client may count on it.                          *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Session,    \* how long a session lasts without a touch, in ping intervals
    Usable,     \* how much of that the client counts on
    Anchor,     \* from when. "last but one": before that beat was sent, as implemented.
                \* Unsafe: "last" the beat before this one, "this" beat, "answer" to the last but one
    Gap,        \* how many pings at least from an answer to the next beat: 1. Unsafe: 0
    Beat        \* "write": as implemented. Unsafe: "read"

ASSUME /\ Anchor \in {"last but one", "last", "this", "answer"}
       /\ Beat \in {"write", "read"}
       /\ Usable <= Session

VARIABLES
    \* Of the leader
    touched,    \* how long ago the session was touched
    ended,      \* TRUE: it ended the session
    \* Of the server that the client is connected to
    at,         \* "follower", or "leader" itself
    noted,      \* TRUE: the follower heard of the client and has not told the leader yet
    up,         \* what is on its way from the follower to the leader, in order: "touch", "write"
    down,       \* and from the leader to the follower: "ping", "commit"
    \* Of the client
    beat,       \* where its beat is: "none", "sent", "forwarded", "answered"
    sent,       \* how long ago it sent the beat, and the two before it that were answered
    last,
    beforeLast,
    heard,      \* how long ago it read the answers to those two
    heardBefore,
    proof       \* how long ago that was from which it counts

vars == <<touched, ended, at, noted, up, down, beat, sent, last, beforeLast, heard, heardBefore, proof>>

Older(age) == IF age < Session THEN age + 1 ELSE Session
\* Two of a kind in a row do no more than one.
Put(message, queue) ==
    IF queue # <<>> /\ queue[Len(queue)] = message THEN queue ELSE Append(queue, message)

\* Whoever creates a session is touched by that, and counts from before it connected.
Init ==
    /\ touched = 0
    /\ ended = FALSE
    /\ at \in {"follower", "leader"}
    /\ noted = FALSE
    /\ up = <<>>
    /\ down = <<>>
    /\ beat = "none"
    /\ sent = 0 /\ last = 0 /\ beforeLast = 0
    /\ heard = 0 /\ heardBefore = 0
    /\ proof = 0

\* The leader pings its followers, whether they hear it or not.
Tick ==
    /\ touched' = Older(touched)
    /\ sent' = Older(sent) /\ last' = Older(last) /\ beforeLast' = Older(beforeLast)
    /\ heard' = Older(heard) /\ heardBefore' = Older(heardBefore)
    /\ proof' = Older(proof)
    /\ down' = IF at = "follower" THEN Put("ping", down) ELSE down
    /\ UNCHANGED <<ended, at, noted, up, beat>>

(***************************************************************************)
(* A beat, step by step.                                                   *)
(***************************************************************************)

Send ==
    /\ beat = "none"
    /\ heard >= Gap
    /\ beat' = "sent"
    /\ sent' = 0
    /\ UNCHANGED <<touched, ended, at, noted, up, down, last, beforeLast, heard, heardBefore, proof>>

\* The follower notes the client, and forwards a write. It answers a read by itself.
ArrivesAtFollower ==
    /\ beat = "sent"
    /\ at = "follower"
    /\ noted' = TRUE
    /\ IF Beat = "write"
       THEN beat' = "forwarded" /\ up' = Append(up, "write")
       ELSE beat' = "answered" /\ UNCHANGED up
    /\ UNCHANGED <<touched, ended, at, down, sent, last, beforeLast, heard, heardBefore, proof>>

\* The leader is touched by everything that reaches it from a client of its own.
ArrivesAtLeader ==
    /\ beat = "sent"
    /\ at = "leader"
    /\ ~ended
    /\ touched' = 0
    /\ beat' = "answered"
    /\ UNCHANGED <<ended, at, noted, up, down, sent, last, beforeLast, heard, heardBefore, proof>>

\* The leader commits a write of a session that it has not ended. It does not touch it.
LeaderCommits ==
    /\ up # <<>> /\ Head(up) = "write"
    /\ up' = Tail(up)
    /\ down' = IF ended THEN down ELSE Append(down, "commit")
    /\ UNCHANGED <<touched, ended, at, noted, beat, sent, last, beforeLast, heard, heardBefore, proof>>

\* The follower answers when it hears of the commit.
FollowerCommits ==
    /\ down # <<>> /\ Head(down) = "commit"
    /\ down' = Tail(down)
    /\ beat' = "answered"
    /\ UNCHANGED <<touched, ended, at, noted, up, sent, last, beforeLast, heard, heardBefore, proof>>

\* The client reads the answer, and may count on more.
Answered ==
    /\ beat = "answered"
    /\ beat' = "none"
    /\ proof' = CASE Anchor = "last but one" -> beforeLast
                  [] Anchor = "last" -> last
                  [] Anchor = "this" -> sent
                  [] Anchor = "answer" -> heardBefore
    /\ beforeLast' = last
    /\ last' = sent
    /\ heardBefore' = heard
    /\ heard' = 0
    /\ UNCHANGED <<touched, ended, at, noted, up, down, sent>>

(***************************************************************************)
(* How the leader hears of a session, and ends it.                         *)
(***************************************************************************)

FollowerAnswersPing ==
    /\ down # <<>> /\ Head(down) = "ping"
    /\ down' = Tail(down)
    /\ up' = IF noted THEN Put("touch", up) ELSE up
    /\ noted' = FALSE
    /\ UNCHANGED <<touched, ended, at, beat, sent, last, beforeLast, heard, heardBefore, proof>>

LeaderIsTold ==
    /\ up # <<>> /\ Head(up) = "touch"
    /\ up' = Tail(up)
    /\ touched' = IF ended THEN touched ELSE 0
    /\ UNCHANGED <<ended, at, noted, down, beat, sent, last, beforeLast, heard, heardBefore, proof>>

\* The connection broke, and the client has another one, to the same server, another, or after another leader took over. The beat that
\* was under way is not counted. The leader is asked for the session, which touches it; a new leader begins to count anew. (What
\* is still on its way from the old follower may touch it later, which does no harm.)
Reconnect ==
    /\ ~ended
    /\ touched' = 0
    /\ at' \in {"follower", "leader"}
    /\ noted' = FALSE
    /\ up' = <<>>
    /\ down' = <<>>
    /\ beat' = "none"
    /\ UNCHANGED <<ended, sent, last, beforeLast, heard, heardBefore, proof>>

End ==
    /\ ~ended
    /\ touched = Session
    /\ ended' = TRUE
    /\ UNCHANGED <<touched, at, noted, up, down, beat, sent, last, beforeLast, heard, heardBefore, proof>>

Next ==
    \/ Tick \/ Send \/ ArrivesAtFollower \/ ArrivesAtLeader \/ LeaderCommits \/ FollowerCommits \/ Answered
    \/ FollowerAnswersPing \/ LeaderIsTold \/ Reconnect \/ End

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What must hold in every state.                                          *)
(***************************************************************************)

Ages == 0..Session

TypeOK ==
    /\ touched \in Ages
    /\ ended \in BOOLEAN
    /\ at \in {"follower", "leader"}
    /\ noted \in BOOLEAN
    /\ \A i \in DOMAIN up : up[i] \in {"touch", "write"}
    /\ \A i \in DOMAIN down : down[i] \in {"ping", "commit"}
    /\ Len(up) <= 3 /\ Len(down) <= 3
    /\ beat \in {"none", "sent", "forwarded", "answered"}
    /\ <<sent, last, beforeLast, heard, heardBefore, proof>> \in Ages \X Ages \X Ages \X Ages \X Ages \X Ages

\* While the client counts on its session, the leader has not ended it.
SessionLasts == ended => proof >= Usable
=============================================================================
