package io.holdfast.spring.boot;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import java.util.List;
import java.util.Optional;

/** A store that there is a module for. Whether the application has a connection to it, it knows itself. */
interface CandidateStore {

    /** Which one. */
    Store store();

    /** Where it is, for people and without passwords; empty if nothing says where. */
    Optional<String> where();

    /** What to write to say where it is. */
    String howToConfigure();

    /** Opens a client. */
    LockClient open(LockOptions defaults);

    /** What the doctor says; empty if there is none for this store. */
    default List<Finding> examine() {
        return List.of();
    }
}
