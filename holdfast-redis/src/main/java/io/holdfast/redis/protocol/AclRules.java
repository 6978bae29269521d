package io.holdfast.redis.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an ACL user may need, and how to find out without changing anything: each command is sent in a form that the
 * server refuses, or that has no effect, after it has looked at the rights of the user.
 */
public final class AclRules {
    /**
     * One rule.
     *
     * @param rule as {@code ACL SETUSER} takes it
     * @param optional whether locks work without it; looking, replicas, STRICT or speed may not
     * @param cluster whether only a cluster needs it
     * @param probe what to send
     */
    public record Rule(String rule, boolean optional, boolean cluster, List<String> probe) {

        /** Whether the connection that sends it can do nothing else afterwards. */
        public boolean subscribes() {
            return rule.endsWith("subscribe");
        }
    }

    private AclRules() {}

    /** Those of a client whose keys and channels begin with the prefix. */
    public static List<Rule> of(String prefix) {
        String key = prefix + ":lock:{examination}";
        // A question mark: locks work without it.
        List<Rule> rules = new ArrayList<>(Stream.of(
                        "evalsha 0000000000000000000000000000000000000000 0",
                        "?eval ! 0", // looked at before the script is
                        "script|load !",
                        "?script|flush !",
                        "info",
                        "time",
                        "hget " + key + " !",
                        "hset " + key + " ! ! !",
                        "hdel " + key + " !",
                        "hmget " + key + " !",
                        "hgetall " + key,
                        "hexists " + key + " !",
                        "exists " + key,
                        "pexpire " + key + " !",
                        "pttl " + key,
                        "get " + key,
                        "set " + key + " ! !",
                        "?del " + key,
                        "publish " + prefix + ":examination !",
                        "pubsub NUMSUB " + prefix + ":examination",
                        "?wait 0 !",
                        "?scan 0 COUNT 1",
                        "ping",
                        "?select !",
                        "?client|setname !!\n",
                        "?subscribe " + prefix + ":examination")
                .map(AclRules::rule)
                .toList());
        rules.add(inCluster("cluster|slots"));
        rules.add(inCluster("asking"));
        rules.add(inCluster("?spublish " + prefix + ":examination !"));
        rules.add(inCluster("?ssubscribe " + prefix + ":examination"));
        return List.copyOf(rules);
    }

    /** All of them in one line. */
    public static String text(String prefix) {
        return "~" + prefix + ":* resetchannels &" + prefix + ":* "
                + of(prefix).stream()
                        .filter(rule -> !rule.cluster)
                        .map(Rule::rule)
                        .collect(Collectors.joining(" "))
                + ", and in a cluster "
                + of(prefix).stream().filter(Rule::cluster).map(Rule::rule).collect(Collectors.joining(" "));
    }

    private static Rule rule(String line) {
        boolean optional = line.startsWith("?");
        List<String> words = new ArrayList<>(Arrays.asList((optional ? line.substring(1) : line).split(" ", -1)));
        String name = words.remove(0);
        words.addAll(0, Arrays.asList(name.split("\\|", -1)));
        return new Rule("+" + name, optional, false, List.copyOf(words));
    }

    private static Rule inCluster(String line) {
        Rule rule = rule(line);
        return new Rule(rule.rule, rule.optional, true, rule.probe);
    }
}
