import Foundation
import Synchronization

/// The result of ``Database/readDirectly(within:origin:_:)``.
public enum DirectRead<Value> {
    /// The closure's value.
    case value(Value)
    /// Nothing: the read exceeded its budget.
    case overBudget
    /// Nothing: the database is MariaDB or locked, all connections for such reads are in use, or the database reported an error.
    case unavailable
}

/// The maximum work of a read on the calling thread.
public struct ReadBudget: Sendable, Hashable {
    /// The number of instructions of SQLite's virtual machine, of which some 100 run in a microsecond. Unlike time, it does not depend on
    /// whether the thread has a processor.
    public var steps: Int
    /// The time on the clock, for a disk that is slow.
    public var time: Duration

    /// Creates a budget.
    public init(steps: Int, time: Duration) {
        self.steps = steps
        self.time = time
    }
}

/// Connections for reads on the thread of the caller, which may be an event loop, so nothing here waits. A short read takes less time than
/// to wake a thread of the pool and to be woken by it.
///
/// Such a read never waits for a lock, and SQLite stops it at the end of its budget. The connections are not the pool's, and its limits do not
/// count them.
final class DirectReaders: Sendable {
    /// A connection that one thread uses at a time.
    final class Reader: @unchecked Sendable {
        let connection: Connection
        let openedAt = Interrupt.now
        /// The thread that used it last.
        var thread = pthread_self()

        init(_ connection: Connection) { self.connection = connection }
    }

    private struct State {
        var idle: [Reader] = []
        /// The number of readers, those in use included.
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// As many threads as the machine runs at once.
    private let limit = ProcessInfo.processInfo.activeProcessorCount
    private let maximumLifetime: UInt64

    init(_ configuration: DatabaseConfiguration) {
        maximumLifetime = configuration.maximumLifetime.nanoseconds
    }

    /// Runs a closure in a read transaction, which is that of the thread's ``SharedSnapshot`` if it has one.
    /// - Parameter pool: the pool that these connections belong to.
    /// - Throws: the closure's error, unless it is a ``DatabaseError``.
    func read<Value>(
        within budget: ReadBudget, origin: TransactionOrigin, _ pool: Pool, _ body: (Connection) throws -> Value
    ) throws -> DirectRead<Value> {
        var snapshot = SharedSnapshot.current(of: pool)
        if snapshot?.use() == false { snapshot = nil }
        var kept: Reader?
        defer { snapshot?.endUse(keeping: kept) }
        let inTransaction = snapshot?.take()
        guard let reader = inTransaction ?? take(pool) else { return .unavailable }
        let connection = reader.connection
        connection.origin = origin
        // The statements of a read that is begun anew are not those that the answer is made of.
        let trace = origin == .unspecified ? nil : StatementTrace.current
        connection.trace = trace?.emptyCopy()
        var isUsable = false
        var isAnswer = true
        defer {
            if isAnswer, let statements = connection.trace { trace?.add(statements) }
            connection.trace = nil
            if kept == nil { release(reader, isUsable: isUsable, pool) }
        }
        do {
            pool.observe(.acquired(waitedNanoseconds: 0))
            if inTransaction != nil {
                connection.resume(within: budget)
            } else {
                // Before the transaction, so that what is read is not older.
                _ = snapshot?.version
                try connection.begin(within: budget)
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
            // A connection that met a lock or the end of its budget is as good as before. After any other error the pool opens the file anew,
            // and so does the next read here.
            isUsable = [.timeout, .busy].contains(error.code) && !connection.isBroken
            isAnswer = false
            return error.code == .timeout ? .overBudget : .unavailable
        } catch {
            isUsable = !connection.isBroken
            throw error
        }
    }

    /// Ends the transaction of a shared snapshot. All its reads have their values, so a failure costs no more than the connection.
    func end(_ reader: Reader, _ pool: Pool) {
        let isCommitted: Void? = try? reader.connection.commitDirectly()
        release(reader, isUsable: isCommitted != nil, pool)
    }

    private func release(_ reader: Reader, isUsable: Bool, _ pool: Pool) {
        if isUsable { giveBack(reader) } else { discard("direct read failed", pool) }
    }

    private func take(_ pool: Pool) -> Reader? {
        let (idle, mayOpen) = state.withLock { state -> (Reader?, Bool) in
            // A thread takes the connection that it used before: its memory is in the caches of that thread's processor.
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
            // The pool reports what is wrong with the file.
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

    /// Closes the connections that are not in use, and opens no others.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }
}
