package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.jdbc.Products.EachProduct;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.testing.databases.DatabaseServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** A JVM that stands still while it holds a lock knows that it has lost it before it does anything else. */
@Tag("integration")
@Timeout(60)
class StoppedHolderTest {
    private static Products products;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    @ParameterizedTest
    @EachProduct
    void holderIsStopped_nextOneGetsTheLock_andItKnowsWhenItGoesOn(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        LockClient other = bench.client(server);
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath(Holder.class, JdbcLocks.class, LockClient.class, driver(server)),
                        Holder.class.getName(),
                        server.url(),
                        bench.table())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        bench.open(holder::destroyForcibly);
        try (BufferedReader says =
                        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
                PrintStream ask = new PrintStream(holder.getOutputStream(), true, StandardCharsets.UTF_8)) {
            long token = Long.parseLong(says.readLine());
            signal("STOP", holder);
            Lease next = FaultBench.get(other.lock("a").acquireAsync());
            assertThat(next.token()).isGreaterThan(token);
            ask.println("is it yours?");
            signal("CONT", holder);
            assertThat(says.readLine()).isEqualTo("false");
            assertThat(next.isValid()).isTrue();
        }
    }

    private static Class<?> driver(DatabaseServer server) throws SQLException {
        return DriverManager.getDriver(server.url()).getClass();
    }

    /** Where these are: a class path of the JVM may name a launcher only. */
    private static String classPath(Class<?>... types) {
        return Arrays.stream(types)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(place -> Path.of(URI.create(place.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Holds a lock, says its token, and says whether it holds it whenever it is asked. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            try (LockClient client = JdbcLocks.builder(arguments[0], "", "")
                            .table(arguments[1])
                            .connect();
                    Lease lease = client.lock("a", LockOptions.defaults().lease(Duration.ofSeconds(1)))
                            .acquire();
                    BufferedReader asked =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                System.out.println(lease.token());
                while (asked.readLine() != null) {
                    System.out.println(lease.isValid());
                }
            }
        }
    }
}
