public import NIOCore

/// A resolver that writes fields and all selections below them as JSON.
///
/// One call resolves all fields of an operation that have the same resolver object and can be resolved at the same
/// time. For example, the resolver can read all of them in one database transaction.
public protocol SubtreeResolver: AnyObject, Sendable {
    /// Returns one result for each request, in the same order.
    /// - Throws: An error that applies to all requests. The client gets the message of a `GraphQLError`.
    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult]

    /// Returns the result of a single request, which is the common case. The default implementation calls the function
    /// for several requests with an array of one request. A custom implementation avoids the arrays.
    /// - Throws: An error of the request. The client gets the message of a `GraphQLError`.
    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult

    /// Returns true to resolve all root fields of a mutation in one call, if all of them have this resolver. By
    /// default, each root field of a mutation is complete before the next one is resolved (specification, section
    /// 6.2.2). The resolver must then have the same effects as a serial execution, for example by performing the fields
    /// in their order in one database transaction.
    func resolvesTogether(_ operation: OperationContext) -> Bool
}

extension SubtreeResolver {
    /// Returns false.
    public func resolvesTogether(_ operation: OperationContext) -> Bool { false }

    /// Calls the function for several requests with an array of one request.
    public func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        let results = try await resolve([request], operation)
        guard results.count == 1 else { throw ResultCountError(given: results.count, expected: 1) }
        return results[0]
    }
}

/// The error of a resolver that does not return exactly one result for each object or request.
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

/// A request to a ``SubtreeResolver`` to write a field with all selections below it.
public struct SubtreeRequest: Sendable {
    /// The source, which is the Swift value of the object that contains the field. For the root field of a
    /// subscription, the source is the event.
    public let source: any Sendable
    /// The field; ``PlannedField/output`` contains the selections below it.
    public let field: PlannedField
    /// The field's coerced arguments as values.
    public let arguments: ObjectValue
    let schema: Schema
    let responsePath: ResponsePath
    /// The buffer for the value. It can contain the beginning of the response, which the resolver must not change.
    public let output: ByteBuffer

    /// The field's coerced arguments with their Swift types: `try request.fieldArguments.int("first")`.
    public var fieldArguments: FieldArguments { FieldArguments(arguments, of: field, in: schema) }

    /// The path of the field in the response.
    public var path: [PathElement] { responsePath.elements }
}

/// The result of a ``SubtreeRequest``.
public struct SubtreeResult: Sendable {
    /// The request's ``SubtreeRequest/output`` with the value appended; nil for null.
    public var output: ByteBuffer?
    /// The execution errors. The path of an error is relative to the field; a nil path refers to the field itself.
    public var errors: [GraphQLError]

    /// Returns a result whose value was appended to the request's output.
    public static func written(_ output: ByteBuffer, errors: [GraphQLError] = []) -> SubtreeResult {
        SubtreeResult(output: output, errors: errors)
    }

    /// Returns a null result.
    public static func null(errors: [GraphQLError] = []) -> SubtreeResult {
        SubtreeResult(output: nil, errors: errors)
    }
}
