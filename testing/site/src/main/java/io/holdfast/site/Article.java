package io.holdfast.site;

import java.util.List;

/**
 * A page, rendered.
 *
 * @param file where it was read
 * @param title its first heading
 * @param html what it says
 * @param sections its parts, for the table of contents and the search
 */
record Article(String file, String title, String html, List<Section> sections) {
    /**
     * What stands under a heading.
     *
     * @param level 1 for the title
     * @param anchor the name of the place in the page
     * @param heading its words
     * @param text all words up to the next heading
     */
    record Section(int level, String anchor, String heading, String text) {}

    String address() {
        return Addresses.of(file);
    }

    boolean isChinese() {
        return file.startsWith("docs/zh/") || file.equals("README.zh-CN.md");
    }

    /** The file of the same page in the other language, whether it is there or not. */
    String twin() {
        return switch (file) {
            case "README.md" -> "README.zh-CN.md";
            case "README.zh-CN.md" -> "README.md";
            case "docs/zh/README.md" -> "README.md";
            default -> isChinese() ? file.replace("docs/zh/", "docs/") : file.replaceFirst("^docs/", "docs/zh/");
        };
    }
}
