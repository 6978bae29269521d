package io.holdfast.testing.redis;

/** An error as it stands in a reply, at its top or within a list. */
public record RespError(String message) {}
