import DuetBoundedCache
import HTTPTypes

/// The values that a ``ResourceLoader`` has in memory, and the failures that it remembers. A value, which the loader has under its lock.
struct ResourceMemory<Value: Sendable>: Sendable {
    private let limits: ResourceLimits
    private var values: SegmentedLRU<HTTPRequest, (value: Value, end: Duration)>
    private var failures: SegmentedLRU<HTTPRequest, (error: WebServiceError, end: Duration)>

    init(_ limits: ResourceLimits) {
        self.limits = limits
        values = SegmentedLRU(maximumCost: limits.memory)
        failures = SegmentedLRU(maximumCount: 1000)
    }

    /// The value or the failure that needs no request.
    /// - Parameter now: The time since the loader was made.
    mutating func result(of request: HTTPRequest, at now: Duration) -> Result<Value, WebServiceError>? {
        if let known = values.use(request), known.end > now { return .success(known.value) }
        if let known = failures.use(request), known.end > now { return .failure(known.error) }
        return nil
    }

    /// The value of a request, however old.
    mutating func value(of request: HTTPRequest) -> Value? { values.use(request)?.value }

    /// Remembers a value in place of an older one and of a failure.
    mutating func store(_ value: Value, for request: HTTPRequest, cost: Int, lifetime: Duration, at now: Duration) {
        failures.remove(request)
        values.remove(request)
        if lifetime > .zero { values.insert((value, now + lifetime), for: request, cost: cost) }
    }

    /// Remembers a failure, unless it is that no caller waits any more.
    mutating func store(_ error: WebServiceError, for request: HTTPRequest, at now: Duration) {
        if error.transportError?.code == .cancelled { return }
        failures.insert((error, now + limits.failureLifetime), for: request)
    }

    /// Forgets values and failures.
    mutating func clear() {
        self = ResourceMemory(limits)
    }
}
