package io.holdfast.spring.boot;

import io.holdfast.spring.boot.HoldfastProperties.Store;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Chooses the store: the one that is named, or the only one that the application has a connection to. */
final class ChosenStore {
    private ChosenStore() {}

    static CandidateStore among(List<CandidateStore> candidates, Store wanted) {
        return wanted == Store.AUTO ? onlyOne(candidates) : named(candidates, wanted);
    }

    private static CandidateStore named(List<CandidateStore> candidates, Store wanted) {
        CandidateStore candidate = candidates.stream()
                .filter(each -> each.store() == wanted)
                .findFirst()
                .orElseThrow(() -> new HoldfastStartException(
                        "holdfast.store is " + property(wanted) + ", and its module is not on the class path.",
                        "Add the dependency io.holdfast:holdfast-" + property(wanted) + "."));
        if (candidate.where().isEmpty()) {
            throw new HoldfastStartException(
                    "holdfast.store is " + property(wanted) + ", and nothing says where it is.",
                    candidate.howToConfigure());
        }
        return candidate;
    }

    /** Memory is never found by itself: locks that other processes do not see must be wanted. */
    private static CandidateStore onlyOne(List<CandidateStore> candidates) {
        List<CandidateStore> usable = candidates.stream()
                .filter(each -> each.store() != Store.MEMORY && each.where().isPresent())
                .toList();
        if (usable.size() == 1) {
            return usable.get(0);
        }
        if (usable.isEmpty()) {
            throw none(candidates);
        }
        throw new HoldfastStartException(
                "Holdfast could keep its locks in more than one store: "
                        + usable.stream()
                                .map(each -> property(each.store()) + " ("
                                        + each.where().orElseThrow() + ")")
                                .collect(Collectors.joining(" and "))
                        + ". All processes of the application must use the same.",
                "Choose one: "
                        + usable.stream()
                                .map(each -> "holdfast.store=" + property(each.store()))
                                .collect(Collectors.joining(" or "))
                        + ".");
    }

    private static HoldfastStartException none(List<CandidateStore> candidates) {
        String memory = " For tests, or a program that runs once: holdfast-memory and holdfast.store=memory.";
        List<CandidateStore> real =
                candidates.stream().filter(each -> each.store() != Store.MEMORY).toList();
        if (real.isEmpty()) {
            return new HoldfastStartException(
                    "Holdfast has no store to keep its locks in.",
                    "Add one of the dependencies io.holdfast:holdfast-redis, holdfast-jdbc, holdfast-zookeeper or"
                            + " holdfast-quorum." + memory);
        }
        return new HoldfastStartException(
                "Holdfast has a module for "
                        + real.stream().map(each -> property(each.store())).collect(Collectors.joining(", "))
                        + ", and nothing says where the store is.",
                real.stream().map(CandidateStore::howToConfigure).collect(Collectors.joining(" Or: ")) + memory);
    }

    private static String property(Store store) {
        return store.name().toLowerCase(Locale.ROOT);
    }
}
