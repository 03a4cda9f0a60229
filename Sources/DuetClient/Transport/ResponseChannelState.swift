import DequeModule

/// The state of a ``ResponseChannel``: the received parts, the waiting tasks, and the outcome at the end. Each method
/// that changes the state returns actions. The caller must perform them after it has released the lock.
struct ResponseChannelState {
    /// An action that follows a change.
    enum Action: Sendable {
        /// Resume a waiting task.
        case deliver(CheckedContinuation<ResponseChannel.Outcome, Never>, ResponseChannel.Outcome)
        /// Notify the library that it may deliver the next part, or that the request is no longer needed.
        case notify(@Sendable () -> Void)
        /// Stop the timer of a wait.
        case stop(Task<Void, Never>)

        func callAsFunction() {
            switch self {
            case .deliver(let continuation, let outcome): continuation.resume(returning: outcome)
            case .notify(let notify): notify()
            case .stop(let timer): timer.cancel()
            }
        }
    }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<ResponseChannel.Outcome, Never>
        let timer: Task<Void, Never>

        func deliver(_ outcome: ResponseChannel.Outcome) -> [Action] {
            [.stop(timer), .deliver(continuation, outcome)]
        }
    }

    /// The number of unread bytes at which the library is paused.
    private static let highWaterMark = 256 * 1024

    private var elements: Deque<ResponseChannel.Element> = []
    private var byteCount = 0
    private var resumptions: [@Sendable () -> Void] = []
    private var waiters: Deque<Waiter> = []
    private var nextNumber = 0
    /// The outcome for reads after the last element; `nil` if more elements may arrive.
    private var end: ResponseChannel.Outcome?
    private var cancel: (@Sendable () -> Void)?
    private var isAbandoned = false

    mutating func setCancel(_ cancel: @escaping @Sendable () -> Void) -> [Action] {
        guard !isAbandoned else { return [.notify(cancel)] }
        if end == nil { self.cancel = cancel }
        return []
    }

    mutating func receive(_ element: ResponseChannel.Element, resume: @escaping @Sendable () -> Void) -> [Action] {
        guard end == nil else { return [.notify(resume)] }
        if let waiter = waiters.popFirst() { return waiter.deliver(.success(element)) + [.notify(resume)] }
        elements.append(element)
        byteCount += element.byteCount
        guard byteCount >= Self.highWaterMark else { return [.notify(resume)] }
        resumptions.append(resume)
        return []
    }

    mutating func finish(_ error: TransportError?) -> [Action] {
        guard end == nil else { return [] }
        return finish(with: error.map { .failure($0) } ?? .success(nil))
    }

    mutating func abandon(_ error: TransportError) -> [Action] {
        guard end == nil else { return [] }
        isAbandoned = true
        elements.removeAll()
        let cancellation = cancel.map { [Action.notify($0)] } ?? []
        return finish(with: .failure(error)) + cancellation
    }

    private mutating func finish(with outcome: ResponseChannel.Outcome) -> [Action] {
        let actions = waiters.flatMap { $0.deliver(outcome) } + takeResumptions()
        end = outcome
        waiters = []
        // This breaks a reference cycle: the closure refers to the request, and the request refers to the channel.
        cancel = nil
        return actions
    }

    /// - Parameter startTimer: Starts the timer of the wait with the given number. When it fires, the timer calls
    ///   ``timeOut(_:_:)`` with this number.
    mutating func next(
        _ continuation: CheckedContinuation<ResponseChannel.Outcome, Never>, startTimer: (Int) -> Task<Void, Never>
    ) -> [Action] {
        if let element = elements.popFirst() {
            byteCount -= element.byteCount
            let resumptions = byteCount < Self.highWaterMark ? takeResumptions() : []
            return [.deliver(continuation, .success(element))] + resumptions
        }
        if let end { return [.deliver(continuation, end)] }
        nextNumber += 1
        waiters.append(Waiter(number: nextNumber, continuation: continuation, timer: startTimer(nextNumber)))
        return []
    }

    mutating func timeOut(_ number: Int, _ timeout: Duration) -> [Action] {
        guard waiters.contains(where: { $0.number == number }) else { return [] }
        return abandon(
            TransportError(
                .timedOut,
                "The server sent no data for \(timeout). Try again later, or raise the timeout of the request."))
    }

    private mutating func takeResumptions() -> [Action] {
        defer { resumptions = [] }
        return resumptions.map { .notify($0) }
    }
}

extension ResponseChannel.Element {
    fileprivate var byteCount: Int {
        switch self {
        case .head: 0
        case .bytes(let data): data.count
        }
    }
}
