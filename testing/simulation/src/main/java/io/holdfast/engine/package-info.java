/**
 * One look into the engine from inside its package, for the simulation: what is left behind when all is over. Nothing
 * else lives here.
 */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
