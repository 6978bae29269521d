package io.holdfast.examples.spring;

import io.holdfast.DistributedLock;
import io.holdfast.LockClient;
import io.holdfast.spring.Locked;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What is left. Takes one item in four ways; all of them read, decide and write under the same lock. */
@Component
class Stock {
    private final JdbcClient jdbc;
    private final LockClient locks;

    Stock(JdbcClient jdbc, LockClient locks) {
        this.jdbc = jdbc;
        this.locks = locks;
    }

    void fill(String item, int amount) {
        jdbc.sql("DELETE FROM sale").update();
        jdbc.sql("MERGE INTO stock KEY (item) VALUES (?, ?)")
                .param(item)
                .param(amount)
                .update();
    }

    long sold() {
        return jdbc.sql("SELECT COUNT(*) FROM sale").query(Long.class).single();
    }

    /** Free when the method ends. The sale is not committed yet: the next one reads the old amount. */
    boolean takeByHand(String item) {
        DistributedLock lock = locks.lock("item:" + item);
        lock.lock();
        try {
            return take(item);
        } finally {
            lock.unlock();
        }
    }

    /** The same with an annotation. */
    @Locked(value = "item:{item}", release = Locked.Release.AT_RETURN)
    boolean takeAtReturn(String item) {
        return take(item);
    }

    /** Free when the transaction around it has ended. */
    @Locked("item:{item}")
    boolean takeLocked(String item) {
        return take(item);
    }

    /** A process that slept through its lease is refused by the database, too. */
    @Locked(value = "item:{item}", fenced = true)
    boolean takeFenced(String item) {
        return take(item);
    }

    private boolean take(String item) {
        int amount = jdbc.sql("SELECT amount FROM stock WHERE item = ?")
                .param(item)
                .query(Integer.class)
                .single();
        if (amount == 0) {
            return false;
        }
        jdbc.sql("UPDATE stock SET amount = ? WHERE item = ?")
                .param(amount - 1)
                .param(item)
                .update();
        jdbc.sql("INSERT INTO sale (item) VALUES (?)").param(item).update();
        return true;
    }
}
