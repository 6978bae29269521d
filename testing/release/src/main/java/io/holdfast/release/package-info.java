/**
 * What a maintainer looks at before a release: do the libraries that come along have known faults, and do the pages
 * name their licences? Knows nothing of Holdfast's own code.
 */
@NullMarked
package io.holdfast.release;

import org.jspecify.annotations.NullMarked;
