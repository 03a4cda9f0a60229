import Foundation
import Synchronization

/// The result of ``Database/readDirectly(within:deadline:origin:_:)``.
public enum DirectRead<Value> {
    /// The closure's value.
    case value(Value)
    /// No value: the read exceeded its budget.
    case overBudget
    /// No value: the database is on a server, the database is locked, all connections for reads on the calling thread
    /// are in use, or the database reported an error.
    case unavailable
}

/// The maximum work of a read by ``Database/readDirectly(within:deadline:origin:_:)``.
public struct ReadBudget: Sendable, Hashable {
    /// The maximum number of instructions of SQLite's virtual machine. About 100 instructions run in a microsecond.
    /// Unlike time, the number does not depend on the load of the processor. Both limits are checked after every 2,000
    /// instructions.
    public var steps: Int
    /// The maximum elapsed time, for a slow disk.
    public var time: Duration

    /// Creates a budget.
    public init(steps: Int, time: Duration) {
        self.steps = steps
        self.time = time
    }
}

/// The connections for direct reads, which ``Database/readDirectly(within:deadline:origin:_:)`` runs on the calling
/// thread. This thread may be an event loop, so no function waits. A short read takes less time than the two context
/// switches to a thread of the pool and back.
///
/// A direct read never waits for a lock, and SQLite stops the read at the end of its budget. The connections are
/// separate from the pool's connections and do not count toward the pool's limits.
final class DirectReaders: Sendable {
    /// A connection that one thread uses at a time.
    final class Reader: @unchecked Sendable {
        let connection: Connection
        let openedAt = Interrupt.now
        /// The thread that used the connection last.
        var thread = pthread_self()

        init(_ connection: Connection) { self.connection = connection }
    }

    private struct State {
        var idle: [Reader] = []
        /// The number of readers, including those in use.
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// The maximum number of readers: the number of active processors.
    private let limit = ProcessInfo.processInfo.activeProcessorCount
    private let maximumLifetime: UInt64

    init(_ configuration: DatabaseConfiguration) {
        maximumLifetime = configuration.maximumLifetime.nanoseconds
    }

    /// Runs a closure in a read transaction. If the thread has a ``SharedSnapshot``, the closure runs in the
    /// transaction of the snapshot.
    /// - Parameter pool: The pool that these connections belong to.
    /// - Throws: The closure's error, unless it is a ``DatabaseError``.
    func read<Value>(
        within budget: ReadBudget, _ deadline: Deadline, origin: TransactionOrigin, _ pool: Pool,
        _ body: (Connection) throws -> Value
    ) throws -> DirectRead<Value> {
        var snapshot = SharedSnapshot.current(of: pool)
        if snapshot?.use() == false { snapshot = nil }
        var kept: Reader?
        defer { snapshot?.endUse(keeping: kept) }
        let inTransaction = snapshot?.take()
        guard let reader = inTransaction ?? take(pool) else { return .unavailable }
        let connection = reader.connection
        connection.origin = origin
        // If the read fails and is repeated on the pool, the trace must contain only the statements of the repetition,
        // and only they have spans.
        let trace = origin == .unspecified ? nil : StatementTrace.current
        connection.trace = trace?.emptyCopy()
        if let tracer = pool.tracer {
            connection.spans = tracer.spansOfCurrentTask
            connection.spans?.hold()
        }
        var isUsable = false
        var isAnswer = true
        defer {
            if isAnswer, let statements = connection.trace { trace?.add(statements) }
            connection.trace = nil
            if let spans = connection.spans {
                if isAnswer { spans.createHeld() }
                connection.spans = nil
            }
            if kept == nil { release(reader, isUsable: isUsable, pool) }
        }
        do {
            pool.observe(.acquired(waitedNanoseconds: 0))
            if inTransaction != nil {
                connection.resume(within: budget, deadline)
            } else {
                // The version must be taken before the transaction, so that it is not newer than the data.
                _ = snapshot?.version
                try connection.begin(within: budget, deadline)
            }
            do {
                let value = try body(connection)
                if snapshot != nil {
                    connection.endResultSets()
                    kept = reader
                } else {
                    try connection.commit()
                    isUsable = true
                }
                return .value(value)
            } catch {
                do {
                    try connection.rollbackDirectly()
                } catch {
                    connection.isBroken = true
                }
                throw error
            }
        } catch let error as DatabaseError {
            // If the database was locked or the budget was exceeded, the connection is still usable. After any other
            // database error the connection is closed, and the next read opens the file again.
            isUsable = [.timeout, .busy, .scanTooLarge].contains(error.code) && !connection.isBroken
            isAnswer = false
            return error.code == .timeout ? .overBudget : .unavailable
        } catch {
            isUsable = !connection.isBroken
            throw error
        }
    }

    /// Commits the transaction of a shared snapshot. All its reads have returned their values, so a failure of the
    /// commit has no effect except that the connection is closed.
    func end(_ reader: Reader, _ pool: Pool) {
        let isCommitted: Void? = try? reader.connection.commitDirectly()
        release(reader, isUsable: isCommitted != nil, pool)
    }

    private func release(_ reader: Reader, isUsable: Bool, _ pool: Pool) {
        if isUsable { giveBack(reader) } else { discard("direct read failed", pool) }
    }

    private func take(_ pool: Pool) -> Reader? {
        let (idle, mayOpen) = state.withLock { state -> (Reader?, Bool) in
            // A thread prefers the connection that it used before, because its memory is in the caches of the thread's
            // processor.
            let thread = pthread_self()
            if let index = state.idle.lastIndex(where: { $0.thread == thread }) {
                return (state.idle.remove(at: index), true)
            }
            if let reader = state.idle.popLast() {
                reader.thread = thread
                return (reader, true)
            }
            guard state.count < limit, !state.isClosed else { return (nil, false) }
            state.count += 1
            return (nil, true)
        }
        guard mayOpen else { return nil }
        if let idle {
            let isOld = Interrupt.now &- idle.openedAt > maximumLifetime
            guard isOld || idle.connection.isReplaced else { return idle }
            pool.observe(.connectionClosed(reason: isOld ? "lifetime" : "file replaced"))
        }
        let start = Interrupt.now
        do {
            let reader = Reader(try pool.open(Interrupt(), before: .never, waitsForLocks: false))
            pool.observe(.connectionOpened(nanoseconds: reader.openedAt &- start))
            return reader
        } catch {
            // The caller repeats the read on the pool, which reports the error.
            state.withLock { $0.count -= 1 }
            return nil
        }
    }

    private func giveBack(_ reader: Reader) {
        state.withLock { state in
            if !state.isClosed { state.idle.append(reader) }
        }
    }

    private func discard(_ reason: String, _ pool: Pool) {
        state.withLock { $0.count -= 1 }
        pool.observe(.connectionClosed(reason: reason))
    }

    /// Closes the idle connections and opens no new ones.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }
}
