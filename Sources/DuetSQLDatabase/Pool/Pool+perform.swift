import Synchronization

extension Pool {
    /// Runs a job and waits for its result without blocking a thread. Canceling the task stops the job.
    /// - Parameter make: Creates the job, which resumes the continuation.
    func perform<Value: Sendable>(
        _ make: (UnsafeContinuation<Value, any Error>) -> Job
    ) async throws -> Value {
        let submitted = SubmittedJob()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let job = make(continuation)
                if let tracer { job.spans = tracer.spansOfCurrentTask }
                if submitted.set(job) {
                    submit(job)
                    // If the task was canceled between `set` and `submit`, `onCancel` called `cancel` before the pool
                    // had the job.
                    if submitted.isCancelled { cancel(job) }
                } else {
                    job.fail(CancellationError())
                }
            }
        } onCancel: {
            if let job = submitted.cancel() { cancel(job) }
        }
    }
}

/// Connects the cancellation of a task with the task's job. The cancellation can arrive before or after the job.
private final class SubmittedJob: Sendable {
    private struct State {
        var job: Job?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// - Returns: `false` if the task has already been canceled.
    func set(_ job: Job) -> Bool {
        state.withLock { state in
            state.job = job
            return !state.isCancelled
        }
    }

    func cancel() -> Job? {
        state.withLock { state in
            state.isCancelled = true
            return state.job
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
