internal import SQLDatabase
internal import Synchronization

/// Does work, and waits for it no longer than that. Work that takes longer is cancelled and left behind: even a server that
/// answers nothing, not even the cancellation, holds nobody up.
/// - Throws: what the work throws, `DatabaseError` with the code `timeout`, or `CancellationError` if the task is cancelled.
func withDeadline<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task {
        do {
            outcome.resolve(.success(try await work()))
        } catch {
            outcome.resolve(.failure(error))
        }
    }
    let timer = Task {
        do {
            try await Task.sleep(for: limit)
        } catch {
            // The work was done in time.
            return
        }
        // The work is cancelled before the caller hears of it, so that nothing of it begins afterwards.
        let error = DatabaseError(.timeout, "the database did not answer within \(limit)")
        outcome.resolve(.failure(error)) { task.cancel() }
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
        try await outcome.value
    } onCancel: {
        outcome.resolve(.failure(CancellationError())) { task.cancel() }
    }
}

/// The first result of several that may come; the others are nobody's concern.
private final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
    }

    private let state = Mutex(State.open)

    /// - Parameter beforeTelling: done if it is the first result, before whoever waits for it goes on.
    func resolve(_ result: Result<Value, any Error>, beforeTelling: () -> Void = {}) {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .open:
                state = .resolved(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .resolved(result)
                return (true, continuation)
            case .resolved: return (false, nil)
            }
        }
        if isFirst { beforeTelling() }
        waiter?.resume(with: result)
    }

    /// Waits for the result; to be asked for once.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if case .resolved(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
