package io.holdfast.redis.driver;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who logs in.
 *
 * <p><b>Guarantees.</b> The password is in no message and not in {@link #toString()}.
 *
 * @param user an ACL user, or null for the default user
 * @param password the password, or a token that serves as one
 * @since 0.1
 */
public record RedisCredentials(@Nullable String user, String password) {
    /**
     * Checks that there is a password.
     *
     * @param user an ACL user, or null for the default user
     * @param password the password, or a token that serves as one
     */
    public RedisCredentials {
        Objects.requireNonNull(password, "password");
    }

    /** Shows the user only. */
    @Override
    public String toString() {
        return "credentials of " + (user == null ? "the default user" : Printable.of(user));
    }
}
