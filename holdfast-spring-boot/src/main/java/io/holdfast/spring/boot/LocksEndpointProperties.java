package io.holdfast.spring.boot;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code management.endpoint.locks.*}.
 *
 * @param showValues When names and labels are shown in full.
 * @param roles Who is authorized, with when-authorized. Everybody who is logged in if empty.
 * @since 0.1
 */
@ConfigurationProperties("management.endpoint.locks")
public record LocksEndpointProperties(
        @DefaultValue("never") Show showValues,
        @DefaultValue Set<String> roles) {}
