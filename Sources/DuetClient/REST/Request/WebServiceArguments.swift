/// The arguments of a request: names, each with one or more values.
///
/// ```swift
/// let arguments: WebServiceArguments = ["details": ["titles", "salaries"], "first": 10, "after": cursor]
/// ```
///
/// An array becomes one parameter for each element, and `nil` becomes none. Arguments are sorted by name, and the values of one name
/// retain their order. So equal arguments always make equal addresses, and one cache entry.
public struct WebServiceArguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One name with one value.
    public struct Argument: Sendable, Hashable {
        /// The name, not percent-encoded.
        public let name: String
        /// The value, not percent-encoded.
        public let value: String
    }

    /// All arguments, sorted by name.
    public private(set) var all: [Argument] = []

    /// No arguments.
    public init() {}

    /// Arguments of a literal. A name that is there twice has the values of both.
    public init(dictionaryLiteral elements: (String, (any WebServiceArgument)?)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Adds a value, after those of the same name.
    public mutating func add(_ name: String, _ value: (any WebServiceArgument)?) {
        guard let texts = value?.argumentTexts, !texts.isEmpty else { return }
        // Unlike characters, bytes have one order in all versions of Unicode.
        let place = all.firstIndex { name.utf8.lexicographicallyPrecedes($0.name.utf8) } ?? all.endIndex
        all.insert(contentsOf: texts.map { Argument(name: name, value: $0) }, at: place)
    }

    /// The values of a name, in their order. Writing replaces them; `nil` removes them.
    public subscript(name: String) -> (any WebServiceArgument)? {
        get {
            let values = all.filter { $0.name == name }.map(\.value)
            return values.isEmpty ? nil : values
        }
        set {
            all.removeAll { $0.name == name }
            add(name, newValue)
        }
    }

    /// True if there are none.
    public var isEmpty: Bool { all.isEmpty }

    /// `name=value&name=value`, percent-encoded as RFC 3986 says: all but the unreserved characters.
    ///
    /// It is the query of an address, and content of the type `application/x-www-form-urlencoded` as well: decoders of forms accept
    /// `%20` for a space.
    public var encoded: String {
        all.map { "\(PercentEncoding.component($0.name))=\(PercentEncoding.component($0.value))" }
            .joined(separator: "&")
    }
}
