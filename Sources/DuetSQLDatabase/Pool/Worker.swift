import Dispatch
import Foundation
import Synchronization

/// A thread with a connection of its own. It runs the jobs the pool hands it, one at a time.
final class Worker: @unchecked Sendable {
    let interrupt = Interrupt()
    private let pool: Pool
    private let wake = DispatchSemaphore(value: 0)
    /// Set by the pool under its lock, or before the semaphore is signalled.
    private let mailbox = Mutex<Job?>(nil)
    private let serverThread = Atomic<UInt>(0)
    private let wasKilled = Atomic<Bool>(false)

    // Only the worker's thread touches what follows.
    private var connection: Connection?
    private var openedAt: UInt64 = 0
    private var lastUsedAt: UInt64 = 0

    init(pool: Pool) {
        self.pool = pool
    }

    /// - Throws: ``DatabaseError`` if the system has no room for another thread.
    func start(with job: Job) throws -> JoinableThread {
        mailbox.withLock { $0 = job }
        let thread = try JoinableThread(name: "duet-database", stackSize: 1 << 20) { [self] in loop() }
        wake.signal()
        return thread
    }

    func run(_ job: Job) {
        mailbox.withLock { $0 = job }
        wake.signal()
    }

    func stop() {
        wake.signal()
    }

    /// Stops the running job. Called with the pool's lock held, so the job is still the one meant.
    func stopJob(_ reason: Interrupt.Reason) {
        interrupt.stop(reason)
        let thread = serverThread.load(ordering: .acquiring)
        if thread != 0 {
            wasKilled.store(true, ordering: .releasing)
            pool.kill(thread)
        }
    }

    /// Forgets an interruption. Called with the pool's lock held, between two jobs.
    func resetInterrupt() {
        interrupt.reset()
    }

    private func loop() {
        MariaDBConnection.beginThread()
        defer {
            discard("pool closed")
            MariaDBConnection.endThread()
            pool.workerStopped()
        }
        while true {
            wake.wait()
            guard
                var job = mailbox.withLock({ job in
                    defer { job = nil }
                    return job
                })
            else { return }
            while true {
                let failure = execute(job)
                let next = pool.finished(job, on: self)
                // From here on nobody can mean the last job any more; a `KILL` that is on its way for it must not hit
                // the next one.
                if wasKilled.exchange(false, ordering: .acquiringAndReleasing) { discard("cancelled") }
                if let failure { job.fail(failure) } else { job.complete() }
                switch next {
                case .run(let following):
                    job = following
                    continue
                case .park: break
                case .stop: return
                }
                break
            }
        }
    }

    private func execute(_ job: Job) -> (any Error)? {
        pool.observe(.acquired(waitedNanoseconds: Interrupt.now &- job.submittedAt))
        var failure: (any Error)?
        do {
            do {
                try attempt(job)
            } catch let error as DatabaseError where mayRetry(job, after: error) {
                pool.observe(.readRetried(error))
                discard("lost")
                try attempt(job)
            }
        } catch {
            failure = reportable(error)
            switch (error as? DatabaseError)?.code {
            case .connectionLost, .commitOutcomeUnknown: discard("lost")
            // SQLite decides when it opens a file whether it can write it.
            case .readOnly where job.kind == .write && connection?.dialect == .sqlite: discard("not writable")
            // The file may be repaired or replaced; this connection would still use its old pages.
            case .corrupt: discard("damaged")
            // A SQLite file that can be used again is opened anew, with nothing in memory of the failure.
            case .ioError where connection?.dialect == .sqlite: discard("I/O error")
            default: break
            }
        }
        if connection?.isBroken == true { discard("broken") }
        lastUsedAt = Interrupt.now
        return failure
    }

    private func mayRetry(_ job: Job, after error: DatabaseError) -> Bool {
        // After a statement that the watchdog has given up, a second attempt would take as long again.
        error.isConnectionLost && job.mayRetry && interrupt.reason == nil && connection?.watch?.isGivenUp != true
    }

    /// The error that the job's caller gets for the one that ended it.
    private func reportable(_ error: any Error) -> any Error {
        let code = (error as? DatabaseError)?.code
        // The caller must know of a write that may have taken effect, whatever else happened.
        guard code != .commitOutcomeUnknown else { return error }
        switch interrupt.reason {
        case .cancelled: return CancellationError()
        case .deadline:
            // An error that has nothing to do with the interruption came first.
            let interruptions: [DatabaseError.Code?] = [.timeout, .cancelled, .connectionLost, .unavailable, .busy]
            guard interruptions.contains(code) || error is CancellationError else { return error }
            let stopped = error as? DatabaseError
            var passed = DatabaseError.deadlinePassed.reading(stopped?.source)
            passed.waitedForLock = stopped?.waitedForLock == true
            return passed
        case nil:
            guard code == .connectionLost, connection?.watch?.isGivenUp == true else { return error }
            return DatabaseError(.timeout, "the server did not answer within the statement's time")
        }
    }

    private func attempt(_ job: Job) throws {
        let connection = try usableConnection(for: job)
        if let reason = interrupt.reason { throw reason.error }
        if job.deadline.hasPassed { throw DatabaseError.deadlinePassed }
        connection.origin = job.origin
        connection.trace = job.trace
        defer { connection.trace = nil }
        guard job.kind == .write, let writes = pool.writes else { return try job.attempt(on: connection) }
        try writes.counting { try job.attempt(on: connection) }
    }

    /// The worker's connection: opened when needed, replaced when old or unfit for the job, checked after a long idle time.
    private func usableConnection(for job: Job) throws -> Connection {
        let now = Interrupt.now
        let configuration = pool.configuration
        if connection != nil {
            if now &- openedAt > configuration.maximumLifetime.nanoseconds {
                discard("lifetime")
            } else if connection?.isReplaced == true {
                discard("file replaced")
            } else if job.kind == .write, connection?.cannotWrite == true {
                discard("not writable")
            } else if now &- lastUsedAt > configuration.idleCheckInterval.nanoseconds {
                do {
                    try connection?.ping()
                } catch {
                    discard("idle connection gone")
                }
            }
        }
        if let connection { return connection }
        let opened = try pool.open(interrupt, before: job.deadline)
        connection = opened
        serverThread.store(opened.threadID, ordering: .releasing)
        if let watch = opened.watch { pool.watchdog.add(watch, interrupt) }
        openedAt = Interrupt.now
        pool.observe(.connectionOpened(nanoseconds: openedAt &- now))
        return opened
    }

    private func discard(_ reason: String) {
        guard let discarded = connection else { return }
        serverThread.store(0, ordering: .releasing)
        if let watch = discarded.watch { pool.watchdog.remove(watch) }
        discarded.abandon()
        connection = nil
        pool.observe(.connectionClosed(reason: reason))
    }
}
