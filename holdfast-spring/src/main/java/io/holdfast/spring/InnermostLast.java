package io.holdfast.spring;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Moves the innermost advice to the end of its chain: advisors of the same order come in any. */
final class InnermostLast implements BeanPostProcessor, AopInfrastructureBean {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            Advisor[] advisors = advised.getAdvisors();
            for (int i = 0; i < advisors.length - 1; i++) {
                if (advisors[i] instanceof LockedAdvisor && advisors[i].getAdvice() instanceof InnermostInterceptor) {
                    advised.removeAdvisor(advisors[i]);
                    advised.addAdvisor(advisors[i]);
                }
            }
        }
        return bean;
    }
}
