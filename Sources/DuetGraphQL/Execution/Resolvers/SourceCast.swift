/// The error of a resolver whose source has another type.
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

    /// A message with the field and both types.
    public var description: String {
        let resolver = field.map { "The resolver of \($0)" } ?? "A resolver"
        return "\(resolver) requires a source of type \(expected), but the source is of type \(found)."
    }
}

/// A cast that is several times faster than `as?` if the value has exactly the given type, which is the common case.
@usableFromInline
enum SourceCast {
    @inlinable
    @inline(__always)
    static func cast<Source>(_ source: any Sendable, to type: Source.Type) throws -> Source {
        @inline(__always)
        func open<Actual>(_ actual: Actual) -> Source? {
            // The types are equal, so this is a copy of the value.
            Actual.self == Source.self ? unsafeBitCast(actual, to: Source.self) : nil
        }
        if let same = _openExistential(source, do: open) { return same }
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
