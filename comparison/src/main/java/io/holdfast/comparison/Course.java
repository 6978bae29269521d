package io.holdfast.comparison;

import java.util.List;

/** How the rounds of a workload follow each other. */
interface Course {

    void run(List<Entry> entries) throws InterruptedException;
}
