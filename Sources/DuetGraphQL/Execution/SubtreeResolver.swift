public import NIOCore

/// Answers fields together with everything selected below them, by writing JSON.
///
/// All fields of an operation that have the same resolver object, and can be answered at the same time, are given to it in one
/// call: so a database can answer them in one transaction.
public protocol SubtreeResolver: AnyObject, Sendable {
    /// One result per request, in their order.
    /// - Throws: what makes all of them fail; a ``GraphQLError`` reaches the client.
    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult]

    /// The result of a request that comes alone, as most do: who implements it is spared the lists. By default it is a list of one.
    /// - Throws: what makes it fail; a ``GraphQLError`` reaches the client.
    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult
}

extension SubtreeResolver {
    /// The result of a list of one.
    public func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        let results = try await resolve([request], operation)
        guard results.count == 1 else { throw ResultCountError(given: results.count, expected: 1) }
        return results[0]
    }
}

/// A resolver did not give one result for each thing it was asked for.
struct ResultCountError: Error, CustomStringConvertible {
    let given: Int
    let expected: Int
    var description: String { "a resolver gave \(given) results for \(expected) objects" }
}

/// A field to be answered, and what is selected below it.
public struct SubtreeRequest: Sendable {
    /// The object that the field belongs to.
    public let source: any Sendable
    /// The field; ``PlannedField/output`` leads to the selections below it.
    public let field: PlannedField
    /// The field's arguments.
    public let arguments: ObjectValue
    let responsePath: ResponsePath
    /// What the value is to be appended to. It may hold the response so far, which must stay as it is.
    public let output: ByteBuffer

    /// Where the field is in the response.
    public var path: [PathElement] { responsePath.elements }
}

/// What became of a ``SubtreeRequest``.
public struct SubtreeResult: Sendable {
    /// The request's ``SubtreeRequest/output`` with the value appended; nil for null.
    public var output: ByteBuffer?
    /// What went wrong in it. A path is taken from the field on; none means the field.
    public var errors: [GraphQLError]

    /// A value, appended to the request's output.
    public static func written(_ output: ByteBuffer, errors: [GraphQLError] = []) -> SubtreeResult {
        SubtreeResult(output: output, errors: errors)
    }

    /// Null.
    public static func null(errors: [GraphQLError] = []) -> SubtreeResult {
        SubtreeResult(output: nil, errors: errors)
    }
}
