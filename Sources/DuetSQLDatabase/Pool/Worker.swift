import Dispatch
import Foundation
import Synchronization

/// A thread that owns a connection and runs the pool's jobs one at a time.
final class Worker: @unchecked Sendable {
    let interrupt = Interrupt()
    private let pool: Pool
    private let wake = DispatchSemaphore(value: 0)
    /// The next job. It is set before the semaphore is signaled.
    private let mailbox = Mutex<Job?>(nil)
    private let serverThread = Atomic<UInt>(0)
    private let wasKilled = Atomic<Bool>(false)

    // The following properties are used only on the worker's thread.
    private var connection: Connection?
    private var openedAt: UInt64 = 0
    private var lastUsedAt: UInt64 = 0

    init(pool: Pool) {
        self.pool = pool
    }

    /// - Throws: ``DatabaseError`` if the system cannot create another thread.
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

    /// Stops the running job. The caller holds the pool's lock, so the worker still runs the same job.
    func stopJob(_ reason: Interrupt.Reason) {
        interrupt.stop(reason)
        let thread = serverThread.load(ordering: .acquiring)
        if thread != 0 {
            wasKilled.store(true, ordering: .releasing)
            pool.kill(thread)
        }
    }

    /// Clears an interruption between two jobs. The caller holds the pool's lock.
    func resetInterrupt() {
        interrupt.reset()
    }

    private func loop() {
        pool.backend.beginThread()
        defer {
            discard("pool closed")
            pool.backend.endThread()
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
                // From here on, the pool cannot interrupt the last job. If a `KILL` was sent for the last job, the
                // connection is discarded, so that the `KILL` does not end the next job.
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
                job.serverUse?.server.forgetPosition()
                try attempt(job)
            }
        } catch {
            failure = reportable(error)
            switch (error as? DatabaseError)?.code {
            case .connectionLost, .commitOutcomeUnknown: discard("lost")
            // SQLite checks whether a file is writable only when it opens the file. The name of a database server may
            // meanwhile be that of another machine, which a new connection reaches.
            case .readOnly where job.kind == .write:
                if connection?.dialect.isEmbedded == false { pool.replaceConnections() }
                discard("not writable")
            // The file may be repaired or replaced, but this connection would still use the pages in its cache.
            case .corrupt: discard("damaged")
            // This connection may retain the failed state. A new connection works as soon as the file is usable again.
            case .ioError where connection?.dialect.isEmbedded == true: discard("I/O error")
            default: break
            }
        }
        if connection?.isBroken == true { discard("broken") }
        lastUsedAt = Interrupt.now
        return failure
    }

    private func mayRetry(_ job: Job, after error: DatabaseError) -> Bool {
        // A server that does not answer the checks is not asked again.
        if job.serverUse?.server.isWell == false { return false }
        // If the watchdog has ended the statement, a second attempt would probably exceed the time limit, too.
        return error.isConnectionLost && job.mayRetry && interrupt.reason == nil && connection?.watch?.isGivenUp != true
    }

    /// Maps the error that ended a job to the error that the job's caller gets.
    private func reportable(_ error: any Error) -> any Error {
        let code = (error as? DatabaseError)?.code
        // Even if the job was interrupted, the caller must get the error that says that the write may have taken
        // effect.
        guard code != .commitOutcomeUnknown else { return error }
        switch interrupt.reason {
        case .cancelled: return CancellationError()
        case .deadline:
            // The interruption causes one of these errors or a `CancellationError`. Any other error is more specific.
            let interruptions: [DatabaseError.Code?] = [.timeout, .cancelled, .connectionLost, .unavailable, .busy]
            guard interruptions.contains(code) || error is CancellationError else { return error }
            let stopped = error as? DatabaseError
            var passed = DatabaseError.deadlinePassed.reading(stopped?.source)
            passed.waitedForLock = stopped?.waitedForLock == true
            return passed
        case nil:
            guard code == .connectionLost, connection?.watch?.isGivenUp == true else { return error }
            return DatabaseError(.timeout, "the server did not answer within the statement's timeout")
        }
    }

    private func attempt(_ job: Job) throws {
        let connection = try usableConnection(for: job)
        if let reason = interrupt.reason { throw reason.error }
        if job.deadline.hasPassed { throw DatabaseError.deadlinePassed }
        connection.origin = job.origin
        connection.trace = job.trace
        connection.spans = job.spans
        defer {
            connection.trace = nil
            connection.spans = nil
        }
        guard job.kind == .write else {
            try job.serverUse?.wait(on: connection, before: job.deadline)
            return try job.attempt(on: connection)
        }
        let isWatched = pool.ownCommits.isWatched
        connection.ownCommits = isWatched ? pool.ownCommits : nil
        defer { connection.ownCommits = nil }
        do {
            if let writes = pool.writes {
                try writes.counting { try job.attempt(on: connection) }
            } else {
                try job.attempt(on: connection)
            }
        } catch let error as DatabaseError where error.isConnectionLost || error.code == .commitOutcomeUnknown {
            if error.code == .commitOutcomeUnknown { job.session?.noteCommit(nil) }
            pool.ownCommits.report(DatabaseChange())
            throw error
        } catch {
            if interrupt.reason == nil, !connection.isBroken {
                recordPosition(of: job, on: connection, isWatched: false, isCommitted: false)
            }
            throw error
        }
        let tables = connection.changedTables.names
        // The commit is recorded before the report, so that the watch does not report it as that of another program.
        recordPosition(of: job, on: connection, isWatched: isWatched && tables != [])
        guard tables != [] else { return }
        pool.ownCommits.report(DatabaseChange(tables: tables))
    }

    /// Records the identifier of the last commit for a watch, and the position of the server for the session of the
    /// job. A session records it also if the transaction has changed nothing or was refused: the answer can follow from
    /// commits that other servers do not have yet, such as the first execution of a repeated request.
    /// - Parameter isCommitted: False if the transaction was refused. Then a position that cannot be read is not
    ///   missing.
    private func recordPosition(of job: Job, on connection: Connection, isWatched: Bool, isCommitted: Bool = true) {
        guard isWatched || job.session != nil, case .statement(_, let own) = pool.backend.commitDetection else {
            return
        }
        let texts = (try? connection.text(own))?.split(separator: " ", omittingEmptySubsequences: false)
        if texts == nil { connection.isBroken = true }
        if isWatched { pool.ownCommits.record(texts?.first.map(String.init)) }
        if texts != nil || isCommitted { job.session?.noteCommit(texts?.last.map(String.init)) }
    }

    /// Returns the worker's connection. The function opens it if necessary, replaces it if it is too old or unsuitable
    /// for the job, and checks it after a long idle time.
    private func usableConnection(for job: Job) throws -> Connection {
        let now = Interrupt.now
        let configuration = pool.configuration
        if connection != nil {
            if now &- openedAt > configuration.maximumLifetime.nanoseconds {
                discard("lifetime")
            } else if pool.mustReplaceConnection(openedAt: openedAt) {
                discard("not writable")
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
