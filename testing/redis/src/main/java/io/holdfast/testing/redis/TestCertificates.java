package io.holdfast.testing.redis;

import io.holdfast.testing.process.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for {@code localhost} and {@code 127.0.0.1} that signs itself, made for one test run. {@link #close}
 * deletes the files.
 */
public final class TestCertificates implements AutoCloseable {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "holdfast";

    private final Path folder;
    private final KeyStore keys;
    private final KeyStore trusted;

    private TestCertificates(Path folder, String names) throws GeneralSecurityException, IOException {
        this.folder = folder;
        keytool(folder.resolve("keys.p12"), names);
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore())) {
            keys.load(in, PASSWORD.toCharArray());
        }
        trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        try (OutputStream out = Files.newOutputStream(trustStore())) {
            trusted.store(out, PASSWORD.toCharArray());
        }
    }

    public static TestCertificates create() {
        return createFor("dns:localhost,ip:127.0.0.1");
    }

    /** For other names, as in {@code dns:elsewhere.example,ip:192.0.2.1}. */
    public static TestCertificates createFor(String names) {
        Path folder = Folders.temporary("certificates");
        try {
            return new TestCertificates(folder, names);
        } catch (GeneralSecurityException | IOException e) {
            Folders.delete(folder);
            throw new IllegalStateException("Could not make a certificate", e);
        }
    }

    private static void keytool(Path store, String names) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=" + names,
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while keytool ran", e);
        }
    }

    /** PKCS12 with the private key and its certificate. */
    public Path keyStore() {
        return folder.resolve("keys.p12");
    }

    /** PKCS12 with the certificate alone. */
    public Path trustStore() {
        return folder.resolve("trust.p12");
    }

    /** Of both stores. */
    public String password() {
        return PASSWORD;
    }

    /** For {@link FaultProxy#tls}. */
    public SSLContext serverContext() {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** For a client that trusts this certificate and no other. */
    public SSLContext clientContext() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        Folders.delete(folder);
    }
}
