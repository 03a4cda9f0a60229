internal import DuetSQLDatabase
internal import Synchronization

/// Performs work with a time limit. Work that takes longer is canceled, and the function throws an error without
/// waiting for the end of the work. Thus a database server that does not respond, even to the cancellation, does not
/// block the caller.
/// - Throws: The error of the work, `DatabaseError` with the code `timeout`, or `CancellationError` if the task is
///   canceled.
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
            // The work completed in time.
            return
        }
        outcome.resolve(.failure(DatabaseError(.timeout, "the database did not answer within \(limit)")))
    }
    // Cancels the work before the caller gets the error, so that no part of the work begins later.
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

/// The first of several possible results. Later results are ignored.
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

    /// Waits for the result and returns it. This property must be read only once.
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
