/// The error of a resolver that is called with a source of another type.
public struct SourceTypeError: Error, CustomStringConvertible {
    /// The type that the resolver is made for.
    public let expected: any Any.Type
    /// The type of the source.
    public let found: any Any.Type

    @usableFromInline
    init(expected: any Any.Type, found: any Sendable) {
        self.expected = expected
        self.found = Swift.type(of: found)
    }

    /// A message with both types.
    public var description: String { "a resolver for \(expected) was given a \(found)" }
}

/// A cast that is several times faster than `as?` if the value has exactly the given type, as it nearly always has.
@usableFromInline
enum SourceCast {
    @inlinable
    @inline(__always)
    static func cast<Source>(_ source: any Sendable, to type: Source.Type) throws -> Source {
        @inline(__always)
        func open<Actual>(_ actual: Actual) -> Source? {
            // The types are the same, so this is a copy of the value.
            Actual.self == Source.self ? unsafeBitCast(actual, to: Source.self) : nil
        }
        if let same = _openExistential(source, do: open) { return same }
        return try castOther(source, to: type)
    }

    /// The cast of a value of another type, such as a subclass. A resolver whose source is `Void` is given any root value.
    @usableFromInline
    static func castOther<Source>(_ source: any Sendable, to type: Source.Type) throws -> Source {
        if let other = source as? Source { return other }
        if let void = () as? Source { return void }
        throw SourceTypeError(expected: Source.self, found: source)
    }
}
