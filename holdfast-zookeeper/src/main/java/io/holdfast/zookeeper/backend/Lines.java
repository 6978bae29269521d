package io.holdfast.zookeeper.backend;

import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.line.Line;
import io.holdfast.zookeeper.line.Member;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes a line of children. What others put among them is left out, and told once. */
final class Lines {
    private static final Logger LOG = System.getLogger("io.holdfast.zookeeper");

    private final AtomicBoolean told = new AtomicBoolean();

    Line of(Resource resource, List<String> children) {
        List<Member> members = new ArrayList<>(children.size());
        for (String child : children) {
            Optional<Member> member = Member.read(child);
            member.ifPresent(members::add);
            if (member.isEmpty() && told.compareAndSet(false, true)) {
                LOG.log(
                        Level.WARNING,
                        "among the nodes of {0} is ''{1}'', which is no claim: it is ignored, here and elsewhere",
                        resource,
                        child);
            }
        }
        return Line.of(Member.inOrder(members), resource.kind() == LockKind.LATCH);
    }
}
