package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.fence.JdbcFence;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.sql.Connection;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The rules of transactions where JPA has them: Hibernate on H2. */
@Tag("integration")
class JpaTest {

    /** What is sold. */
    @Entity(name = "stock")
    public static class Stock {
        @Id
        private int id;

        private int n;

        /** For JPA. */
        protected Stock() {}

        Stock(int id, int n) {
            this.id = id;
            this.n = n;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool dataSource() {
            JdbcConnectionPool pool = JdbcConnectionPool.create(
                    "jdbc:h2:mem:jpa" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=5000",
                    "sa",
                    "");
            pool.setMaxConnections(20);
            return pool;
        }
    }

    /** JPA on whatever database there is. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 50)
    static class Jpa {
        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setPackagesToScan(Jpa.class.getPackageName());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
            return factory;
        }

        @Bean
        PlatformTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        TransactionTemplate transactions(PlatformTransactionManager manager) {
            return new TransactionTemplate(manager);
        }
    }

    static class Shop {
        @PersistenceContext
        private EntityManager entities;

        @Locked("stock")
        @Transactional
        public boolean buy() {
            return take();
        }

        /** In the transaction of the caller, if there is one. */
        @Locked(value = "stock", fenced = true)
        @Transactional
        public boolean buyFenced() {
            return take();
        }

        @Locked("stock")
        @Transactional
        public void buyAnd(Runnable more) {
            take();
            more.run();
        }

        @Transactional
        public void fill(int n) {
            entities.merge(new Stock(1, n));
        }

        @Transactional
        public int left() {
            return entities.find(Stock.class, 1).n;
        }

        @Transactional
        public void setRepeatableRead() {
            entities.createNativeQuery("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    .executeUpdate();
        }

        private boolean take() {
            Stock stock = entities.find(Stock.class, 1);
            if (stock.n > 0) {
                stock.n--; // written at the commit
                return true;
            }
            return false;
        }
    }

    private TestLocks locks;
    private Shop shop;
    private TransactionTemplate transactions;

    @BeforeEach
    void start() {
        start(DoubleSale.Outside.class);
    }

    private void start(Class<?> settings) {
        locks = new TestLocks(settings, Database.class, Jpa.class, Shop.class);
        shop = locks.bean(Shop.class);
        shop.fill(DoubleSale.STOCK);
        transactions = locks.bean(TransactionTemplate.class);
    }

    @AfterEach
    void stop() {
        locks.close();
        assertThat(ThreadLocks.current().holdings()).isEmpty();
    }

    private void loseAndKnow() {
        Lease lease = CurrentLocks.lease("stock");
        locks.lose("stock");
        await().until(() -> !lease.isValid());
    }

    @Test
    void sale_noneTooMany() throws Exception {
        assertThat(DoubleSale.round(shop::buy).sold()).isEqualTo(DoubleSale.STOCK);
        assertThat(shop.left()).isZero();
    }

    @Test
    void sale_adviceInside_noneTooMany() throws Exception {
        locks.close();
        start(DoubleSale.Inside.class);
        assertThat(DoubleSale.round(shop::buy).sold()).isEqualTo(DoubleSale.STOCK);
        assertThat(shop.left()).isZero();
    }

    @Test
    void wasThereBefore_keptUntilTheCommit() {
        transactions.executeWithoutResult(status -> {
            shop.buy();
            assertThat(locks.isFree("stock")).isFalse();
        });
        assertThat(locks.isFree("stock")).isTrue();
        assertThat(shop.left()).isEqualTo(DoubleSale.STOCK - 1);
    }

    @Test
    void repeatableRead_refusedBeforeAnything() {
        transactions.setIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
        transactions.executeWithoutResult(status -> {
            assertThatThrownBy(shop::buy).isInstanceOf(LockedTooLateException.class);
            assertThat(locks.isFree("stock")).isTrue();
        });
        assertThat(shop.left()).isEqualTo(DoubleSale.STOCK);
    }

    @Test
    void repeatableRead_ofTheConnectionItself_refused() {
        transactions.executeWithoutResult(status -> {
            shop.setRepeatableRead();
            assertThatThrownBy(shop::buy).isInstanceOf(LockedTooLateException.class);
        });
        assertThat(shop.left()).isEqualTo(DoubleSale.STOCK);
    }

    @Test
    void lost_rollsBack() {
        assertThatThrownBy(() -> shop.buyAnd(this::loseAndKnow)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    shop.buy();
                    loseAndKnow();
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(shop.left()).isEqualTo(DoubleSale.STOCK);
    }

    @Test
    void fenced_entersOnTheConnectionOfJpa() throws Exception {
        JdbcFence fence = JdbcFence.create();
        try (Connection connection = locks.bean(DataSource.class).getConnection()) {
            fence.createTable(connection);
            transactions.executeWithoutResult(status -> {
                shop.buyFenced();
                status.setRollbackOnly();
            });
            assertThat(fence.current(connection, "stock"))
                    .as("it went with the transaction")
                    .isEmpty();
            shop.buyFenced();
            assertThat(fence.current(connection, "stock")).isPresent();
        }
        assertThat(shop.left()).isEqualTo(DoubleSale.STOCK - 1);
    }
}
