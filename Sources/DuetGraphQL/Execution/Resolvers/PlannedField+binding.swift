extension PlannedField {
    /// Returns the ``SchemaField/binding`` of the field with its Swift type.
    /// - Throws: ``BindingTypeError`` if the field has no binding, or a binding of another type.
    public func binding<Binding: Sendable>(as type: Binding.Type) throws -> Binding {
        guard let binding = field.binding,
            let cast = SourceCast.exactly(binding, as: type) ?? (binding as? Binding)
        else { throw BindingTypeError(expected: type, found: field.binding, field: coordinate) }
        return cast
    }
}

/// The error of a resolver that requires a field with a binding of another type.
public struct BindingTypeError: Error, CustomStringConvertible {
    /// The type that the resolver requires.
    public let expected: any Any.Type
    /// The type of the field's binding; nil if the field has no binding.
    public let found: (any Any.Type)?
    /// The schema coordinate of the field, such as `Query.books`.
    public let field: String

    init(expected: any Any.Type, found: (any Sendable)?, field: String) {
        self.expected = expected
        self.found = found.map { Swift.type(of: $0) }
        self.field = field
    }

    /// A message with the field, the required and the actual type, and the remedy.
    public var description: String {
        let actual = found.map { "has a binding of type \($0)" } ?? "has no binding"
        return
            "The resolver requires that the field \(field) has a binding of type \(expected), but the field \(actual). Pass the binding to the initializer of the SchemaField."
    }
}
