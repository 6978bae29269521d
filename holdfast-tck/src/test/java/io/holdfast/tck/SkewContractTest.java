package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The kit lets a store pass that goes by its own clock, and none that goes by its clients'. */
class SkewContractTest {
    private static final List<Consumer<SkewContract>> ABOUT_LEASES = List.of(
            SkewContract::lease_holderIsAhead_endsInTime,
            SkewContract::lease_holderIsBehind_endsInTime,
            SkewContract::renewal_holderIsAhead_endsInTime,
            SkewContract::renewal_holderIsBehind_endsInTime,
            SkewContract::look_clocksDiffer_showsWhatIsLeft,
            SkewContract::hold_holderIsBehind_isKeptAndNobodyElses);
    private static final List<Consumer<SkewContract>> ABOUT_TOKENS = List.of(
            SkewContract::token_clocksDiffer_grows,
            SkewContract::contention_clocksDiffer_oneAfterAnotherWithGrowingTokens);

    private static void run(LittleStore.Whose whose, Consumer<SkewContract> test) throws Exception {
        SkewContract contract = new SkewContract() {
            @Override
            protected BackendFixture newFixture() {
                return new LittleStore(whose);
            }
        };
        contract.openFixture();
        try {
            test.accept(contract);
        } finally {
            contract.closeEverything();
        }
    }

    @Test
    void contract_storesOwnClock_passes() throws Exception {
        for (Consumer<SkewContract> test : ABOUT_LEASES) {
            run(LittleStore.Whose.STORE, test);
        }
        for (Consumer<SkewContract> test : ABOUT_TOKENS) {
            run(LittleStore.Whose.STORE, test);
        }
    }

    @Test
    void contract_leasesByTheClientsClock_fails() {
        for (Consumer<SkewContract> test : ABOUT_LEASES) {
            assertThatThrownBy(() -> run(LittleStore.Whose.CLIENT_FOR_LEASES, test))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void contract_tokensByTheClientsClock_fails() {
        for (Consumer<SkewContract> test : ABOUT_TOKENS) {
            assertThatThrownBy(() -> run(LittleStore.Whose.CLIENT_FOR_TOKENS, test))
                    .isInstanceOf(AssertionError.class);
        }
    }
}
