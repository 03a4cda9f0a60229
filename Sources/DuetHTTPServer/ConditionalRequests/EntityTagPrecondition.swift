package import HTTPTypes

/// The result of a request's preconditions, evaluated in the order of RFC 9110 §13.2.2. `If-Modified-Since` and
/// `If-Unmodified-Since` are ignored, because the server sends no `Last-Modified`.
package enum EntityTagPrecondition: Sendable, Hashable {
    /// The server executes the request.
    case proceed
    /// 304: the client already has the current body.
    case notModified
    /// 412: the current body, or its absence, does not satisfy a precondition.
    case failed

    /// Evaluates `If-Match` and `If-None-Match`.
    ///
    /// - Parameters:
    ///   - fields: The fields of the request.
    ///   - method: The method of the request. A match of `If-None-Match` results in 304 for GET and HEAD, and in 412
    ///     for all other methods.
    ///   - current: The tag of the current body, or `nil` if the resource does not exist.
    package static func evaluate(
        _ fields: HTTPFields, method: HTTPRequest.Method, current: BodyTag?
    ) -> EntityTagPrecondition {
        guard !fields.isEmpty else { return .proceed }
        if EntityTagList.match(current, in: fields, name: .ifMatch, comparison: .strong) == .unmatched {
            return .failed
        }
        if EntityTagList.match(current, in: fields, name: .ifNoneMatch, comparison: .weak) == .matched {
            return method == .get || method == .head ? .notModified : .failed
        }
        return .proceed
    }
}
