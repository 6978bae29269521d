package io.holdfast.comparison.spring;

import java.util.List;

/** Which locks the application has. All jars are there in each case: only what is configured differs. */
enum Starter {
    /** None. */
    NONE(""),
    HOLDFAST("(holdfast|io\\.holdfast|lock).*"),
    REDISSON("(redisson|org\\.redisson).*");

    private final String beans;

    Starter(String beans) {
        this.beans = beans;
    }

    boolean isItsBean(String name) {
        return name.matches(beans);
    }

    List<String> properties(String redis) {
        return List.of(
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--spring.data.redis.url=" + redis,
                "--holdfast.enabled=" + (this == HOLDFAST),
                "--spring.autoconfigure.exclude="
                        + (this == REDISSON ? "" : "org.redisson.spring.starter.RedissonAutoConfigurationV4"));
    }
}
