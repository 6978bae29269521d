package io.holdfast.site;

import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;

/** Where in the site a file of the repository is, and how one place is named from another. */
final class Addresses {
    private static final Pattern PICTURE = Pattern.compile(".*\\.(?:svg|png)");

    private Addresses() {}

    /** A page, a picture as it is, and everything else as a page that shows it. */
    static String of(String file) {
        if (PICTURE.matcher(file).matches()) {
            return file;
        }
        if (file.equals("README.zh-CN.md")) {
            return "index.zh.html";
        }
        if (file.endsWith("README.md")) {
            return file.replaceAll("README\\.md$", "index.html");
        }
        return file.endsWith(".md") ? file.replaceAll("md$", "html") : "files/" + file + ".html";
    }

    /** Where a folder is shown that has no page of its own. */
    static String ofFolder(String folder) {
        return "files/" + folder + (folder.isEmpty() ? "" : "/") + "index.html";
    }

    static boolean isPicture(String file) {
        return PICTURE.matcher(file).matches();
    }

    /** The way from one page of the site to another. */
    static String from(String page, String target) {
        Path folder = Objects.requireNonNull(Path.of("/" + page).getParent());
        return folder.relativize(Path.of("/" + target)).toString().replace('\\', '/');
    }

    /** A path without dots in it; what leads out of the repository begins with two of them. */
    static String resolve(String page, String link) {
        Path folder = Path.of(page).getParent();
        Path target = folder == null ? Path.of(link) : folder.resolve(link);
        return target.normalize().toString().replace('\\', '/');
    }
}
