/**
 * The locks that articles build on a database table and on ZooKeeper, as they stand there: not to be used, but to be
 * compared.
 */
@NullMarked
package io.holdfast.examples.articles;

import org.jspecify.annotations.NullMarked;
