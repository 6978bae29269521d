package io.holdfast.spring;

import java.util.function.Consumer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** The beans behind {@link EnableLocks}. */
@Configuration(proxyBeanMethods = false)
@Import(OptionalLocks.class)
@ImportRuntimeHints(LibraryHints.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LocksConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TemplateGroups holdfastTemplates() {
        return new TemplateGroups();
    }

    @Bean
    @Conditional(MissingBean.class)
    LockGroups lockGroups(TemplateGroups templates) {
        return templates::groupOf;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LocksContext holdfastLocksContext(BeanFactory beans) {
        return new LocksContext(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static FoundMethods holdfastFoundMethods(
            ListableBeanFactory beans, LocksContext context, TemplateGroups templates) {
        return new FoundMethods(beans, context, templates);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods holdfastLockedMethods(Environment environment, FoundMethods found) {
        return new LockedMethods(environment::resolveRequiredPlaceholders, found);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BlockingCalls holdfastBlockingCalls(LocksContext context, ObjectProvider<Transactions> transactions) {
        return new BlockingCalls(context, transactions.getIfAvailable(NoTransactions::new));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static FutureCalls holdfastFutureCalls(LocksContext context) {
        return new FutureCalls(context);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedAdvisor holdfastLockedAdvisor(
            LockedMethods methods,
            LocksContext context,
            BlockingCalls blocking,
            FutureCalls futures,
            ObjectProvider<Transactions> transactions,
            ObjectProvider<CallHandler> reactive) {
        LockedInterceptor advice = new LockedInterceptor(
                methods, blocking, futures, transactions.getIfAvailable(NoTransactions::new), reactive::getObject);
        return new LockedAdvisor(
                methods, method -> true, advice, () -> context.settings().order());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedAdvisor holdfastInnermostAdvisor(
            LockedMethods methods, ObjectProvider<Consumer<Section>> fence, ObjectProvider<CallHandler> reactive) {
        InnermostInterceptor advice = new InnermostInterceptor(methods, fence::getObject, reactive::getObject);
        return new LockedAdvisor(
                methods, method -> method.fenced() || method.isReactive(), advice, () -> Ordered.LOWEST_PRECEDENCE);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static InnermostLast holdfastInnermostLast() {
        return new InnermostLast();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ContextEvents holdfastContextEvents() {
        return new ContextEvents();
    }

    @Bean
    @Conditional(MissingBean.class)
    LockOperations lockOperations(BlockingCalls calls) {
        return new LockOperations(calls, LockRules.USUAL);
    }
}
