import BoundedCache
import Foundation
import HTTPTypes

/// The values, failures and loads of a ``ResourceLoader``. A value, which the loader has under its lock.
struct ResourceLoads<Value: Sendable>: Sendable {
    typealias Resume = @Sendable (Result<Value, WebServiceError>) -> Void

    /// The end of a load.
    enum Outcome: Sendable {
        case value(Value, cost: Int, lifetime: Duration)
        case failure(WebServiceError)

        var result: Result<Value, WebServiceError> {
            switch self {
            case .value(let value, cost: _, lifetime: _): .success(value)
            case .failure(let error): .failure(error)
            }
        }
    }

    private struct Load {
        let identifier: UUID
        let task: Task<Void, Never>
        var waiters: [UUID: Resume]
    }

    private let limits: ResourceLimits
    private var values: SegmentedLRU<HTTPRequest, (value: Value, end: Duration)>
    private var failures: SegmentedLRU<HTTPRequest, (error: WebServiceError, end: Duration)>
    private var loads: [HTTPRequest: Load] = [:]

    init(_ limits: ResourceLimits) {
        self.limits = limits
        values = SegmentedLRU(maximumCost: limits.memory)
        failures = SegmentedLRU(maximumCount: 1000)
    }

    /// Waits for a load, and starts it if there is none.
    /// - Parameters:
    ///   - waiter: identifies the wait.
    ///   - isCancelled: true if the task of the waiter is cancelled already.
    ///   - now: the time since the loader was made.
    ///   - resume: ends the wait.
    ///   - start: starts the load with that identifier.
    /// - Returns: the result if there is one at once; then `resume` is not called.
    mutating func wait(
        for request: HTTPRequest, as waiter: UUID, isCancelled: Bool, at now: Duration, resume: @escaping Resume,
        start: (UUID) -> Task<Void, Never>
    ) -> Result<Value, WebServiceError>? {
        if let known = values.use(request), known.end > now { return .success(known.value) }
        if let known = failures.use(request), known.end > now { return .failure(known.error) }
        if isCancelled { return .failure(.cancelled) }
        if loads[request] == nil {
            let identifier = UUID()
            loads[request] = Load(identifier: identifier, task: start(identifier), waiters: [:])
        }
        loads[request]?.waiters[waiter] = resume
        return nil
    }

    /// Ends a wait because its task is cancelled, and the load if no other task waits for it.
    /// - Returns: the closure that ends the wait; `nil` if it has ended.
    mutating func leave(_ request: HTTPRequest, _ waiter: UUID) -> Resume? {
        guard let resume = loads[request]?.waiters.removeValue(forKey: waiter) else { return nil }
        if loads[request]?.waiters.isEmpty == true { loads.removeValue(forKey: request)?.task.cancel() }
        return resume
    }

    /// Ends a load.
    /// - Returns: the closures that end the waits.
    mutating func finish(
        _ request: HTTPRequest, _ identifier: UUID, _ outcome: Outcome, at now: Duration
    ) -> [Resume] {
        guard loads[request]?.identifier == identifier, let load = loads.removeValue(forKey: request) else { return [] }
        switch outcome {
        case .value(let value, let cost, let lifetime):
            failures.remove(request)
            values.remove(request)
            if lifetime > .zero { values.insert((value, now + lifetime), for: request, cost: cost) }
        case .failure(let error):
            if error.transportError?.code != .cancelled {
                failures.insert((error, now + limits.failureLifetime), for: request)
            }
        }
        return Array(load.waiters.values)
    }

    /// The value of a request, however old.
    mutating func value(of request: HTTPRequest) -> Value? { values.use(request)?.value }

    /// Removes values and failures.
    mutating func clear() {
        values = SegmentedLRU(maximumCost: limits.memory)
        failures = SegmentedLRU(maximumCount: 1000)
    }
}

extension WebServiceError {
    /// The error of a task that no longer waits for a resource.
    static var cancelled: WebServiceError {
        WebServiceError(TransportError(.cancelled, "The task that waits for the resource was cancelled."))
    }
}
