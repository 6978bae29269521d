package io.holdfast.spring;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/** What results are publishers. */
final class ReactiveTypes {
    private ReactiveTypes() {}

    static LockedMethod.Style style(Class<?> result) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(result);
        if (adapter == null) {
            return LockedMethod.Style.BLOCKING;
        }
        return adapter.isMultiValue() ? LockedMethod.Style.MANY : LockedMethod.Style.ONE;
    }
}
