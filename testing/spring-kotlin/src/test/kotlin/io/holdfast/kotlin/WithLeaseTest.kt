package io.holdfast.kotlin

import io.holdfast.DistributedLock
import io.holdfast.Lease
import io.holdfast.LockClient
import io.holdfast.LockLostException
import io.holdfast.LockOptions
import io.holdfast.memory.MemoryLocks
import io.holdfast.memory.MemoryStore
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

suspend fun <T> DistributedLock.withLease(work: suspend (Lease) -> T): T {
    val asked = acquireAsync()
    val lease = try {
        asked.await()
    } catch (gaveUp: CancellationException) {
        asked.thenAccept(Lease::close) // it came just when we gave up
        throw gaveUp
    }
    try {
        return coroutineScope {
            val result = async { work(lease) }
            lease.onLost { result.cancel() }
            result.await()
        }
    } catch (stopped: CancellationException) {
        currentCoroutineContext().ensureActive() // somebody cancelled us,
        lease.ensureValid() // or the lock was lost: LockLostException
        throw stopped
    } finally {
        withContext(NonCancellable) { lease.closeAsync().await() }
    }
}

/** The bridge that the guide shows. */
class WithLeaseTest {
    private val store = MemoryStore()
    private val locks: LockClient = MemoryLocks.connect(store)
    private val elsewhere: LockClient = MemoryLocks.connect(store)
    private val lock = locks.lock("order:42")

    @AfterEach
    fun close() {
        locks.close()
        elsewhere.close()
    }

    private fun assertFree() {
        assertThat(elsewhere.lock("order:42").tryAcquire(Duration.ofSeconds(30))).isPresent()
    }

    @Test
    fun withLease_manyCoroutines_oneAtATime(): Unit = runBlocking(Dispatchers.Default) {
        val inside = AtomicInteger()
        val most = AtomicInteger()
        val tokens = (1..50).map {
            async {
                lock.withLease { lease ->
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max)
                    yield()
                    inside.decrementAndGet()
                    lease.token()
                }
            }
        }.awaitAll()

        assertThat(most).hasValue(1)
        assertThat(tokens).doesNotHaveDuplicates().hasSize(50)
        assertFree()
    }

    @Test
    fun withLease_workThrows_throwsItAndGivesBack() {
        assertThatThrownBy { runBlocking { lock.withLease { throw IllegalStateException("no stock") } } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessage("no stock")
        assertFree()
    }

    @Test
    fun withLease_cancelledWhileItWaits_leavesTheLine(): Unit = runBlocking {
        val held = elsewhere.lock("order:42").acquire()
        val waiting = launch(Dispatchers.Default) { lock.withLease { throw AssertionError("nobody let us in") } }
        yield()
        waiting.cancelAndJoin()
        held.close()

        assertFree()
    }

    @Test
    fun withLease_cancelledAtAnyTime_leavesNothingHeld(): Unit = runBlocking {
        repeat(200) {
            launch(Dispatchers.Default) { lock.withLease { yield() } }.also { yield() }.cancelAndJoin()
        }
        assertFree()
    }

    @Test
    fun withLease_cancelledWhileItWorks_isCancelledAndGivesBack(): Unit = runBlocking {
        val began = CompletableDeferred<Unit>()
        val working = launch(Dispatchers.Default) {
            lock.withLease {
                began.complete(Unit)
                awaitCancellation()
            }
        }
        began.await()
        working.cancelAndJoin()

        assertThat(working.isCancelled).isTrue()
        assertFree()
    }

    @Test
    fun withLease_lost_stopsTheWorkAndThrows() {
        val brief = locks.lock("order:42", LockOptions.defaults().fixedLease(Duration.ofMillis(200)))

        assertThatThrownBy { runBlocking { brief.withLease { awaitCancellation() } } }
            .isInstanceOf(LockLostException::class.java)
        assertFree()
    }
}
