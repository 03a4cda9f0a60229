public import Foundation

/// A value that can be an argument of a request: a query parameter, a field of a form, or a segment of a path.
///
/// Enumerations with a raw value conform without code: `extension Gender: WebServiceArgument {}`.
public protocol WebServiceArgument: Sendable {
    /// The texts of the value, not yet percent-encoded: one for a single value, one for each element of an array, none for an
    /// absent value.
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
    /// The text in capitals, as Foundation prints it.
    public var argumentTexts: [String] { [uuidString] }
}

extension URL: WebServiceArgument {
    /// The whole address.
    public var argumentTexts: [String] { [absoluteString] }
}

extension Date: WebServiceArgument {
    /// The milliseconds since 1970-01-01T00:00:00Z.
    public var argumentTexts: [String] { [String(epochMilliseconds)] }
}

extension Optional: WebServiceArgument where Wrapped: WebServiceArgument {
    /// The texts of the value, if there is one.
    public var argumentTexts: [String] { self?.argumentTexts ?? [] }
}

extension Array: WebServiceArgument where Element: WebServiceArgument {
    /// The texts of all elements, in their order.
    public var argumentTexts: [String] { flatMap(\.argumentTexts) }
}
