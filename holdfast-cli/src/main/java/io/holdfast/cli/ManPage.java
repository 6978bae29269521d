package io.holdfast.cli;

import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Help as a page for {@code man}, in the macros that every formatter knows: what stands in it stands in help, too. */
final class ManPage {
    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    static String of(CommandLine root) {
        ManPage made = new ManPage();
        String name = root.getCommandName();
        made.macro("TH", name.toUpperCase(Locale.ROOT), "1", "", version(root));
        made.macro("SH", "NAME");
        made.text(name + " - distributed locks from the command line");
        made.macro("SH", "SYNOPSIS");
        made.text(name + " COMMAND [OPTIONS]");
        made.macro("SH", "DESCRIPTION");
        made.paragraphs(root.getCommandSpec().usageMessage().description());
        made.paragraphs(root.getCommandSpec().usageMessage().footer());
        made.macro("SH", "COMMANDS");
        made.commands(root);
        return made.page.toString();
    }

    private static String version(CommandLine root) {
        return String.join(" ", root.getCommandSpec().version());
    }

    private void commands(CommandLine parent) {
        for (Map.Entry<String, CommandLine> each : parent.getSubcommands().entrySet()) {
            boolean isAlias = !each.getKey().equals(each.getValue().getCommandName());
            if (!isAlias && !each.getValue().getCommandSpec().usageMessage().hidden()) {
                command(each.getValue());
                commands(each.getValue());
            }
        }
    }

    private void command(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        macro("SS", command.getCommandSpec().qualifiedName());
        text(command.getHelp().synopsis(0));
        paragraphs(usage.description());
        for (PositionalParamSpec word : command.getCommandSpec().positionalParameters()) {
            argument(word, word.paramLabel());
        }
        for (OptionSpec option : command.getCommandSpec().options()) {
            argument(
                    option,
                    String.join(", ", option.names()) + (option.arity().max() > 0 ? " " + option.paramLabel() : ""));
        }
        paragraphs(usage.footer());
    }

    private void argument(ArgSpec argument, String shown) {
        if (!argument.hidden()) {
            macro("TP");
            page.append("\\fB").append(escaped(shown)).append("\\fR\n");
            text(plain(String.join(" ", argument.description())));
        }
    }

    private static String plain(String text) {
        return Help.Ansi.OFF.text(text).toString();
    }

    private void paragraphs(String... lines) {
        for (String line : lines) {
            if (!line.isBlank()) {
                macro("PP");
                text(plain(line));
            }
        }
    }

    private void macro(String name, String... words) {
        page.append('.').append(name);
        for (String word : words) {
            page.append(" \"").append(escaped(word).replace("\"", "\\(dq")).append('"');
        }
        page.append('\n');
    }

    /** A line that begins with a dot or an apostrophe would be a macro. */
    private void text(String text) {
        text.strip()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .forEach(line -> page.append("\\&").append(escaped(line)).append('\n'));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
    }
}
