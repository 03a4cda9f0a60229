internal import Synchronization

/// A field of a request, with its arguments. Several calls of the field's resolver can share this object.
///
/// A resolver receives this object in a ``FieldContext``, which adds the type of the user context.
@usableFromInline
final class FieldCall: Sendable {
    @usableFromInline let field: PlannedField
    @usableFromInline let operation: OperationContext
    /// The coerced arguments that have values.
    let arguments: ObjectValue

    /// - Throws: An error if the coercion of the arguments fails.
    init(_ field: PlannedField, _ operation: OperationContext) throws(GraphQLError) {
        self.field = field
        self.operation = operation
        arguments = try operation.arguments(of: field)
    }

    subscript(argument: String) -> Value? { arguments[argument] }
}
