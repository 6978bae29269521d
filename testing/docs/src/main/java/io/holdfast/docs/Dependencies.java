package io.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What pages tell users to depend on: does the build publish it, under that version? */
final class Dependencies {
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

    private final Map<String, String> published = new HashMap<>();

    Dependencies() {
        String parent = textOf(Page.ROOT.resolve("pom.xml"));
        Matcher module = MODULE.matcher(parent);
        while (module.find()) {
            String pom = textOf(Page.ROOT.resolve(module.group(1)).resolve("pom.xml"));
            String own = pom.substring(Math.max(0, pom.indexOf("</parent>"))); // the BOM has none
            if (!own.contains("<maven.deploy.skip>true")) {
                published.put(element(own, "artifactId"), element(parent, "version"));
            }
        }
    }

    List<Problem> wrong(Block block) {
        List<Problem> problems = new ArrayList<>();
        Matcher dependency = DEPENDENCY.matcher(block.text());
        boolean none = true;
        while (dependency.find()) {
            none = false;
            String artifact = element(dependency.group(1), "artifactId");
            String version = element(dependency.group(1), "version");
            if (!element(dependency.group(1), "groupId").equals("io.holdfast") || !published.containsKey(artifact)) {
                problems.add(block.problem("depends on " + artifact + ", which is none of " + published.keySet()));
            } else if (!version.equals(published.get(artifact))) {
                problems.add(block.problem("depends on version " + version + ", not " + published.get(artifact)));
            }
        }
        if (none) {
            problems.add(block.problem("has no dependency in it"));
        }
        return problems;
    }

    private static String element(String text, String name) {
        Matcher element = Pattern.compile("<" + name + ">(.*?)</" + name + ">").matcher(text);
        return element.find() ? element.group(1) : "";
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
