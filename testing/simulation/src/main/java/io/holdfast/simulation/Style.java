package io.holdfast.simulation;

/** What kind of store the clients see. */
enum Style {
    /** Keeps a line and says when a waiting claim is served. */
    ANNOUNCING,
    /** Keeps a line and says nothing by itself. */
    SILENT,
    /** Keeps no line: a claim that cannot be served is sent away. */
    LINELESS
}
