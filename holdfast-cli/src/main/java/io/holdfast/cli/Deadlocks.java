package io.holdfast.cli;

import io.holdfast.Deadlock;
import io.holdfast.LockKind;
import io.holdfast.cli.screen.Screen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Deadlocks in words and in JSON. Text that others wrote into them cannot move the reader's cursor. */
final class Deadlocks {
    private Deadlocks() {}

    /** A headline, and a line for each who is in it. */
    static List<String> lines(Screen screen, Deadlock deadlock) {
        List<String> lines = new ArrayList<>();
        String what = deadlock.members().size() == 1
                ? "deadlock: this one waits for what it holds itself"
                : "deadlock: these wait for each other";
        lines.add(screen.styled(
                Screen.Style.RED,
                what
                        + deadlock.endsBy()
                                .map(end -> ", until " + end + " at the latest")
                                .orElse("")));
        deadlock.members().forEach(member -> lines.add("  " + Screen.visible(member.toString())));
        return lines;
    }

    /** Whether somebody in it holds the lock, or waits for it. */
    static boolean isAbout(Deadlock deadlock, LockKind kind, String name) {
        return deadlock.members().stream()
                .anyMatch(member -> (member.kind() == kind && member.name().equals(name))
                        || member.holds().stream()
                                .anyMatch(hold ->
                                        hold.kind() == kind && hold.name().equals(name)));
    }

    static Map<String, Object> json(Deadlock deadlock) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("certain", deadlock.certain());
        deadlock.endsBy().ifPresent(end -> fields.put("endsBy", end));
        fields.put("members", deadlock.members().stream().map(Deadlocks::json).toList());
        return fields;
    }

    private static Map<String, Object> json(Deadlock.Member member) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("client", member.client());
        fields.put("owner", member.owner());
        fields.put("certain", member.certain());
        fields.put("name", member.name());
        fields.put("kind", Statuses.kind(member.kind()));
        fields.put("waitedMillis", member.waited().toMillis());
        List<Object> holds = new ArrayList<>();
        member.holds().forEach(hold -> holds.add(json(hold)));
        fields.put("holds", holds);
        return fields;
    }

    private static Map<String, Object> json(Deadlock.Hold hold) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", hold.name());
        fields.put("kind", Statuses.kind(hold.kind()));
        fields.put("token", hold.token());
        return fields;
    }
}
