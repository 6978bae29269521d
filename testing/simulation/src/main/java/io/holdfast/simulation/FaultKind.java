package io.holdfast.simulation;

/** What can go wrong. */
enum FaultKind {
    SLOW_CALL,
    LOST_REQUEST,
    LOST_REPLY,
    LATE_REQUEST,
    DUPLICATE_REQUEST,
    REFUSAL,
    HALF_RENEWED,
    CUT_CALL,
    STORE_DOWN,
    STORE_STALL,
    STORE_CLOCK_SET,
    STORE_RESTART,
    STORE_FORGETS,
    PUSH_LOST,
    PUSH_LATE,
    PUSH_TWICE,
    PAUSE,
    STALL,
    SUSPEND,
    WALL_STEP,
    KILL,
    CLOSE,
    CANCEL
}
