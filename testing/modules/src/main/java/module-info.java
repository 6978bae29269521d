/** A user of Holdfast that is a module itself. */
@SuppressWarnings("requires-automatic") // ZooKeeper's jars cannot be modules, so what uses them has only a name
module io.holdfast.testing.modules {
    requires io.holdfast.memory;
    requires io.holdfast.quorum;
    requires io.holdfast.fence;
    requires io.holdfast.jdbc;
    requires io.holdfast.zookeeper;
    requires io.holdfast.tck;
}
