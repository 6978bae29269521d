package io.holdfast.spring;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/** A bean method counts unless there is a bean of its type. */
final class MissingBean implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        if (beans == null || !(metadata instanceof MethodMetadata method)) {
            return true;
        }
        Class<?> type = ClassUtils.resolveClassName(method.getReturnTypeName(), context.getClassLoader());
        return beans.getBeanNamesForType(type, true, false).length == 0;
    }
}
