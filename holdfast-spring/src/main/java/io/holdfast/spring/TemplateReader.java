package io.holdfast.spring;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads the template of a method and checks what can be checked before anybody calls it. */
final class TemplateReader {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Pattern INSIDE = Pattern.compile("\\s*([A-Za-z_$][\\w$]*)\\s*(.*?)\\s*");
    private static final Pattern BY_NUMBER = Pattern.compile("[pa](\\d{1,3})");
    private static final Pattern PROPERTIES = Pattern.compile("(\\??\\.[A-Za-z_$][\\w$]*)+");
    private static final Set<Class<?>> READING_ONLY = Set.of(
            CompoundExpression.class,
            PropertyOrFieldReference.class,
            Indexer.class,
            Projection.class,
            IntLiteral.class,
            StringLiteral.class);

    private final Method method;
    private final String template;
    private final String @Nullable [] parameters;

    private TemplateReader(Method method, String template) {
        this.method = method;
        this.template = template;
        this.parameters = NAMES.getParameterNames(method);
    }

    static NameTemplate read(Method method, String template) {
        return new TemplateReader(method, template).read();
    }

    /** The types whose properties are read, for hints; empty for what cannot be told. */
    static List<Class<?>> typesRead(Method method, String template) {
        TemplateReader reader = new TemplateReader(method, template);
        List<Class<?>> types = new ArrayList<>();
        Matcher braces = Pattern.compile("(?<!\\$)\\{([^{}]*)}").matcher(template);
        while (braces.find()) {
            Matcher inside = INSIDE.matcher(braces.group(1));
            if (inside.matches() && PROPERTIES.matcher(inside.group(2)).matches()) {
                reader.walk(reader.parameter(inside.group(1)), inside.group(2), types);
            }
        }
        return types;
    }

    private NameTemplate read() {
        if (template.isEmpty()) {
            throw invalid("it is empty", "Give the lock a name, such as order:{order.id}");
        }
        List<NameTemplate.Part> parts = new ArrayList<>();
        int at = 0;
        while (at < template.length()) {
            int open = template.indexOf('{', at);
            int stray = template.indexOf('}', at);
            if (stray >= 0 && (open < 0 || stray < open)) {
                throw invalid("'}' at " + stray + " closes nothing", "Each parameter stands between { and }");
            }
            if (open < 0) {
                parts.add(NameTemplate.Part.text(template.substring(at)));
                break;
            }
            if (open > at) {
                parts.add(NameTemplate.Part.text(template.substring(at, open)));
            }
            int close = template.indexOf('}', open);
            if (close < 0) {
                throw invalid("'{' at " + open + " has no '}'", "Each parameter stands between { and }");
            }
            parts.add(part(template.substring(open + 1, close)));
            at = close + 1;
        }
        return new NameTemplate(method, template, parts);
    }

    private NameTemplate.Part part(String text) {
        Matcher inside = INSIDE.matcher(text);
        if (!inside.matches()) {
            throw invalid(
                    "'" + text + "' begins with no parameter",
                    "In braces stands a parameter, a path of properties from one, or p0: " + possible());
        }
        int parameter = parameter(inside.group(1));
        String path = inside.group(2);
        if (PROPERTIES.matcher(path).matches()) {
            walk(parameter, path, new ArrayList<>());
        }
        return new NameTemplate.Part(text, parameter, path.isEmpty() ? null : parsed(path));
    }

    private int parameter(String name) {
        if (parameters != null && Arrays.asList(parameters).contains(name)) {
            return Arrays.asList(parameters).indexOf(name);
        }
        Matcher number = BY_NUMBER.matcher(name);
        if (number.matches() && Integer.parseInt(number.group(1)) < method.getParameterCount()) {
            return Integer.parseInt(number.group(1));
        }
        if (parameters == null) {
            throw invalid(
                    "the names of its parameters are not in the class file, so '" + name + "' cannot be found",
                    "Compile with -parameters, or use their numbers: {p0}");
        }
        throw invalid("it has no parameter '" + name + "'", possible());
    }

    private String possible() {
        if (method.getParameterCount() == 0) {
            return "The method has no parameters, so the name has none";
        }
        return "Its parameters are "
                + (parameters == null
                        ? "p0 to p" + (method.getParameterCount() - 1)
                        : String.join(", ", parameters) + ", or p0 to p" + (method.getParameterCount() - 1));
    }

    private Expression parsed(String path) {
        String expression = path.startsWith("?.") ? path.substring(2) : path.startsWith(".") ? path.substring(1) : path;
        SpelExpression parsed;
        try {
            parsed = new SpelExpressionParser().parseRaw(expression);
        } catch (ParseException | IllegalStateException unreadable) {
            throw invalid(
                    "'" + path + "' cannot be read: " + unreadable.getMessage(), "A path is .property or [index]");
        }
        refuseAllButReading(parsed.getAST(), path);
        return parsed;
    }

    private void refuseAllButReading(SpelNode node, String path) {
        if (!READING_ONLY.contains(node.getClass())) {
            throw invalid(
                    "'" + path + "' has a " + node.getClass().getSimpleName() + ", and a name only reads",
                    "A path is .property or [index]; methods, types, beans and operators are not called");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            refuseAllButReading(node.getChild(i), path);
        }
    }

    /** Follows the properties as far as the declared types tell. */
    private void walk(int parameter, String path, List<Class<?>> types) {
        ResolvableType type = ResolvableType.forMethodParameter(method, parameter);
        for (String property : path.replace("?", "").substring(1).split("\\.", -1)) {
            Class<?> owner = type.toClass();
            if (owner == Object.class || Map.class.isAssignableFrom(owner) || owner == Optional.class) {
                return;
            }
            types.add(owner);
            Optional<ResolvableType> next = propertyType(type, owner, property);
            if (next.isEmpty()) {
                throw invalid(
                        owner.getSimpleName() + " has no property '" + property + "' that can be read",
                        "Its properties are " + String.join(", ", properties(owner)));
            }
            type = next.get();
        }
    }

    private static Optional<ResolvableType> propertyType(ResolvableType type, Class<?> owner, String property) {
        PropertyDescriptor descriptor = BeanUtils.getPropertyDescriptor(owner, property);
        if (descriptor != null && descriptor.getReadMethod() != null) {
            return Optional.of(ResolvableType.forMethodReturnType(descriptor.getReadMethod(), owner));
        }
        for (Method each : owner.getMethods()) {
            if (each.getName().equals(property)
                    && each.getParameterCount() == 0
                    && each.getReturnType() != void.class
                    && !Modifier.isStatic(each.getModifiers())) {
                return Optional.of(ResolvableType.forMethodReturnType(each, owner));
            }
        }
        return Arrays.stream(owner.getFields())
                .filter(field -> field.getName().equals(property))
                .findFirst()
                .map(field -> ResolvableType.forField(field, type));
    }

    private static Set<String> properties(Class<?> owner) {
        Set<String> names = new TreeSet<>();
        for (PropertyDescriptor each : BeanUtils.getPropertyDescriptors(owner)) {
            if (each.getReadMethod() != null && !each.getName().equals("class")) {
                names.add(each.getName());
            }
        }
        if (owner.isRecord()) {
            Arrays.stream(owner.getRecordComponents()).forEach(each -> names.add(each.getName()));
        }
        Arrays.stream(owner.getFields()).forEach(each -> names.add(each.getName()));
        return names;
    }

    private InvalidLockedException invalid(String problem, String possible) {
        return new InvalidLockedException(method, "value", template, problem, possible);
    }
}
