import DuetJSON
public import Foundation
public import HTTPTypes

/// An error that prevents a request to a web service from having a result.
public struct WebServiceError: PendingWriteError, Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The request cannot be created, for example because its path or its precondition is invalid. No request was
        /// sent.
        case invalidRequest
        /// There is no response, or the response is incomplete. ``WebServiceError/transportError`` contains the reason.
        case noResponse
        /// The status is not 2xx. ``WebServiceError/status``, ``WebServiceError/problem`` and ``WebServiceError/body``
        /// contain the details.
        case unsuccessful
        /// The content of the response cannot be decoded as the requested type. ``WebServiceError/place`` contains the
        /// location of the error.
        case undecodable
    }

    /// A location in the content of a response.
    public enum Place: Sendable, Hashable, CustomStringConvertible {
        /// A location in text that is not valid JSON. The line and the column start at 1. The column is counted in
        /// bytes.
        case text(line: Int, column: Int)
        /// The path of a member or an element that is missing or has an unexpected type, such as `titles[0].fromDate`.
        /// It is empty for the root.
        case member(String)

        /// A description of the location.
        public var description: String {
            switch self {
            case .text(let line, let column): "line \(line), column \(column)"
            case .member(""): "the root"
            case .member(let path): path
            }
        }
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure and its remedy.
    public var message: String
    /// The status and the header fields of the response, if there is a response.
    public var head: HTTPResponse?
    /// The problem in the response, if its media type is `application/problem+json`.
    public var problem: Problem?
    /// The content of an unsuccessful response, at most the first 64 KiB.
    public var body: Data?
    /// The location in the content at which decoding failed.
    public var place: Place?
    /// The underlying error.
    public var underlyingError: (any Error)?
    /// The key of the write, if it remains pending (``PendingWrites``). The server may have performed it.
    public var pendingKey: IdempotencyKey?

    /// Creates an error.
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

    /// The status of the response, if there is a response.
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

    /// Creates the error for a response whose status is not 2xx.
    init(_ head: HTTPResponse, body: Data, to request: HTTPRequest) {
        let problem = Problem(type: head.headerFields[.contentType], body: body)
        let reason = [problem?.title, problem?.detail].compactMap(\.self).joined(separator: ": ")
        self.init(
            .unsuccessful,
            "The server responded to \(request.method) \(request.pathWithoutQuery) with \(head.status)"
                + (reason.isEmpty ? "." : ": \(reason)"),
            head: head, problem: problem, body: body)
    }

    /// Creates the error for a response whose content cannot be decoded as the requested type.
    init(_ error: any Error, decoding data: Data, as type: Any.Type, head: HTTPResponse) {
        let failure = DecodingFailure(error, in: data)
        self.init(
            .undecodable,
            "The response cannot be decoded as \(type) at \(failure.place): \(failure.reason). Compare the type with the service's description.",
            head: head, place: failure.place, underlyingError: error)
    }
}

extension HTTPRequest {
    /// The path for a message. The query is omitted, because it may contain a secret.
    var pathWithoutQuery: Substring { (path ?? "/").prefix { $0 != "?" } }
}

/// The location and the reason of a decoding error.
struct DecodingFailure {
    let place: WebServiceError.Place
    let reason: String

    init(_ error: any Error, in data: Data) {
        guard let error = error as? DecodingError else {
            self.init(place: .member(""), reason: "\(error)")
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context.codingPath + [key], "it is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(context.codingPath, context.debugDescription)
        case .dataCorrupted(let context):
            // Foundation reports the location of a syntax error only in an English sentence, so the data is parsed
            // again.
            do throws(JSONError) {
                _ = try JSONValue(parsing: data, maximumDepth: 512)
                self.init(context.codingPath, context.debugDescription)
            } catch {
                self.init(place: .text(line: error.line, column: error.column), reason: error.message)
            }
        @unknown default:
            self.init(place: .member(""), reason: "\(error)")
        }
    }

    private init(place: WebServiceError.Place, reason: String) {
        self.place = place
        self.reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }

    private init(_ path: [any CodingKey], _ reason: String) {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        self.init(place: .member(text), reason: reason)
    }
}
