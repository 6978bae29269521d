package io.holdfast.site;

import io.holdfast.site.Article.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/** Makes articles of Markdown, and remembers which other files they lead to. */
final class Renderer {
    private static final List<Extension> TABLES = List.of(TablesExtension.create());
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

    private final Repository repository;
    private final Set<String> files = new TreeSet<>();
    private final Set<String> folders = new TreeSet<>();

    Renderer(Repository repository) {
        this.repository = repository;
    }

    /** What is no page and is linked to. */
    Set<String> files() {
        return files;
    }

    Set<String> folders() {
        return folders;
    }

    Article render(String file) {
        Node document = Parser.builder().extensions(TABLES).build().parse(repository.read(file));
        Map<Node, String> anchors = new HashMap<>();
        List<Section> sections = sections(document, anchors);
        document.accept(new Rewriter(file));
        String html = HtmlRenderer.builder()
                .extensions(TABLES)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    String anchor = anchors.get(node);
                    if (anchor != null) {
                        attributes.put("id", anchor);
                    }
                })
                .build()
                .render(document);
        String title = sections.isEmpty() ? file : sections.get(0).heading();
        // Wide tables scroll by themselves, and the page does not.
        return new Article(
                file,
                title,
                html.replace("<table>", "<div class=\"wide\"><table>").replace("</table>", "</table></div>"),
                sections);
    }

    private static List<Section> sections(Node document, Map<Node, String> anchors) {
        List<Section> sections = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        StringBuilder text = new StringBuilder();
        Heading current = null;
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading) {
                add(sections, current, anchors, text);
                current = heading;
                text = new StringBuilder();
                anchors.put(heading, anchor(words(heading), taken));
            } else {
                text.append(words(node)).append(' ');
            }
        }
        add(sections, current, anchors, text);
        return sections;
    }

    private static void add(
            List<Section> sections, @Nullable Heading heading, Map<Node, String> anchors, StringBuilder text) {
        if (heading != null) {
            String words = words(heading).strip();
            sections.add(new Section(
                    heading.getLevel(),
                    anchors.getOrDefault(heading, ""),
                    words,
                    text.toString().strip()));
        }
    }

    /** As the sites name it that show Markdown: lower case, dashes for spaces, letters and digits. */
    private static String anchor(String words, Set<String> taken) {
        String anchor = words.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
                .replace(' ', '-');
        String unique = anchor;
        for (int twin = 1; !taken.add(unique); twin++) {
            unique = anchor + "-" + twin;
        }
        return unique;
    }

    private static String words(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak lineBreak) {
                words.append(' ');
            }

            @Override
            public void visit(FencedCodeBlock block) {
                words.append(block.getLiteral());
            }
        });
        return words.toString();
    }

    /** Lets links lead to where things are in the site, and drops comments. */
    private final class Rewriter extends AbstractVisitor {
        private final String file;

        Rewriter(String file) {
            this.file = file;
        }

        @Override
        public void visit(Link link) {
            link.setDestination(address(link.getDestination()));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            image.setDestination(address(image.getDestination()));
            visitChildren(image);
        }

        @Override
        public void visit(HtmlBlock block) {
            if (block.getLiteral().startsWith("<!--")) {
                block.unlink();
            }
        }

        @Override
        public void visit(HtmlInline inline) {
            if (inline.getLiteral().startsWith("<!--")) {
                inline.unlink();
            }
        }

        private String address(String destination) {
            if (ELSEWHERE.matcher(destination).matches() || destination.startsWith("#")) {
                return destination;
            }
            int hash = destination.indexOf('#');
            String path = hash < 0 ? destination : destination.substring(0, hash);
            String target = Addresses.resolve(file, path);
            return Addresses.from(Addresses.of(file), place(target)) + (hash < 0 ? "" : destination.substring(hash));
        }

        private String place(String target) {
            if (repository.isFolder(target)) {
                String entry = target.isEmpty() ? "README.md" : target + "/README.md";
                if (repository.isThere(entry)) {
                    return Addresses.of(entry);
                }
                folders.add(target);
                return Addresses.ofFolder(target);
            }
            if (!target.endsWith(".md")) {
                files.add(target);
            }
            return Addresses.of(target);
        }
    }
}
