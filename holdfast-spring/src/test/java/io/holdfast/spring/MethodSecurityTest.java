package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

/** Method security is asked before the lock: who may not call a method does not wait for it. */
class MethodSecurityTest {

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity(proxyTargetClass = true)
    static class Security {}

    static class Shop {
        @PreAuthorize("hasRole('OWNER')")
        @Locked(value = "stock", waitFor = "0")
        public long count() {
            return CurrentLocks.token();
        }
    }

    private TestLocks locks;
    private Shop shop;

    @BeforeEach
    void start() {
        locks = new TestLocks(Security.class, Shop.class);
        shop = locks.bean(Shop.class);
    }

    @AfterEach
    void stop() {
        SecurityContextHolder.clearContext();
        locks.close();
    }

    private static void logIn(String role) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("somebody", "", role));
    }

    @Test
    void denied_lockIsNotAskedFor() {
        logIn("ROLE_GUEST");
        try (Lease other = locks.elsewhere().lock("stock").acquire()) {
            assertThat(other.isValid()).isTrue();
            assertThatThrownBy(shop::count).isInstanceOf(AccessDeniedException.class);
        }
    }

    @Test
    void allowed_locks() {
        logIn("ROLE_OWNER");
        assertThat(shop.count()).isPositive();
    }
}
