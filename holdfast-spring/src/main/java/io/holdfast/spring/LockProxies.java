package io.holdfast.spring;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** Sees to it that somebody makes proxies. */
final class LockProxies implements ImportBeanDefinitionRegistrar {
    /** By its name: the annotation names this class. */
    private static final String ENABLE = LockProxies.class.getPackageName() + ".EnableLocks";

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        MergedAnnotation<?> enable = importing.getAnnotations().get(ENABLE);
        if (enable.isPresent() && enable.getBoolean("proxyTargetClass")) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
