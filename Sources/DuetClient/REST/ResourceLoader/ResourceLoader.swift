public import Foundation
public import HTTPTypes
import HTTPTypesFoundation
import Synchronization

/// Loads pictures and other resources that many views show at once.
///
/// ```swift
/// let thumbnails = ResourceLoader(transport: transport, cache: cache) { data, _ in try Thumbnail(data) }
/// let thumbnail = try await thumbnails.load(service.request(.get, "employees/\(number)/thumbnail"))
/// ```
///
/// Callers that wait for the same resource share one request, which is cancelled when the last of them is. A value is served from
/// memory while its response is fresh. A resource that failed is not asked for again for a short time.
public final class ResourceLoader<Value: Sendable>: Sendable {
    /// Makes a value from the content of a response.
    public typealias Decode = @Sendable (_ content: Data, _ head: HTTPResponse) throws -> Value

    private let transport: any HTTPTransport
    private let limits: ResourceLimits
    private let headerFields: HTTPFields
    private let decode: Decode
    private let cost: @Sendable (Value, _ contentLength: Int) -> Int
    /// The time since the loader was made.
    private let elapsed: @Sendable () -> Duration
    private let memory: Mutex<ResourceMemory<Value>>
    private let loads = SharedWork<HTTPRequest, Value, WebServiceError> { WebServiceError(TransportError(.cancelled)) }
    private let pressure = Mutex<Task<Void, Never>?>(nil)

    /// A loader above a transport.
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - cache: Stores responses beyond the life of the process; `nil` for memory only, or if the transport has a cache already.
    ///   - limits: The bounds.
    ///   - headerFields: Header fields of each request.
    ///   - clock: Measures how long values and failures are remembered.
    ///   - memoryPressure: The moments at which memory is scarce. The values in memory are removed then, also those of `cache`.
    ///   - cost: The memory that a value takes, in bytes; by default the length of the content.
    ///   - decode: Makes the value.
    public init(
        transport: any HTTPTransport, cache: ResponseCache? = nil, limits: ResourceLimits = ResourceLimits(),
        headerFields: HTTPFields = [.accept: "*/*"], clock: some Clock<Duration> = ContinuousClock(),
        memoryPressure: (any AsyncSequence<Void, Never> & Sendable)? = nil,
        cost: @escaping @Sendable (_ value: Value, _ contentLength: Int) -> Int = { $1 }, decode: @escaping Decode
    ) {
        self.transport = cache.map { CachingTransport(transport, cache: $0) } ?? transport
        self.limits = limits
        self.headerFields = headerFields
        self.decode = decode
        self.cost = cost
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        memory = Mutex(ResourceMemory(limits))
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

    /// The value of a resource.
    ///
    /// Cancelling the task ends the wait, and the request if no other task waits for it.
    /// - Throws: ``WebServiceError``.
    public func load(_ request: HTTPRequest) async throws(WebServiceError) -> Value {
        let request = complete(request)
        if let known = known(request) { return try known.get() }
        return try await loads.value(for: request) { [self] () throws(WebServiceError) in
            // A load may have ended since.
            if let known = known(request) { return try known.get() }
            do throws(WebServiceError) {
                return try await fetch(request)
            } catch {
                memory.withLock { $0.store(error, for: request, at: elapsed()) }
                throw error
            }
        }
    }

    /// The value of a resource that is read with `GET`.
    /// - Throws: ``WebServiceError``.
    public func load(_ address: URL) async throws(WebServiceError) -> Value {
        try await load(HTTPRequest(url: address))
    }

    /// The value of a resource if it is in memory, for a view that shows it at once. It may be stale.
    public func value(inMemory request: HTTPRequest) -> Value? {
        let request = complete(request)
        return memory.withLock { $0.value(of: request) }
    }

    /// Removes all values from memory, and forgets failures. Requests under way go on.
    public func clearMemory() {
        memory.withLock { $0.clear() }
    }

    /// The request with the header fields of all requests; its own replace them.
    private func complete(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        for field in headerFields where !request.headerFields.contains(field.name) {
            request.headerFields.append(field)
        }
        return request
    }

    private func known(_ request: HTTPRequest) -> Result<Value, WebServiceError>? {
        memory.withLock { $0.result(of: request, at: elapsed()) }
    }

    private func fetch(_ request: HTTPRequest) async throws(WebServiceError) -> Value {
        let response = try await transport.sendForSuccess(TransportRequest(request, timeout: limits.timeout))
        let content = try await response.body.collectForService(upTo: limits.contentLength)
        let value: Value
        do {
            value = try decode(content, response.head)
        } catch {
            throw WebServiceError(error, decoding: content, as: Value.self, head: response.head)
        }
        let (cost, lifetime) = (cost(value, content.count), limits.lifetime(of: response.head, at: Date()))
        memory.withLock { $0.store(value, for: request, cost: cost, lifetime: lifetime, at: elapsed()) }
        return value
    }
}

extension ResourceLoader where Value == Data {
    /// A loader of the content as it is. The parameters are those of the loader with a decoder.
    public convenience init(
        transport: any HTTPTransport, cache: ResponseCache? = nil, limits: ResourceLimits = ResourceLimits(),
        headerFields: HTTPFields = [.accept: "*/*"], clock: some Clock<Duration> = ContinuousClock(),
        memoryPressure: (any AsyncSequence<Void, Never> & Sendable)? = nil
    ) {
        self.init(
            transport: transport, cache: cache, limits: limits, headerFields: headerFields, clock: clock,
            memoryPressure: memoryPressure
        ) { content, _ in content }
    }
}
