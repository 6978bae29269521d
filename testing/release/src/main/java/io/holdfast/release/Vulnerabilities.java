package io.holdfast.release;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** {@code bin/vulnerabilities}: looks up libraries in a file of advisories. Asks nobody on the network. */
public final class Vulnerabilities {
    private static final String HELP = """
            bin/vulnerabilities [--sbom SBOM] FILE

            Looks up what the published modules bring along in FILE: advisories in the format of OSV, as one JSON object,
            a list of them, an answer of its API ("vulns"), or a zip of such files, as osv.dev has one of all of Maven's.
            Ends with 0 if nothing is affected, with 1 if something is, with 2 if it could not look.

              --sbom SBOM    the list of libraries, CycloneDX in JSON; otherwise that of this checkout is made
            """;

    private final List<Library> libraries;
    private final Consumer<String> out;
    private int advisories;
    private int found;

    private Vulnerabilities(List<Library> libraries, Consumer<String> out) {
        this.libraries = libraries;
        this.out = out;
    }

    /**
     * Looks.
     *
     * @param arguments see the help
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out::println));
    }

    static int run(List<String> arguments, Consumer<String> out) {
        if (arguments.equals(List.of("--help"))) {
            out.accept(HELP.strip());
            return 0;
        }
        if (arguments.size() != 3 || !arguments.get(0).equals("--sbom")) {
            out.accept("expected a file of advisories; --help says more");
            return 2;
        }
        try {
            Vulnerabilities search = new Vulnerabilities(Library.allOf(Path.of(arguments.get(1))), out);
            search.look(Path.of(arguments.get(2)));
            return search.verdict();
        } catch (IOException | JsonParseException | IllegalStateException unreadable) {
            out.accept("could not look: " + unreadable);
            return 2;
        }
    }

    private void look(Path file) throws IOException {
        if (file.toString().endsWith(".zip")) {
            lookInto(file);
            return;
        }
        try (Reader reader = Files.newBufferedReader(file)) {
            look(JsonParser.parseReader(reader));
        }
    }

    private void lookInto(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().<ZipEntry>map(each -> each)::iterator) {
                try (Reader reader = new InputStreamReader(zip.getInputStream(entry), StandardCharsets.UTF_8)) {
                    look(JsonParser.parseReader(reader));
                }
            }
        }
    }

    private void look(JsonElement json) {
        if (json.isJsonArray()) {
            json.getAsJsonArray().forEach(this::look);
            return;
        }
        JsonObject entry = json.getAsJsonObject();
        if (entry.has("vulns")) {
            look(entry.get("vulns"));
            return;
        }
        if (!entry.has("id")) {
            throw new IllegalStateException("not an advisory in the format of OSV: it has " + entry.keySet());
        }
        advisories++;
        Advisory advisory = Advisory.read(entry);
        libraries.stream().filter(advisory::affects).forEach(library -> {
            found++;
            out.accept(library.name() + " " + library.version() + ": " + advisory.id() + " " + advisory.summary());
        });
    }

    /** That nothing was found is good news only if there was something to look at. */
    private int verdict() {
        if (libraries.isEmpty() || advisories == 0) {
            out.accept("could not look: " + libraries.size() + " libraries, " + advisories + " advisories");
            return 2;
        }
        out.accept(found + " found: " + libraries.size() + " libraries, " + advisories + " advisories");
        return found == 0 ? 0 : 1;
    }
}
