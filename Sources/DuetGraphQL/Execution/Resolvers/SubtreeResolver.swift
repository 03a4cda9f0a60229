public import NIOCore

/// Resolves fields with everything selected below them, by writing JSON.
///
/// The fields of an operation that have the same resolver object and can be resolved at the same time are resolved in
/// one call, so that a database can read them in one transaction.
public protocol SubtreeResolver: AnyObject, Sendable {
    /// Returns one result for each request, in the same order.
    /// - Throws: An error of all requests. The client gets the message of a ``GraphQLError``.
    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult]

    /// Returns the result of a single request, which is the usual case. The default implementation calls the function
    /// for several requests; another implementation saves the arrays.
    /// - Throws: An error of the request. The client gets the message of a ``GraphQLError``.
    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult
}

extension SubtreeResolver {
    /// Calls the function for several requests with one request.
    public func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        let results = try await resolve([request], operation)
        guard results.count == 1 else { throw ResultCountError(given: results.count, expected: 1) }
        return results[0]
    }
}

/// The error of a resolver that does not return one result for each object or request.
struct ResultCountError: LocatedError, CustomStringConvertible {
    let given: Int
    let expected: Int
    var field: String?

    var description: String {
        let resolver = field.map { "The resolver of \($0)" } ?? "A resolver"
        return
            "\(resolver) returned \(given) values for \(expected) objects. It must return one for each object, in the same order."
    }
}

/// A field to be resolved, and the selections below it.
public struct SubtreeRequest: Sendable {
    /// The source of the object that contains the field.
    public let source: any Sendable
    /// The field; ``PlannedField/output`` contains the selections below it.
    public let field: PlannedField
    /// The field's coerced arguments.
    public let arguments: ObjectValue
    let responsePath: ResponsePath
    /// The buffer to append the value to. It can contain the beginning of the response, which must not change.
    public let output: ByteBuffer

    /// The path of the field in the response.
    public var path: [PathElement] { responsePath.elements }
}

/// The result of a ``SubtreeRequest``.
public struct SubtreeResult: Sendable {
    /// The request's ``SubtreeRequest/output`` with the value appended; nil for null.
    public var output: ByteBuffer?
    /// The execution errors. The path of an error begins after the field; nil is the field itself.
    public var errors: [GraphQLError]

    /// The result of a value that has been appended to the request's output.
    public static func written(_ output: ByteBuffer, errors: [GraphQLError] = []) -> SubtreeResult {
        SubtreeResult(output: output, errors: errors)
    }

    /// The result null.
    public static func null(errors: [GraphQLError] = []) -> SubtreeResult {
        SubtreeResult(output: nil, errors: errors)
    }
}
