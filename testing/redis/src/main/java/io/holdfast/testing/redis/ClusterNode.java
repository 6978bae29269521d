package io.holdfast.testing.redis;

import java.util.List;

/**
 * One line of CLUSTER NODES.
 *
 * @param id the node's name within the cluster
 * @param flags such as {@code myself}, {@code master} and {@code fail}
 * @param master the id of its master, or {@code -}
 * @param epoch of its configuration: of two nodes that claim a slot, the one with the higher epoch has it
 * @param slots single slots and ranges, without the notes on slots that are on the move
 */
record ClusterNode(String id, List<String> flags, String master, long epoch, List<String> slots) {
    static List<ClusterNode> parse(String text) {
        return text.lines().map(ClusterNode::parseLine).toList();
    }

    private static ClusterNode parseLine(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return new ClusterNode(
                words.get(0),
                List.of(words.get(2).split(",", -1)),
                words.get(3),
                Long.parseLong(words.get(6)),
                words.stream().skip(8).filter(slot -> !slot.startsWith("[")).toList());
    }

    boolean isMyself() {
        return flags.contains("myself");
    }

    boolean isMaster() {
        return flags.contains("master");
    }

    boolean isReady() {
        return !flags.contains("handshake") && !flags.contains("noaddr");
    }

    boolean owns(int slot) {
        return slots.stream().anyMatch(range -> contains(range, slot));
    }

    private static boolean contains(String range, int slot) {
        int dash = range.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
        return first <= slot && slot <= last;
    }
}
