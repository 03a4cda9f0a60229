public import Foundation
public import HTTPTypes

/// A client of a REST service. A call sends a request and decodes the response.
///
/// ```swift
/// let service = WebServiceProxy(baseURL: address)
/// let employee: Employee = try await service.invoke(
///     .get, "employees/\(number)", arguments: ["details": ["titles", "salaries"]])
/// ```
///
/// Requests and responses have JSON content, unless a call specifies a different media type. To add logging,
/// metrics, retries or a cache to all requests, wrap ``transport`` in a transport of your own. An
/// ``AuthorizingTransport`` adds the token of the caller.
public struct WebServiceProxy: Sendable {
    /// The address to which paths are appended: `https://example.org/api` and `employees` result in
    /// `https://example.org/api/employees`.
    public var baseURL: URL
    /// Sends the requests.
    public var transport: any HTTPTransport
    /// The current caller; `nil` if the app has only one caller. A call ends with an error if the caller changes before
    /// the response is complete.
    public var caller: CurrentCaller?
    /// The writes without an answer. If it is not `nil`, each write by `create`, `update`, `upsert`, `delete`,
    /// `updateAll` and `deleteAll` has a key, and is recorded until its answer has arrived. Calls of `invoke` have no
    /// key.
    public var pendingWrites: PendingWrites?
    /// The header fields of each request. A header field of a call replaces the field with the same name.
    public var headerFields: HTTPFields = [:]
    /// The maximum time until the head of the response arrives. After the head, it is the maximum time between two
    /// parts of the content.
    public var timeout: Duration = .seconds(30)
    /// Encodes the content of requests. By default, a `Date` is the number of milliseconds since 1970.
    public var encoder: JSONEncoder = .epochMilliseconds
    /// Decodes the content of responses. By default, a `Date` is the number of milliseconds since 1970.
    public var decoder: JSONDecoder = .epochMilliseconds
    /// The maximum length of a multipart form, in bytes. The client encodes the form in memory.
    public var maximumFormLength = 64 * 1024 * 1024
    /// The maximum length, in bytes, of the content of a response that the client reads into memory as a whole.
    public var maximumResponseLength = 64 * 1024 * 1024

    /// The position after the last write, for later reads. Copies of the proxy share it.
    public var writePosition = WritePosition()

    /// The settings of ``live(_:arguments:headerFields:as:)``.
    public var liveSettings = LiveSettings()

    /// Creates a proxy of the service at an address.
    public init(
        baseURL: URL, transport: any HTTPTransport = DefaultTransport.make(), caller: CurrentCaller? = nil,
        pendingWrites: PendingWrites? = nil
    ) {
        self.baseURL = baseURL
        self.transport = transport
        self.caller = caller
        self.pendingWrites = pendingWrites
    }

    /// Returns the head of a request to the service, with the header fields of the proxy.
    /// - Throws: ``WebServiceError`` with ``WebServiceError/Code-swift.enum/invalidRequest`` if the address is invalid.
    public func request(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments = [:]
    ) throws(WebServiceError) -> HTTPRequest {
        let address = try address(of: path, arguments: arguments)
        return HTTPRequest(
            method: method, scheme: address.scheme, authority: address.authority, path: address.pathAndQuery,
            headerFields: headerFields)
    }
}

extension WebServiceProxy {
    func address(of path: ResourcePath, arguments: WebServiceArguments) throws(WebServiceError) -> ServiceAddress {
        guard let base = ServiceAddress(baseURL), baseURL.query == nil else {
            throw WebServiceError(
                .invalidRequest,
                "The base address \(baseURL) cannot be used. It must be an http or https URL that has a host and no query."
            )
        }
        var address: ServiceAddress
        switch path.form {
        case .below(let path):
            address = base
            address.path = base.folder + path
        case .address(let link):
            guard let other = ServiceAddress(link), other.isSameOrigin(as: base) else {
                throw WebServiceError(
                    .invalidRequest,
                    "The address \(link) does not belong to the service at \(baseURL). Create another proxy for the service of this address."
                )
            }
            address = other
        case .invalid(let reason):
            throw WebServiceError(.invalidRequest, reason)
        }
        if !arguments.isEmpty {
            address.query = [address.query, arguments.encoded].compactMap(\.self).joined(separator: "&")
        }
        return address
    }
}
