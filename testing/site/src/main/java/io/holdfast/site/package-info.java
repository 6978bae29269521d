/**
 * The pages of the repository as a site: static HTML, with a search, in two languages, that asks no other host for
 * anything. Knows nothing of Holdfast's own code.
 */
@NullMarked
package io.holdfast.site;

import org.jspecify.annotations.NullMarked;
