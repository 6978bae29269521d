package io.holdfast.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stands before every statement of a data source: it can look, wait, or throw instead. */
interface Spy {
    /** Called with the text of each statement right before it is sent. */
    void before(String sql) throws SQLException;

    /** The same data source with a spy in its connections. */
    static DataSource on(TestDataSource.Source source, Spy spy) {
        return new TestDataSource(() -> wrapped(source.connect(), spy));
    }

    private static Connection wrapped(Connection connection, Spy spy) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            if (result instanceof PreparedStatement statement && arguments != null) {
                return statement(PreparedStatement.class, statement, (String) arguments[0], spy);
            }
            return result instanceof Statement plain ? statement(Statement.class, plain, "", spy) : result;
        });
    }

    private static <T extends Statement> T statement(Class<T> type, T statement, String sql, Spy spy) {
        return proxy(type, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                spy.before(arguments == null ? sql : (String) arguments[0]);
            }
            return invoke(statement, method, arguments);
        });
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    /** What becomes of a call. */
    interface Handler {
        @Nullable
        Object handle(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                Spy.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method, arguments)));
    }
}
