package io.holdfast.zookeeper.backend;

import io.holdfast.Finding;
import java.util.List;

/** Looks at ZooKeeper, and says everything that is wrong with it. Creates and changes nothing. */
public final class Examination {
    private final ZooKeeperSettings settings;

    public Examination(ZooKeeperSettings settings) {
        this.settings = settings;
    }

    public List<Finding> run() {
        return List.of(Finding.of(Finding.Level.FAIL, settings.connect().servers(), "examination", "not yet", ""));
    }
}
