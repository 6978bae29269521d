package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.List;

/** Lets all libraries take a turn at the same time: for work that is waiting, mostly. */
final class Together {

    private Together() {}

    static void attempt(List<Entry> entries, Entry.Turn turn) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Entry entry : entries) {
            Thread thread = new Thread(
                    () -> entry.attemptHere(turn), "bench-" + entry.library().label());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
