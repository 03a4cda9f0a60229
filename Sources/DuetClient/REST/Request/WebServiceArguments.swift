/// The arguments of a request. Each name has one or more values.
///
/// ```swift
/// let arguments: WebServiceArguments = ["details": ["titles", "salaries"], "first": 10, "after": cursor]
/// ```
///
/// An array becomes one parameter for each element, and `nil` becomes no parameter. Arguments are sorted by name. The
/// values of a name retain their order. Requests with equal arguments therefore have equal addresses and share a cache
/// entry.
public struct WebServiceArguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A name with one value.
    public struct Argument: Sendable, Hashable {
        /// The name, not percent-encoded.
        public let name: String
        /// The value, not percent-encoded.
        public let value: String
    }

    /// All arguments, sorted by name.
    public private(set) var all: [Argument] = []

    /// Creates an empty list of arguments.
    public init() {}

    /// Creates arguments from a literal. If a name occurs twice, it has the values of both occurrences.
    public init(dictionaryLiteral elements: (String, (any WebServiceArgument)?)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Adds a value. It follows the existing values of the name.
    public mutating func add(_ name: String, _ value: (any WebServiceArgument)?) {
        guard let texts = value?.argumentTexts, !texts.isEmpty else { return }
        // The names are compared by bytes, because the order of characters depends on the Unicode version.
        let place = all.firstIndex { name.utf8.lexicographicallyPrecedes($0.name.utf8) } ?? all.endIndex
        all.insert(contentsOf: texts.map { Argument(name: name, value: $0) }, at: place)
    }

    /// The values of a name, in order. Setting a value replaces all values of the name; setting `nil` removes them.
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

    /// True if there are no arguments.
    public var isEmpty: Bool { all.isEmpty }

    /// The arguments in the form `name=value&name=value`. Names and values are percent-encoded according to RFC 3986:
    /// all characters except the unreserved characters are encoded.
    ///
    /// The result is the query component of an address. It is also valid content of the type
    /// `application/x-www-form-urlencoded`, because form decoders accept `%20` for a space.
    public var encoded: String {
        all.map { "\(PercentEncoding.component($0.name))=\(PercentEncoding.component($0.value))" }
            .joined(separator: "&")
    }
}
