public import Foundation
public import HTTPTypes
import HTTPTypesFoundation
import Synchronization

/// Loads images and other resources that several views may show at the same time.
///
/// ```swift
/// let thumbnails = ResourceLoader(transport: transport, cache: cache) { data, _ in try Thumbnail(data) }
/// let thumbnail = try await thumbnails.load(service.request(.get, "employees/\(number)/thumbnail"))
/// ```
///
/// Concurrent calls for the same resource share one request. The request is canceled when all calling tasks are
/// canceled. A value is served from memory while its response is fresh. After a failure, a resource is not requested
/// again for a short time.
public final class ResourceLoader<Value: Sendable>: Sendable {
    /// Decodes a value from the content of a response.
    public typealias Decode = @Sendable (_ content: Data, _ head: HTTPResponse) throws -> Value

    private let transport: any HTTPTransport
    private let caller: CurrentCaller?
    private let limits: ResourceLimits
    private let headerFields: HTTPFields
    private let decode: Decode
    private let cost: @Sendable (Value, _ contentLength: Int) -> Int
    /// Returns the time since the loader was created.
    private let elapsed: @Sendable () -> Duration
    private let memory: Mutex<ResourceMemory<Value>>
    private let loads = SharedWork<ResourceRequest, Value, WebServiceError> {
        WebServiceError(TransportError(.cancelled))
    }
    private let pressure = Mutex<Task<Void, Never>?>(nil)
    private let observer = Mutex<CurrentCaller.Observer?>(nil)

    /// Creates a loader.
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - cache: A persistent cache of responses. Pass `nil` to use only memory, or if the transport already has a
    ///     cache.
    ///   - limits: The limits.
    ///   - headerFields: The header fields of each request.
    ///   - clock: Measures the lifetimes of values and failures.
    ///   - caller: The current caller; `nil` if the app has only one caller. A caller receives no value of a different
    ///     caller.
    ///   - memoryPressure: A sequence that delivers an element when memory is low. For each element, the loader removes
    ///     its values from memory and calls `clearMemory()` of `cache`.
    ///   - cost: Returns the memory size of a value in bytes. The default is the length of the content.
    ///   - decode: Decodes the value.
    public init(
        transport: any HTTPTransport, cache: ResponseCache? = nil, limits: ResourceLimits = ResourceLimits(),
        headerFields: HTTPFields = [.accept: "*/*"], clock: some Clock<Duration> = ContinuousClock(),
        caller: CurrentCaller? = nil, memoryPressure: (any AsyncSequence<Void, Never> & Sendable)? = nil,
        cost: @escaping @Sendable (_ value: Value, _ contentLength: Int) -> Int = { $1 }, decode: @escaping Decode
    ) {
        self.transport = cache.map { CachingTransport(transport, cache: $0) } ?? transport
        self.caller = caller
        self.limits = limits
        self.headerFields = headerFields
        self.decode = decode
        self.cost = cost
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        memory = Mutex(ResourceMemory(limits))
        let observer = caller?.observe { [weak self] in self?.clearMemory() }
        self.observer.withLock { $0 = observer }
        guard let memoryPressure else { return }
        let task = Task { [weak self] in
            for await _ in memoryPressure {
                self?.clearMemory()
                cache?.clearMemory()
            }
        }
        pressure.withLock { $0 = task }
    }

    deinit {
        pressure.withLock { $0?.cancel() }
    }

    /// Returns the value of a resource.
    ///
    /// If the task is canceled, the call ends. The request is also canceled unless another task waits for it.
    /// - Throws: ``WebServiceError``.
    public func load(_ request: HTTPRequest) async throws(WebServiceError) -> Value {
        let request = complete(request)
        if let known = known(request) { return try known.get() }
        let result: Result<Value, WebServiceError>
        do throws(WebServiceError) {
            result = .success(
                try await loads.value(for: request) { [self] () throws(WebServiceError) in
                    try await knownOrFetched(request)
                })
        } catch {
            result = .failure(error)
        }
        guard isCurrent(request) else { throw WebServiceError(TransportError(.callerChanged)) }
        return try result.get()
    }

    private func knownOrFetched(_ request: ResourceRequest) async throws(WebServiceError) -> Value {
        // An earlier load may have ended after the first check.
        if let known = known(request) { return try known.get() }
        do throws(WebServiceError) {
            return try await fetch(request)
        } catch {
            if isCurrent(request) { memory.withLock { $0.store(error, for: request, at: elapsed()) } }
            throw error
        }
    }

    /// Returns true if the caller has not changed since the request was created.
    private func isCurrent(_ request: ResourceRequest) -> Bool { request.caller == caller?.current }

    /// Returns the value of the resource at an address. The request has the method `GET`.
    /// - Throws: ``WebServiceError``.
    public func load(_ address: URL) async throws(WebServiceError) -> Value {
        try await load(HTTPRequest(url: address))
    }

    /// Returns the value of a resource if the value is in memory; otherwise `nil`. The value may be stale. With this
    /// method, a view can show the resource immediately.
    public func value(inMemory request: HTTPRequest) -> Value? {
        let request = complete(request)
        return memory.withLock { $0.value(of: request) }
    }

    /// Removes all values and failures from memory. Running requests are not canceled.
    public func clearMemory() {
        memory.withLock { $0.clear() }
    }

    /// Returns the request with the loader's header fields and the current caller. Header fields of the request take
    /// precedence.
    private func complete(_ request: HTTPRequest) -> ResourceRequest {
        var request = request
        for field in headerFields where !request.headerFields.contains(field.name) {
            request.headerFields.append(field)
        }
        return ResourceRequest(head: request, caller: caller?.current)
    }

    private func known(_ request: ResourceRequest) -> Result<Value, WebServiceError>? {
        memory.withLock { $0.result(of: request, at: elapsed()) }
    }

    private func fetch(_ request: ResourceRequest) async throws(WebServiceError) -> Value {
        let response = try await transport.sendForSuccess(
            TransportRequest(request.head, timeout: limits.timeout, caller: request.caller))
        let content = try await response.body.collectForService(upTo: limits.contentLength)
        let value: Value
        do {
            value = try decode(content, response.head)
        } catch {
            throw WebServiceError(error, decoding: content, as: Value.self, head: response.head)
        }
        let (cost, lifetime) = (cost(value, content.count), limits.lifetime(of: response.head, at: Date()))
        if isCurrent(request) {
            memory.withLock { $0.store(value, for: request, cost: cost, lifetime: lifetime, at: elapsed()) }
        }
        return value
    }
}

extension ResourceLoader where Value == Data {
    /// Creates a loader that returns the content of a response without decoding it. The parameters are those of the
    /// initializer with `decode`.
    public convenience init(
        transport: any HTTPTransport, cache: ResponseCache? = nil, limits: ResourceLimits = ResourceLimits(),
        headerFields: HTTPFields = [.accept: "*/*"], clock: some Clock<Duration> = ContinuousClock(),
        caller: CurrentCaller? = nil, memoryPressure: (any AsyncSequence<Void, Never> & Sendable)? = nil
    ) {
        self.init(
            transport: transport, cache: cache, limits: limits, headerFields: headerFields, clock: clock,
            caller: caller, memoryPressure: memoryPressure
        ) { content, _ in content }
    }
}

/// The limits of a ``ResourceLoader``.
public struct ResourceLimits: Sendable, Hashable {
    /// The maximum cost of all values in memory, in bytes.
    public var memory = 32 * 1024 * 1024
    /// The maximum length of a resource, in bytes.
    public var contentLength = 16 * 1024 * 1024
    /// The time after a failure during which the resource is not requested again. If the cache has served a stale
    /// response because of the failure, the value is served from memory for this time.
    public var failureLifetime = Duration.seconds(10)
    /// The time for which a value is served from memory if the response does not specify a freshness lifetime.
    public var defaultLifetime = Duration.seconds(60)
    /// The maximum time until the head of the response arrives. After the head, it is the maximum time between two
    /// parts of the content.
    public var timeout = Duration.seconds(30)

    /// Creates the default limits.
    public init() {}

    /// Returns the time for which the value of a response is served from memory.
    func lifetime(of head: HTTPResponse, at now: Date) -> Duration {
        let directives = CacheDirectives(head.headerFields)
        if directives.contains(.noStore) || directives.contains(.noCache) { return .zero }
        let status = CacheStatus(head)
        if status?.source == .storedOnError { return failureLifetime }
        guard directives.contains(.maxAge) || head.headerFields.contains(.expires) else { return defaultLifetime }
        return max(
            .zero,
            status?.timeToLive
                ?? .seconds(ResponseFreshness(head, requestTime: now, responseTime: now).timeToLive(at: now)))
    }
}
