import DuetGraphQL
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A problem that ends a request with an error response (RFC 9457). The response reveals no internal details.
struct RequestProblem: Error, Sendable {
    /// The kind of the error.
    var type: ServiceError.Code
    /// A description of this occurrence, and what to do.
    var detail: String
    /// The additional members of the problem document, in order.
    var members: [(name: String, value: JSONValue)] = []
    /// Additional header fields, such as `Allow`.
    var fields: HTTPFields = [:]
    /// The internal error, which only the log contains.
    var cause: (any Error)?
    /// The reason why the database rejected a change, which only the log contains.
    var rejection: String?

    init(
        _ type: ServiceError.Code, _ detail: String, members: [(name: String, value: JSONValue)] = [],
        fields: HTTPFields = [:]
    ) {
        self.type = type
        self.detail = detail
        self.members = members
        self.fields = fields
    }

    /// Creates the problem for any error of a handler.
    init(_ error: any Error) {
        switch error {
        case let problem as RequestProblem: self = problem
        case let error as QueryStringError:
            self.init(.malformedRequest, "the query cannot be parsed: \(error)")
        case let error as JSONError:
            self.init(.malformedBody, "the body is not JSON: \(error)")
        default:
            self.init(service: ServiceError(describing: error))
            if !(error is ServiceError || error is ParameterError || error is CancellationError) { cause = error }
        }
    }

    private init(service error: ServiceError) {
        // A hook of a write can throw a code of the server, such as `content-too-large`.
        let code =
            error.code.isCustom ? ServiceError.Code.general.first { $0 == error.code } ?? .internalError : error.code
        self.init(code, error.detail)
        rejection = error.rejection
        if let parameter = error.parameter { members.append(("parameter", .string(parameter))) }
        if let allowed = error.allowed { members.append(("allowed", .array(allowed.map { .string($0) }))) }
        if let relation = error.relation { members.append(("relation", .string(relation))) }
        if let key = error.key { members.append(("key", .string(key))) }
        if let line = error.line { members.append(("line", .integer(Int64(line)))) }
        if let column = error.column { members.append(("column", .integer(Int64(column)))) }
        if let pointer = error.pointer { members.append(("pointer", .string("\(pointer)"))) }
        if !error.fields.isEmpty {
            members.append(("errors", .array(error.fields.map(\.document))))
        }
    }

    /// Returns the problem document as JSON.
    func body(requestID: String?) -> ByteBuffer {
        var writer = JSONWriter(capacity: 512)
        writer.write(.object(document(requestID: requestID)))
        return writer.buffer
    }

    /// Returns the members of the problem document.
    func document(requestID: String?) -> JSONObject {
        var object = JSONObject()
        object["type"] = .string("/problems/\(type.rawValue)")
        object["title"] = .string(type.title)
        object["status"] = .integer(Int64(type.status))
        object["detail"] = .string(detail)
        object["code"] = .string(type.rawValue)
        for (name, value) in members { object[name] = value }
        if let requestID { object["requestID"] = .string(requestID) }
        return object
    }

    /// Returns the response with the problem document, which no cache stores.
    func response(requestID: String) -> Response {
        var headers = fields
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        if let retryAfter = type.retryAfter { headers[.retryAfter] = String(retryAfter) }
        return Response(
            status: type.httpStatus, headers: headers, body: ResponseBody(byteBuffer: body(requestID: requestID)))
    }
}

extension ServiceError.FieldError {
    /// The error as an element of `errors`.
    fileprivate var document: JSONValue {
        var object = JSONObject(["field": .string(field), "message": .string(message)])
        if let pointer { object["pointer"] = .string(pointer.description) }
        return .object(object)
    }
}
