package io.holdfast.spring.boot.test;

import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** After each test method: empties the store, and complains of what the application left behind. */
final class HoldfastTestExecutionListener implements TestExecutionListener, Ordered {

    @Override
    public void afterTestMethod(TestContext test) {
        if (!test.hasApplicationContext()
                || !TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), AutoConfigureHoldfast.class)) {
            return;
        }
        ApplicationContext context = test.getApplicationContext();
        List<String> left = context.getBean(HoldfastTester.class).cleanUp();
        if (!left.isEmpty()) {
            AssertionError leak = new AssertionError("the application left locks behind: " + String.join("; ", left)
                    + ". Close each lease, or use lock.run(…) or @Locked, which do");
            Throwable before = test.getTestException();
            if (before == null) {
                throw leak;
            }
            before.addSuppressed(leak);
        }
    }

    /** After the transaction of the test has been rolled back, which gives locks back that were kept for it. */
    @Override
    public int getOrder() {
        return 3_500;
    }
}
