package io.holdfast.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a test prints, line by line. */
final class Printed implements BeforeEachCallback, AfterEachCallback {
    private final PrintStream console = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void beforeEach(ExtensionContext test) {
        System.setOut(new PrintStream(bytes, true, UTF_8));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        System.setOut(console);
    }

    List<String> lines() {
        return bytes.toString(UTF_8).lines().toList();
    }
}
