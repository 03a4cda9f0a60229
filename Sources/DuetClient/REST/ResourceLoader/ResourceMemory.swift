import DuetBoundedCache
import HTTPTypes

/// The key of a resource: callers do not share values.
struct ResourceRequest: Sendable, Hashable {
    let head: HTTPRequest
    let caller: Caller?
}

/// The values and failures in the memory of a ``ResourceLoader``. The loader protects this structure with a lock.
struct ResourceMemory<Value: Sendable>: Sendable {
    private let limits: ResourceLimits
    private var values: SegmentedLRU<ResourceRequest, (value: Value, end: Duration)>
    private var failures: SegmentedLRU<ResourceRequest, (error: WebServiceError, end: Duration)>

    init(_ limits: ResourceLimits) {
        self.limits = limits
        values = SegmentedLRU(maximumCost: limits.memory)
        failures = SegmentedLRU(maximumCount: 1000)
    }

    /// Returns the value or the failure of a request, if it is still valid; `nil` if the request must be sent.
    /// - Parameter now: The time since the loader was created.
    mutating func result(of request: ResourceRequest, at now: Duration) -> Result<Value, WebServiceError>? {
        if let known = values.use(request), known.end > now { return .success(known.value) }
        if let known = failures.use(request), known.end > now { return .failure(known.error) }
        return nil
    }

    /// Returns the value of a request, regardless of its age.
    mutating func value(of request: ResourceRequest) -> Value? { values.use(request)?.value }

    /// Replaces the older value or failure of a request by a value. A value with the lifetime 0 is not stored.
    mutating func store(_ value: Value, for request: ResourceRequest, cost: Int, lifetime: Duration, at now: Duration) {
        failures.remove(request)
        values.remove(request)
        if lifetime > .zero { values.insert((value, now + lifetime), for: request, cost: cost) }
    }

    /// Stores a failure, except for a cancellation.
    mutating func store(_ error: WebServiceError, for request: ResourceRequest, at now: Duration) {
        if error.transportError?.code == .cancelled { return }
        failures.insert((error, now + limits.failureLifetime), for: request)
    }

    /// Removes all values and failures.
    mutating func clear() {
        self = ResourceMemory(limits)
    }
}
