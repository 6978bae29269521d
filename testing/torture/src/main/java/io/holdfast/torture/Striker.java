package io.holdfast.torture;

import java.util.List;

/** Breaks servers, clients and the wires between them, and mends them again. What it chooses comes from its numbers. */
interface Striker {
    /**
     * Does it, and takes it back. The first is the fault itself; the others, if any, are the parts that it was made of.
     */
    List<Blow> strike(Fault fault, Rng rng);
}
