package io.holdfast.comparison;

import java.util.Locale;

/**
 * One thing Holdfast sets out to reach, and how it stands.
 *
 * @param workload {@link Workload#label}
 * @param what is looked at
 * @param wanted the bound
 * @param measured the number, or a dash
 */
record Target(String workload, String what, String wanted, String measured, Verdict verdict) {

    enum Verdict {
        REACHED,
        MISSED,
        NOT_MEASURED;

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
