package io.holdfast.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks at a site as it was written: does everything lead somewhere, and does anything ask another host? */
final class DeadLinks {
    private static final Pattern LINK = Pattern.compile("<(\\w+)[^>]*? (href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|//.*");

    private final Path site;
    private final Map<Path, Set<String>> ids = new HashMap<>();

    private DeadLinks(Path site) {
        this.site = site;
    }

    /** What is wrong, a line each. Javadoc is the affair of its own tool. */
    static List<String> of(Path site) {
        DeadLinks links = new DeadLinks(site);
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> files = Files.walk(site)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".html"))
                    .filter(each -> !site.relativize(each).toString().matches("javadoc/.*/.*"))
                    .sorted()
                    .toList()) {
                links.check(file, wrong);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return wrong;
    }

    private void check(Path file, List<String> wrong) throws IOException {
        Matcher link = LINK.matcher(Files.readString(file));
        while (link.find()) {
            String target = link.group(3);
            if (ELSEWHERE.matcher(target).matches()) {
                if (!link.group(1).equals("a")) {
                    wrong.add(site.relativize(file) + " asks another host: " + target);
                }
            } else if (!leadsSomewhere(file, target)) {
                wrong.add(site.relativize(file) + " leads nowhere: " + target);
            }
        }
    }

    private boolean leadsSomewhere(Path file, String target) throws IOException {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path page = path.isEmpty() ? file : file.resolveSibling(path).normalize();
        if (!Files.isRegularFile(page)) {
            return false;
        }
        return hash < 0 || idsOf(page).contains(target.substring(hash + 1));
    }

    private Set<String> idsOf(Path page) throws IOException {
        Set<String> known = ids.get(page);
        if (known == null) {
            known = new HashSet<>();
            Matcher id = ID.matcher(Files.readString(page));
            while (id.find()) {
                known.add(id.group(1));
            }
            ids.put(page, known);
        }
        return known;
    }
}
