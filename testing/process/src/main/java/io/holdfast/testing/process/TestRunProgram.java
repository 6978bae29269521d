package io.holdfast.testing.process;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The program of {@link TestRun}: a tag expression, then selectors. Needs the launcher of JUnit on its class path. */
final class TestRunProgram {
    private TestRunProgram() {}

    public static void main(String[] args) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(args)
                        .skip(1)
                        .map(each -> DiscoverySelectors.parse(each).orElseThrow())
                        .toList())
                .filters(TagFilter.includeTags(args[0]))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        summary.printFailuresTo(out, 40);
        out.println("RAN " + summary.getTestsSucceededCount() + ", FAILED " + summary.getTotalFailureCount());
        boolean green = summary.getTestsSucceededCount() > 0
                && summary.getTotalFailureCount() == 0
                && summary.getTestsSkippedCount() + summary.getTestsAbortedCount() == 0;
        System.exit(green ? 0 : 1);
    }
}
