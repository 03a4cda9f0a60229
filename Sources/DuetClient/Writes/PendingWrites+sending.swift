import Foundation
import Synchronization

extension PendingWrites {
    /// The call of a handler that receives the outcomes of resumed writes.
    final class Delivery: Sendable {
        let pending: ObjectIdentifier
        let lane: PendingLane
        private let isRunning = Mutex(true)

        init(_ pending: PendingWrites, _ lane: PendingLane) {
            self.pending = ObjectIdentifier(pending)
            self.lane = lane
        }

        func end() { isRunning.withLock { $0 = false } }

        func isRunning(of pending: PendingWrites, _ lane: PendingLane) -> Bool {
            self.pending == ObjectIdentifier(pending) && self.lane == lane && isRunning.withLock { $0 }
        }
    }

    /// The handlers that have called the current function. A call of such a handler cannot wait for its resumption.
    @TaskLocal static var deliveries: [Delivery] = []

    nonisolated func isDelivering(_ lane: PendingLane) -> Bool {
        Self.deliveries.contains { $0.isRunning(of: self, lane) }
    }

    /// Records a write, waits for its turn, and sends it until it has an answer or the retry policy permits no further
    /// attempt.
    /// - Parameters:
    ///   - hasNewKey: False if the store may already have the write, because the app has chosen the key.
    ///   - isCurrent: Returns true if the caller of the write is the current caller.
    ///   - resend: Sends an earlier write once.
    ///   - settle: Processes the answer to an earlier write. Returns false if the app must receive it.
    ///   - send: Sends the write once.
    /// - Throws: The error of the last request.
    nonisolated func perform<Answer: Sendable, Failure: PendingWriteError>(
        _ write: PendingWrite, hasNewKey: Bool, isCurrent: @escaping @Sendable () -> Bool,
        resend: (PendingWrite) async throws(Failure) -> Answer, settle: (PendingWrite, Answer) async -> Bool,
        send: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        // A canceled task sends nothing, so no write remains pending.
        guard !Task.isCancelled else { throw Failure(.cancelled) }
        let lane = PendingLane(write)
        let isDelivering = isDelivering(lane)
        let place: PendingLanes.Place
        do throws(PendingWrites.Failure) {
            place = try await begin(write, hasNewKey: hasNewKey, waits: !isDelivering, isCurrent)
        } catch {
            throw Failure(error)
        }
        guard !isDelivering else {
            lanes.leave(place)
            throw Failure(.resuming).pending(write.key)
        }
        let isNext = await lanes.enter(place)
        await stopWaiting(write)
        guard isNext else { throw Failure(.cancelled).pending(write.key) }
        defer { lanes.leave(place) }
        return try await performNext(write, hasNewKey, isCurrent, resend, settle, send)
    }

    /// Sends a recorded write whose turn it is, after the earlier ones.
    private nonisolated func performNext<Answer: Sendable, Failure: PendingWriteError>(
        _ write: PendingWrite, _ hasNewKey: Bool, _ isCurrent: @Sendable () -> Bool,
        _ resend: (PendingWrite) async throws(Failure) -> Answer, _ settle: (PendingWrite, Answer) async -> Bool,
        _ send: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let recorded: PendingWrite
        let earlier: [PendingWrite]
        do throws(PendingWrites.Failure) {
            recorded = try await next(write, hasNewKey: hasNewKey, isCurrent)
            earlier = try await writes(before: recorded)
        } catch {
            if case .discarded = error { throw Failure(error) }
            throw Failure(error).pending(write.key)
        }
        for other in earlier {
            guard await isStored(other) else { continue }
            do throws(Failure) {
                let outcome = try await self.outcome(of: other, resend)
                guard case .answered(let answer) = outcome, await settle(other, answer) else {
                    throw Failure(.waiting(for: other.key))
                }
                await end(other)
            } catch {
                throw error.pending(write.key)
            }
        }
        // The app can discard writes while the earlier ones are sent.
        guard await isStored(write) else { throw Failure(.discarded(write.key)) }
        do throws(Failure) {
            // A new write has no earlier request, even if it is marked.
            let answer = try await sendMarked(recorded, wasSent: !hasNewKey && recorded.sent != nil, send)
            await end(write)
            return answer
        } catch {
            guard error.effect == .refused || error.effect == .unreadable else { throw error.pending(write.key) }
            await end(write)
            throw error
        }
    }

    /// Sends a recorded write, unless it is too old.
    /// - Throws: The error of the last request, if the write has no answer.
    nonisolated func outcome<Answer: Sendable, Failure: PendingWriteError>(
        of write: PendingWrite, _ resend: (PendingWrite) async throws(Failure) -> Answer
    ) async throws(Failure) -> SettledWrite<Answer, Failure>.Outcome {
        guard !isExpired(write) else { return .expired }
        do throws(Failure) {
            return .answered(
                try await sendMarked(write, wasSent: write.sent != nil) { () async throws(Failure) in
                    try await resend(write)
                })
        } catch {
            switch error.effect {
            case .refused: return .refused(error)
            case .unreadable: return .unreadable(error)
            case .pending, .repeatable: throw error
            }
        }
    }

    /// Sends a write until it has an answer or the retry policy permits no further attempt. Before, records that a
    /// request may have reached the server. If no request has reached it, reverts this record.
    /// - Parameter wasSent: True if an earlier request may have reached the server.
    private nonisolated func sendMarked<Answer: Sendable, Failure: PendingWriteError>(
        _ write: PendingWrite, wasSent: Bool, _ send: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        if write.sent == nil {
            do throws(CacheError) { try await mark(write, sent: now) } catch { throw Failure(.unmarked(error)) }
        }
        var mayHaveReachedServer = wasSent
        var attempt = 1
        while true {
            do throws(Failure) {
                return try await send()
            } catch {
                mayHaveReachedServer = mayHaveReachedServer || error.mayHaveReachedServer
                guard await pause(after: error, attempt) else {
                    // If the store fails, the write expires earlier.
                    if !mayHaveReachedServer { try? await mark(write, sent: nil) }
                    throw error
                }
                attempt += 1
            }
        }
    }

    /// Waits before the next attempt.
    /// - Returns: False if the retry policy permits no further attempt, or if the task was canceled.
    private nonisolated func pause(after error: some PendingWriteError, _ attempt: Int) async -> Bool {
        guard case .repeatable(let wanted) = error.effect, attempt < policy.maximumAttempts else { return false }
        let pause = policy.pause(after: attempt, jitter: jitter())
        let wantedPause = wanted?.pause(from: now) ?? .zero
        guard wantedPause <= policy.maximumRetryAfter else { return false }
        do { try await clock.sleep(for: max(pause, wantedPause)) } catch { return false }
        return true
    }

    /// True if the server could have removed the key. If the clock was set back since the first request, the age is
    /// unknown.
    private nonisolated func isExpired(_ write: PendingWrite) -> Bool {
        guard let sent = write.sent else { return false }
        let age = Duration.seconds(now.timeIntervalSince(sent))
        return age >= lifetime || age < .seconds(-300)
    }
}

// MARK: The store

extension PendingWrites {
    /// Records a write, and reserves its place in the order.
    /// - Parameter waits: True if the call waits for its turn.
    private func begin(
        _ write: PendingWrite, hasNewKey: Bool, waits: Bool, _ isCurrent: @Sendable () -> Bool
    ) throws(Failure) -> PendingLanes.Place {
        // The caller is checked here, because the writes of a former caller may have been removed already.
        guard isCurrent() else { throw .callerChanged }
        let known = hasNewKey ? nil : try stored(write)
        if let known {
            guard known.request.isSame(as: write.request) else { throw .reused(write.key) }
            guard !isExpired(known) else { throw .expired(write.key) }
        } else {
            try add(write, hasNewKey: hasNewKey)
            // A resumption does not send a new write that its call will send.
            if waits, hasNewKey { waiting.insert(Entry(owner: write.owner, key: write.key)) }
        }
        return lanes.reserve(PendingLane(write))
    }

    private func add(_ write: PendingWrite, hasNewKey: Bool) throws(Failure) {
        do throws(CacheError) {
            let count = try store.count(of: write.owner)
            guard count < maximumCount else {
                throw CacheError(
                    .full,
                    "There are \(maximumCount) pending writes. Send them before further writes: call resumePendingWrites()."
                )
            }
            var write = write
            // A new write whose turn it is needs no second access to the store.
            if hasNewKey, count == 0, lanes.isIdle(PendingLane(write)) { write.sent = now }
            try store.add(write)
        } catch {
            throw .store(error)
        }
        report(write.owner)
    }

    private func stored(_ write: PendingWrite) throws(Failure) -> PendingWrite? {
        do throws(CacheError) { return try store.write(write.key, of: write.owner) } catch { throw .store(error) }
    }

    private func stopWaiting(_ write: PendingWrite) { waiting.remove(Entry(owner: write.owner, key: write.key)) }

    /// True if the app has not discarded a write. If the store fails, the write can be sent, because the server
    /// performs it once.
    private func isStored(_ write: PendingWrite) -> Bool {
        do { return try stored(write) != nil } catch { return true }
    }

    /// Returns a write as it is stored.
    private func next(
        _ write: PendingWrite, hasNewKey: Bool, _ isCurrent: @Sendable () -> Bool
    ) throws(Failure) -> PendingWrite {
        guard isCurrent() else { throw .callerChanged }
        if let known = try stored(write) { return known }
        // Another task has received the answer to the write. The server returns the same answer again.
        guard !hasNewKey else { throw .discarded(write.key) }
        try add(write, hasNewKey: hasNewKey)
        return write
    }

    /// Returns the earlier writes of the same owner in the same style, without those whose calls wait for their turn.
    private func writes(before write: PendingWrite) throws(Failure) -> [PendingWrite] {
        do throws(CacheError) {
            guard try store.count(of: write.owner) > 1 else { return [] }
            return try store.writes(of: write.owner).prefix { $0.key != write.key }
                .filter { $0.style == write.style && !waiting.contains(Entry(owner: $0.owner, key: $0.key)) }
        } catch {
            throw .store(error)
        }
    }

    private func mark(_ write: PendingWrite, sent: Date?) throws(CacheError) {
        guard var stored = try store.write(write.key, of: write.owner) else { return }
        stored.sent = sent
        try store.update(stored)
    }

    /// Removes a write that has an answer.
    func end(_ write: PendingWrite) {
        // If the store fails, the write is sent again later. The server then returns the same answer.
        try? store.remove(write.key, of: write.owner)
        report(write.owner)
    }
}

extension PendingWriteError {
    /// Returns the error for a write that remains pending.
    func pending(_ key: IdempotencyKey) -> Self {
        var error = self
        error.pendingKey = key
        return error
    }
}
