package io.holdfast.jdbc.database;

/**
 * A message to another client, sent by the statement that changes what it is about.
 *
 * @param channel the client's
 * @param payload what to say
 */
public record Notice(String channel, String payload) {}
