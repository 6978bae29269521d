/** What a starter costs an application of Spring Boot. {@code Starts} measures, {@code MeasuredStart} is measured. */
@NullMarked
package io.holdfast.comparison.spring;

import org.jspecify.annotations.NullMarked;
