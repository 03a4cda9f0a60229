public import Foundation

/// A value that can be an argument of a request: a query parameter, a form field, or a path segment.
///
/// An enumeration with a raw value only needs to declare the conformance: `extension Gender: WebServiceArgument {}`.
public protocol WebServiceArgument: Sendable {
    /// The texts of the value, not percent-encoded. A single value has one text, an array has the texts of its
    /// elements, and `nil` has no text.
    var argumentTexts: [String] { get }
}

extension WebServiceArgument where Self: CustomStringConvertible {
    /// The description.
    public var argumentTexts: [String] { [description] }
}

extension WebServiceArgument where Self: RawRepresentable, RawValue: WebServiceArgument {
    /// The texts of the raw value.
    public var argumentTexts: [String] { rawValue.argumentTexts }
}

extension String: WebServiceArgument {}
extension Substring: WebServiceArgument {}
extension Bool: WebServiceArgument {}
extension Int: WebServiceArgument {}
extension Int8: WebServiceArgument {}
extension Int16: WebServiceArgument {}
extension Int32: WebServiceArgument {}
extension Int64: WebServiceArgument {}
extension UInt: WebServiceArgument {}
extension UInt8: WebServiceArgument {}
extension UInt16: WebServiceArgument {}
extension UInt32: WebServiceArgument {}
extension UInt64: WebServiceArgument {}
extension Float: WebServiceArgument {}
extension Double: WebServiceArgument {}
extension Decimal: WebServiceArgument {}

extension UUID: WebServiceArgument {
    /// The text in uppercase, as printed by Foundation.
    public var argumentTexts: [String] { [uuidString] }
}

extension URL: WebServiceArgument {
    /// The complete address.
    public var argumentTexts: [String] { [absoluteString] }
}

extension Date: WebServiceArgument {
    /// The milliseconds since 1970-01-01T00:00:00Z.
    public var argumentTexts: [String] { [String(epochMilliseconds)] }
}

extension Optional: WebServiceArgument where Wrapped: WebServiceArgument {
    /// The texts of the wrapped value; empty for `nil`.
    public var argumentTexts: [String] { self?.argumentTexts ?? [] }
}

extension Array: WebServiceArgument where Element: WebServiceArgument {
    /// The texts of all elements, in order.
    public var argumentTexts: [String] { flatMap(\.argumentTexts) }
}

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
