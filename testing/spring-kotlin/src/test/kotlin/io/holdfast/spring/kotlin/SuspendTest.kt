package io.holdfast.spring.kotlin

import io.holdfast.Lease
import io.holdfast.LockClient
import io.holdfast.LockKind
import io.holdfast.LockLostException
import io.holdfast.memory.MemoryLocks
import io.holdfast.memory.MemoryStore
import io.holdfast.spring.CurrentLocks
import io.holdfast.spring.EnableLocks
import io.holdfast.spring.Held
import io.holdfast.spring.LockBusyException
import io.holdfast.spring.Locked
import io.holdfast.spring.LockedJob
import io.holdfast.spring.LockedSettings
import io.holdfast.spring.leader.EnableLeaders
import io.holdfast.spring.leader.LeaderOnly
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled

/** `@Locked` on functions that suspend: what they do is locked until they have ended, wherever they go on. */
@Tag("integration")
class SuspendTest {

    @Configuration(proxyBeanMethods = false)
    @EnableLocks(proxyTargetClass = true)
    open class Base {
        @Bean
        open fun store() = MemoryStore()

        @Bean
        open fun locks(store: MemoryStore): LockClient = MemoryLocks.connect(store)
    }

    /** What happened; the fields of a bean are not those of its proxy. */
    class Counts {
        val inside = AtomicInteger()
        val most = AtomicInteger()
        val runs = AtomicInteger()

        fun enter() {
            runs.incrementAndGet()
            most.accumulateAndGet(inside.incrementAndGet(), Math::max)
        }

        fun leave(): Int = inside.decrementAndGet()
    }

    open class Shop(private val counts: Counts) {

        @Locked("order:{id}", waitFor = "60s")
        open suspend fun ship(id: String): Int {
            counts.enter()
            yield() // and goes on wherever it may
            return counts.leave()
        }

        @Locked("order:{id}", waitFor = "60s")
        open fun parts(id: String): Flow<String> = flow {
            counts.enter()
            emit("$id a")
            yield()
            counts.leave()
            emit("$id b")
        }

        @Locked("order:{id}", waitFor = "60s")
        open suspend fun <T> run(id: String, work: suspend (String) -> T): T = work(id)

        @Locked("order:{id}", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
        open suspend fun skipped(id: String): String? = "done $id"

        @Locked("order:{id}", waitFor = "0")
        open suspend fun once(id: String): String = "done $id"

        @Locked("order:{id}", waitFor = "0", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        open suspend fun orLater(id: String): String = "done $id"

        open suspend fun later(id: String): String {
            yield()
            return "later $id"
        }

        @Locked("order:{id}")
        open suspend fun token(id: String, @Held lease: Lease?): Long {
            yield()
            val held = CurrentLocks.mono().awaitSingle()
            assertThat(held.lease("order:$id")).isSameAs(lease)
            return held.token()
        }

        @Locked("order:{id}")
        open suspend fun nothing(id: String) {
            assertThat(id).isNotEmpty()
        }
    }

    private lateinit var context: AnnotationConfigApplicationContext
    private lateinit var elsewhere: LockClient
    private lateinit var shop: Shop
    private lateinit var counts: Counts

    @BeforeEach
    fun start() {
        context = AnnotationConfigApplicationContext(Base::class.java, Counts::class.java, Shop::class.java)
        elsewhere = MemoryLocks.connect(context.getBean(MemoryStore::class.java))
        shop = context.getBean(Shop::class.java)
        counts = context.getBean(Counts::class.java)
    }

    @AfterEach
    fun stop() {
        await().untilAsserted { assertThat(elsewhere.inspector().list("order:")).isEmpty() }
        elsewhere.close()
        context.close()
    }

    private fun isFree(name: String): Boolean =
        elsewhere.lock(name).tryAcquire().map { it.close(); true }.orElse(false)

    private fun lose(name: String) {
        val status = elsewhere.inspector().find(LockKind.LOCK, name).orElseThrow()
        elsewhere.inspector().breakClaim(status, status.holders()[0])
    }

    @Test
    fun thousandCalls_oneAtATime() {
        val results = runBlocking(Dispatchers.Default) { List(CALLS) { async { shop.ship("1") } }.awaitAll() }

        assertThat(results).hasSize(CALLS).containsOnly(0)
        assertThat(counts.runs).hasValue(CALLS)
        assertThat(counts.most).hasValue(1)
    }

    @Test
    fun flows_oneAtATime() {
        val results = runBlocking(Dispatchers.Default) {
            List(FLOWS) { async { shop.parts("1").toList() } }.awaitAll()
        }

        assertThat(results).hasSize(FLOWS).containsOnly(listOf("1 a", "1 b"))
        assertThat(counts.most).hasValue(1)
    }

    @Test
    fun call_holdsUntilItHasEnded() {
        runBlocking {
            val goOn = CompletableDeferred<Unit>()
            val inside = CompletableDeferred<Unit>()
            val call = launch {
                shop.run("1") {
                    inside.complete(Unit)
                    goOn.await()
                }
            }
            inside.await()
            assertThat(isFree("order:1")).isFalse()
            goOn.complete(Unit)
            call.join()
            assertThat(isFree("order:1")).isTrue()
        }
    }

    @Test
    fun cancelled_insideOrWaiting_leavesNothing() {
        runBlocking(Dispatchers.Default) {
            val inside = CompletableDeferred<Unit>()
            val call = launch {
                shop.run("1") {
                    inside.complete(Unit)
                    CompletableDeferred<Unit>().await()
                }
            }
            inside.await()
            val waiting = launch { shop.ship("1") }
            await().until { waiters("order:1") > 0 }
            waiting.cancel()
            await().until { waiters("order:1") == 0 }
            call.cancel()
        }
        await().until { isFree("order:1") }
        assertThat(counts.runs).hasValue(0)
    }

    private fun waiters(name: String): Int =
        elsewhere.inspector().find(LockKind.LOCK, name).orElseThrow().waiters().size

    @Test
    fun thrown_isThrown_andGivesBack() {
        assertThatThrownBy { runBlocking { shop.run("1") { check(it.isEmpty()) { "no" } } } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessage("no")
        assertThat(isFree("order:1")).isTrue()
    }

    @Test
    fun busy_throwsSkipsOrFallsBack() {
        elsewhere.lock("order:1").acquire().use {
            assertThatThrownBy { runBlocking { shop.once("1") } }.isInstanceOf(LockBusyException::class.java)
            assertThat(runBlocking { shop.skipped("1") }).isNull()
            assertThat(runBlocking { shop.orLater("1") }).isEqualTo("later 1")
        }
        assertThat(runBlocking { shop.once("1") + shop.skipped("1") + shop.orLater("1") })
            .isEqualTo("done 1done 1done 1")
    }

    @Test
    fun held_isFilledIn_andNothingMayBeReturned() {
        assertThat(runBlocking { shop.token("1", null) }).isPositive()
        runBlocking { shop.nothing("1") }
    }

    @Test
    fun reentry_isNotAskedFor() {
        assertThat(runBlocking { shop.run("1") { shop.once(it) } }).isEqualTo("done 1")
    }

    @Test
    fun lost_isThrown() {
        assertThatThrownBy {
            runBlocking {
                shop.run("1") {
                    val lease = CurrentLocks.mono().awaitSingle().lease("order:1")
                    lose("order:1")
                    await().until { !lease.isValid }
                }
            }
        }.isInstanceOf(LockLostException::class.java)
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    open class Scheduling

    open class Job(private val counts: Counts) {
        @Scheduled(fixedDelay = 5)
        @LockedJob("report", atLeastFor = "1h")
        open suspend fun report() {
            counts.enter()
            yield()
            counts.leave()
        }

        @Scheduled(fixedDelay = 5)
        @LockedJob("often")
        open suspend fun often() {
            yield()
            counts.leave()
        }
    }

    @Test
    fun scheduledJob_runsOnce_thenIsLeftOut() {
        AnnotationConfigApplicationContext(
            Base::class.java, Scheduling::class.java, Counts::class.java, Job::class.java,
        ).use {
            val jobs = it.getBean(Counts::class.java)
            await().until { jobs.inside.get() < -20 }
            assertThat(jobs.runs).hasValue(1)
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLeaders
    open class Leaders

    open class Suspending {
        @LeaderOnly("billing")
        open suspend fun bill() = yield()
    }

    @Test
    fun leaderOnly_endsTheStart() {
        assertThatThrownBy {
            AnnotationConfigApplicationContext(Base::class.java, Leaders::class.java, Suspending::class.java).close()
        }.rootCause().hasMessageContaining("@LeaderOnly").hasMessageContaining("bill")
    }

    open class Strict {
        @Bean
        open fun settings(): LockedSettings = LockedSettings.defaults().selfCalls(LockedSettings.SelfCalls.FAIL)
    }

    open class SelfCalling {
        @Locked("order:{id}")
        open suspend fun ship(id: String): String = id

        open suspend fun afterOthers(id: String): String {
            yield()
            return ship(id)
        }
    }

    open class Plain {
        @Locked("order:{id}")
        open fun ship(id: String): String = id

        open fun all(ids: List<String>): List<String> = ids.map { ship(it) }
    }

    open class InLambda {
        @Locked("order:{id}")
        open fun ship(id: String): String = id

        open fun later(id: String): Runnable = Runnable { ship(id) }
    }

    open class ThroughTheBean {
        var self: ThroughTheBean? = null

        @Locked("order:{id}")
        open suspend fun ship(id: String): String = id

        open suspend fun now(id: String): String? = self?.ship(id)

        open fun later(id: String): () -> Unit = { runBlocking { self?.ship(id) } }
    }

    @Test
    fun selfCalls_areFound_alsoInLambdasAndFunctionsThatSuspend() {
        val callers = listOf(
            SelfCalling::class.java to "afterOthers", Plain::class.java to "all", InLambda::class.java to "later",
        )
        for ((type, caller) in callers) {
            assertThatThrownBy {
                AnnotationConfigApplicationContext(Base::class.java, Strict::class.java, type).close()
            }.rootCause().hasMessageContaining("${type.simpleName}.$caller (line").hasMessageContaining("past the proxy")
        }
        AnnotationConfigApplicationContext(Base::class.java, Strict::class.java, ThroughTheBean::class.java).use {
            assertThat(runBlocking { it.getBean(ThroughTheBean::class.java).ship("1") }).isEqualTo("1")
        }
    }

    private companion object {
        const val CALLS = 1_000
        const val FLOWS = 100
    }
}
