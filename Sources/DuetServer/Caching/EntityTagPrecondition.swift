package import HTTPTypes

/// What the conditions of a request mean for its answer, in the order of RFC 9110 §13.2.2. Dates are not looked at:
/// the server sends no `Last-Modified`.
package enum EntityTagPrecondition: Sendable, Hashable {
    /// Carry the request out.
    case proceed
    /// 304: the client has the current body.
    case notModified
    /// 412: the body is not the one the client means.
    case failed

    /// Looks at `If-Match` and `If-None-Match`.
    ///
    /// - Parameters:
    ///   - fields: The request's fields.
    ///   - method: The request's method: a match of `If-None-Match` is 304 for GET and HEAD, 412 for all others.
    ///   - current: The tag of the current body, or `nil` when there is no such resource.
    package static func evaluate(
        _ fields: HTTPFields, method: HTTPRequest.Method, current: EntityTag?
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
