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
