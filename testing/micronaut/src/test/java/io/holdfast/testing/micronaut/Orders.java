package io.holdfast.testing.micronaut;

import io.holdfast.LockClient;
import jakarta.inject.Singleton;

@Singleton
class Orders {
    private final LockClient locks;

    Orders(LockClient locks) {
        this.locks = locks;
    }

    long ship(long id) {
        return locks.lock("order:" + id).call(lease -> lease.token());
    }
}
