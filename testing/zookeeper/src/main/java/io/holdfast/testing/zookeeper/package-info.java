/** Real ZooKeeper servers, alone and as an ensemble, as processes of their own. For tests only. */
@NullMarked
package io.holdfast.testing.zookeeper;

import org.jspecify.annotations.NullMarked;
