import DuetJSON
public import Foundation
public import HTTPTypes

/// The reason why a request to a web service has no result.
public struct WebServiceError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The request cannot be made of its parts, and was not sent.
        case invalidRequest
        /// There is no response, or no whole one; ``WebServiceError/transportError`` is the reason.
        case noResponse
        /// The status is not 2xx; ``WebServiceError/status``, ``WebServiceError/problem`` and ``WebServiceError/body`` have the details.
        case unsuccessful
        /// The content of the response is not of the type that the caller wants; ``WebServiceError/place`` is where.
        case undecodable
    }

    /// A place in the content of a response.
    public enum Place: Sendable, Hashable, CustomStringConvertible {
        /// A place in a text that is not JSON: lines and bytes, which count from 1.
        case text(line: Int, column: Int)
        /// A member or an element that has another type than the caller's, or is missing: `titles[0].fromDate`; empty for the whole.
        case member(String)

        /// The place, for a person.
        public var description: String {
            switch self {
            case .text(let line, let column): "line \(line), column \(column)"
            case .member(""): "the whole"
            case .member(let path): path
            }
        }
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and the remedy, for a person.
    public var message: String
    /// Status and header fields of the response, if there is one.
    public var head: HTTPResponse?
    /// The problem that the response describes, if it is of the type `application/problem+json`.
    public var problem: Problem?
    /// The content of an unsuccessful response, at most its first 64 KiB.
    public var body: Data?
    /// The place in the content where decoding failed.
    public var place: Place?
    /// The error of the layer below.
    public var underlyingError: (any Error)?

    /// An error of that kind.
    public init(
        _ code: Code, _ message: String, head: HTTPResponse? = nil, problem: Problem? = nil, body: Data? = nil,
        place: Place? = nil, underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.head = head
        self.problem = problem
        self.body = body
        self.place = place
        self.underlyingError = underlyingError
    }

    /// The status of the response, if there is one.
    public var status: HTTPResponse.Status? { head?.status }

    /// The reason why there is no response.
    public var transportError: TransportError? { underlyingError as? TransportError }

    /// The message.
    public var description: String { message }
}

extension WebServiceError {
    init(_ error: TransportError) {
        self.init(.noResponse, error.description, underlyingError: error)
    }

    /// The error of a response whose status is not 2xx.
    init(_ head: HTTPResponse, body: Data, to request: HTTPRequest) {
        let problem = Problem(type: head.headerFields[.contentType], body: body)
        let reason = [problem?.title, problem?.detail].compactMap(\.self).joined(separator: ": ")
        self.init(
            .unsuccessful,
            "The server answers \(request.method) \(request.pathWithoutQuery) with \(head.status)"
                + (reason.isEmpty ? "." : ": \(reason)"),
            head: head, problem: problem, body: body)
    }

    /// The error of a response whose content is not of the type that the caller wants.
    init(_ error: any Error, decoding data: Data, as type: Any.Type, head: HTTPResponse) {
        let failure = DecodingFailure(error, in: data)
        self.init(
            .undecodable,
            "The response is not a \(type) at \(failure.place): \(failure.reason). Compare the type with the service's description.",
            head: head, place: failure.place, underlyingError: error)
    }
}

extension HTTPRequest {
    /// The path for a message: a query may have a secret in it.
    var pathWithoutQuery: Substring { (path ?? "/").prefix { $0 != "?" } }
}
