internal import DuetSQLDatabase
internal import Synchronization

/// Does work, and waits for it no longer than that. Work that takes longer is cancelled and left behind: even a server
/// that answers nothing, not even the cancellation, holds nobody up.
/// - Throws: What the work throws, `DatabaseError` with the code `timeout`, or `CancellationError` if the task is
///   cancelled.
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
        outcome.resolve(.failure(DatabaseError(.timeout, "the database did not answer within \(limit)")))
    }
    // Before the caller hears of a failure, so that no part of the work begins afterwards.
    defer {
        timer.cancel()
        task.cancel()
    }
    return try await withTaskCancellationHandler {
        try await outcome.value
    } onCancel: {
        outcome.resolve(.failure(CancellationError()))
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

    func resolve(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .resolved(result)
                return nil
            case .awaited(let continuation):
                state = .resolved(result)
                return continuation
            case .resolved: return nil
            }
        }
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
