/** A user of Holdfast that is a module itself. */
module io.holdfast.testing.modules {
    requires io.holdfast.memory;
    requires io.holdfast.quorum;
    requires io.holdfast.fence;
    requires io.holdfast.jdbc;
    requires io.holdfast.tck;
}
