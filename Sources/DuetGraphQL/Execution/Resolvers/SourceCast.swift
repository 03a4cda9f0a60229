/// The error of a resolver whose source has a wrong type. The source is the Swift value of the object that contains the
/// field.
public struct SourceTypeError: Error, CustomStringConvertible, LocatedError {
    /// The source type of the resolver.
    public let expected: any Any.Type
    /// The type of the source.
    public let found: any Any.Type
    /// The schema coordinate of the field, such as `Book.price`.
    public internal(set) var field: String?

    @usableFromInline
    init(expected: any Any.Type, found: any Sendable) {
        self.expected = expected
        self.found = Swift.type(of: found)
    }

    /// A message with the field, the required and the actual type, and the remedy.
    public var description: String {
        let resolver = field.map { "The resolver of \($0)" } ?? "A resolver"
        let objects = field.map { "all objects of \"\($0.prefix { $0 != "." })\"" } ?? "all objects with the field"
        let remedy =
            expected == (any FieldSource).self
            ? "Return an ObjectValue, conform \(found) to FieldSource, or set a resolver of the field."
            : "Return sources of type \(expected) for \(objects), or set a resolver of the field for sources of type \(found)."
        return
            "\(resolver) requires a source of type \(expected), but the source is of type \(found). \(remedy)"
    }
}

/// Casts of sources and user contexts.
@usableFromInline
enum SourceCast {
    /// Returns the value if it has exactly the given type, which is the common case; otherwise nil. The function is
    /// several times faster than `as?`.
    @inlinable
    @inline(__always)
    static func exactly<Value>(_ value: any Sendable, as type: Value.Type) -> Value? {
        @inline(__always)
        func open<Actual>(_ actual: Actual) -> Value? {
            // The types are equal, so this is a copy of the value.
            Actual.self == Value.self ? unsafeBitCast(actual, to: Value.self) : nil
        }
        return _openExistential(value, do: open)
    }

    @inlinable
    @inline(__always)
    static func cast<Source>(_ source: any Sendable, to type: Source.Type) throws -> Source {
        if let same = exactly(source, as: type) { return same }
        return try castOther(source, to: type)
    }

    /// Casts a value of another type, such as a subclass. A resolver with the source type `Void` accepts any root
    /// value.
    @usableFromInline
    static func castOther<Source>(_ source: any Sendable, to type: Source.Type) throws -> Source {
        if let other = source as? Source { return other }
        if let void = () as? Source { return void }
        throw SourceTypeError(expected: Source.self, found: source)
    }
}
