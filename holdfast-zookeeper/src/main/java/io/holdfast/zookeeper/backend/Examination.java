package io.holdfast.zookeeper.backend;

import io.holdfast.DurationText;
import io.holdfast.Finding;
import io.holdfast.Finding.Level;
import io.holdfast.LockStoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Looks at ZooKeeper, and says everything that is wrong with it. Creates and changes nothing. */
public final class Examination {
    private static final Pattern VERSION = Pattern.compile("([0-9]+)\\.([0-9]+).*");
    private static final int LEAST_MAJOR = 3;
    private static final int LEAST_MINOR = 6;

    /** How many ticks a session must have, so that its beats are far enough apart. */
    private static final int LEAST_TICKS = 6;

    /** What a client needs to do with the root. */
    private static final int NEEDED =
            ZooDefs.Perms.READ | ZooDefs.Perms.WRITE | ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE;

    private final ZooKeeperSettings settings;
    private final Paths paths;
    private final List<Finding> findings = new ArrayList<>();
    private final String all;

    public Examination(ZooKeeperSettings settings) {
        this.settings = settings;
        this.paths = new Paths(settings.rootPath());
        this.all = settings.connect().servers();
    }

    public List<Finding> run() {
        for (String server : settings.connect().servers().split(",", -1)) {
            server(server.strip());
        }
        long beganNanos = settings.time().nanoTime();
        Answers answers = new Answers(
                settings.time(), beganNanos + settings.connectWithin().toNanos());
        Connection connection = new Connection(settings, paths);
        try {
            ZooKeeper zooKeeper = connection.connect(event -> {}, answers);
            try {
                long tookNanos = settings.time().nanoTime() - beganNanos;
                ok(all, "connection", "opened in " + DurationText.rounded(Duration.ofNanos(tookNanos)));
                session(zooKeeper);
                nodes(new Nodes(zooKeeper, settings.acls()), answers);
            } finally {
                Connection.close(zooKeeper);
            }
        } catch (LockStoreException unfit) {
            fail(all, "connection", String.valueOf(unfit.getMessage()), "");
        } catch (KeeperException said) {
            fail(
                    all,
                    "nodes",
                    String.valueOf(new ErrorMessages(settings)
                            .of(null, "look at the nodes", said)
                            .getMessage()),
                    "");
        }
        return findings;
    }

    private void server(String server) {
        ServerAnswer answer = ServerAnswer.of(server, "srvr");
        Optional<String> version = answer.after("Zookeeper version:");
        if (version.isEmpty()) {
            warn(
                    server,
                    "server",
                    "does not tell its version",
                    "allow srvr in 4lw.commands.whitelist, or start it;" + " a port for TLS never tells it");
            return;
        }
        Matcher numbers = VERSION.matcher(version.get());
        boolean fit = numbers.matches()
                && (Integer.parseInt(numbers.group(1)) > LEAST_MAJOR
                        || (Integer.parseInt(numbers.group(1)) == LEAST_MAJOR
                                && Integer.parseInt(numbers.group(2)) >= LEAST_MINOR));
        String found = "version " + version.get().replaceAll("[-,].*", "") + ", "
                + answer.after("Mode:").orElse("?");
        if (fit) {
            ok(server, "server", found);
        } else {
            fail(server, "server", found + ", is older than 3.6", "upgrade the server");
        }
        tick(server);
    }

    private void tick(String server) {
        Optional<String> tick = ServerAnswer.of(server, "conf").after("tickTime=");
        if (tick.isPresent() && tick.get().matches("[0-9]{1,9}")) {
            Duration least = Duration.ofMillis(Long.parseLong(tick.get())).multipliedBy(LEAST_TICKS);
            if (settings.session().compareTo(least) < 0) {
                fail(
                        server,
                        "tick",
                        "a tick is " + tick.get() + "ms, and a session of " + DurationText.of(settings.session())
                                + " is less than " + LEAST_TICKS + " of them",
                        "ask for a session(…) of " + DurationText.of(least) + " or more");
            } else {
                ok(server, "tick", tick.get() + "ms");
            }
        }
    }

    private void session(ZooKeeper zooKeeper) {
        Duration granted = Duration.ofMillis(zooKeeper.getSessionTimeout());
        if (granted.compareTo(settings.session()) < 0) {
            fail(
                    all,
                    "session",
                    DurationText.of(granted) + " is given, " + DurationText.of(settings.session()) + " is asked for",
                    "set session(…) to at most that, or raise maxSessionTimeout of the servers");
        } else {
            ok(
                    all,
                    "session",
                    DurationText.of(granted) + ", which carries leases of up to "
                            + DurationText.rounded(settings.carried()));
        }
    }

    private void nodes(Nodes nodes, Answers answers) throws KeeperException {
        size(nodes, answers);
        warn(
                all,
                "disk",
                "whether servers have on disk what they confirm is not known: they do not tell",
                "none of them may run with zookeeper.forceSync=no");
        try {
            root(nodes, answers);
        } catch (KeeperException.NoAuthException forbidden) {
            fail(
                    all,
                    "rights",
                    "this user may not read " + forbidden.getPath(),
                    "use the credentials of those who created it, with auth(…)");
        }
    }

    private void root(Nodes nodes, Answers answers) throws KeeperException {
        String chroot = settings.connect().chroot();
        if (!chroot.isEmpty() && answers.await(nodes.exists(chroot)) == null) {
            warn(all, "path", chroot + " does not exist", "the first client creates it, if it may");
        } else if (answers.await(nodes.exists(paths.root())) == null) {
            ok(all, "root", paths.root() + " does not exist yet; the first client creates it");
        } else {
            answers.await(nodes.read(paths.root()));
            answers.await(nodes.children(paths.root(), null));
            rights(answers.await(nodes.rights(paths.root())));
        }
    }

    /** What the node says; whether the credentials are the right ones of their kind shows when a client is opened. */
    private void rights(List<ACL> given) {
        int mine = given.stream()
                .filter(this::mayBeThisUser)
                .mapToInt(ACL::getPerms)
                .reduce(0, (one, other) -> one | other);
        if ((mine & NEEDED) == NEEDED) {
            boolean open = settings.acls().equals(ZooDefs.Ids.OPEN_ACL_UNSAFE);
            ok(
                    all,
                    "rights",
                    paths.root() + " can be read, and written by "
                            + (mayEverybody(given) ? "everybody" : "users of this kind")
                            + "; new nodes can be changed by "
                            + (open ? "everybody" : "whom acl(…) or auth(…) says"));
        } else {
            fail(
                    all,
                    "rights",
                    "this user may read " + paths.root() + ", and not write there",
                    "use the credentials of those who created it, with auth(…)");
        }
    }

    private static boolean mayEverybody(List<ACL> given) {
        return given.stream().anyMatch(each -> isEverybody(each) && (each.getPerms() & NEEDED) == NEEDED);
    }

    private static boolean isEverybody(ACL acl) {
        return acl.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE);
    }

    /** Users by address, SASL or certificate are known to the server alone. */
    private boolean mayBeThisUser(ACL acl) {
        String scheme = acl.getId().getScheme();
        return isEverybody(acl)
                || !"digest".equals(scheme)
                || settings.credentials().stream()
                        .anyMatch(each -> each.scheme().equals(scheme));
    }

    private void size(Nodes nodes, Answers answers) throws KeeperException {
        String config;
        try {
            config = new String(answers.await(nodes.read(ZooDefs.CONFIG_NODE)).data(), StandardCharsets.UTF_8);
        } catch (KeeperException.NoAuthException | KeeperException.NoNodeException secret) {
            warn(all, "ensemble", "how many servers there are is not told", "");
            return;
        }
        long voters = config.lines()
                .filter(line -> line.startsWith("server.") && !line.contains(":observer"))
                .count();
        if (voters < 2) {
            warn(all, "ensemble", "one server: while it is down nobody gets a lock", "use three or five");
        } else if (voters % 2 == 0) {
            warn(all, "ensemble", voters + " servers bear no more losses than " + (voters - 1), "use an odd number");
        } else {
            ok(all, "ensemble", voters + " servers, of which " + voters / 2 + " may be down");
        }
    }

    private void ok(String server, String check, String text) {
        findings.add(Finding.of(Level.OK, server, check, text, ""));
    }

    private void warn(String server, String check, String text, String remedy) {
        findings.add(Finding.of(Level.WARN, server, check, text, remedy));
    }

    private void fail(String server, String check, String text, String remedy) {
        findings.add(Finding.of(Level.FAIL, server, check, text, remedy));
    }
}
