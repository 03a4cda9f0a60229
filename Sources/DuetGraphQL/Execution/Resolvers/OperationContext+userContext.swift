extension OperationContext {
    /// Returns the user context with its Swift type, for a ``SubtreeResolver`` and for other code without a typed
    /// ``FieldContext``.
    ///
    ///     let database = try operation.userContext(as: Database.self)
    /// - Throws: ``UserContextTypeError`` if the user context has another type.
    @inlinable
    public func userContext<Context: Sendable>(as type: Context.Type) throws -> Context {
        if let same = SourceCast.exactly(userContext, as: type) { return same }
        return try castUserContext(to: type)
    }

    /// Casts a user context of another type, such as a subclass.
    @usableFromInline
    func castUserContext<Context: Sendable>(to type: Context.Type) throws -> Context {
        guard let context = userContext as? Context else {
            throw UserContextTypeError(expected: type, found: Swift.type(of: userContext))
        }
        return context
    }
}

extension FieldContext where UserContext == any Sendable {
    /// Returns the user context with its Swift type, for a ``FieldSource``.
    /// - Throws: ``UserContextTypeError`` if the user context has another type.
    @inlinable
    public func userContext<Context: Sendable>(as type: Context.Type) throws -> Context {
        try operation.userContext(as: type)
    }
}

/// The error of a resolver that requires a user context of another type.
public struct UserContextTypeError: Error, CustomStringConvertible, LocatedError {
    /// The type that the resolver requires.
    public let expected: any Any.Type
    /// The type of the user context.
    public let found: any Any.Type
    /// The schema coordinate of the field, such as `Query.books`; nil if the error was not thrown by a resolver.
    public internal(set) var field: String?

    init(expected: any Any.Type, found: any Any.Type) {
        self.expected = expected
        self.found = found
    }

    /// A message with the field or the operation, the required and the actual type, and the remedy.
    public var description: String {
        let subject = field.map { "The resolver of \($0)" } ?? "The operation"
        return
            "\(subject) requires a user context of type \(expected), but the user context is of type \(found). Execute the operation with a user context of type \(expected), or read it as a \(found)."
    }
}
