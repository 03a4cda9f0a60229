public import Foundation

/// A value that can be an argument of a request: a query parameter, a field of a form, or a segment of a path.
///
/// Enumerations with a raw value conform without code: `extension Gender: ArgumentConvertible {}`.
public protocol ArgumentConvertible: Sendable {
    /// The texts of the value, not yet percent-encoded: one for a single value, one for each element of an array, none for an
    /// absent value.
    var argumentTexts: [String] { get }
}

extension ArgumentConvertible where Self: CustomStringConvertible {
    /// The description.
    public var argumentTexts: [String] { [description] }
}

extension ArgumentConvertible where Self: RawRepresentable, RawValue: ArgumentConvertible {
    /// The texts of the raw value.
    public var argumentTexts: [String] { rawValue.argumentTexts }
}

extension String: ArgumentConvertible {}
extension Substring: ArgumentConvertible {}
extension Bool: ArgumentConvertible {}
extension Int: ArgumentConvertible {}
extension Int8: ArgumentConvertible {}
extension Int16: ArgumentConvertible {}
extension Int32: ArgumentConvertible {}
extension Int64: ArgumentConvertible {}
extension UInt: ArgumentConvertible {}
extension UInt8: ArgumentConvertible {}
extension UInt16: ArgumentConvertible {}
extension UInt32: ArgumentConvertible {}
extension UInt64: ArgumentConvertible {}
extension Float: ArgumentConvertible {}
extension Double: ArgumentConvertible {}
extension Decimal: ArgumentConvertible {}

extension UUID: ArgumentConvertible {
    /// The text in capitals, as Foundation prints it.
    public var argumentTexts: [String] { [uuidString] }
}

extension URL: ArgumentConvertible {
    /// The whole address.
    public var argumentTexts: [String] { [absoluteString] }
}

extension Date: ArgumentConvertible {
    /// The milliseconds since 1970-01-01T00:00:00Z.
    public var argumentTexts: [String] { [String(epochMilliseconds)] }
}

extension Optional: ArgumentConvertible where Wrapped: ArgumentConvertible {
    /// The texts of the value, if there is one.
    public var argumentTexts: [String] { self?.argumentTexts ?? [] }
}

extension Array: ArgumentConvertible where Element: ArgumentConvertible {
    /// The texts of all elements, in their order.
    public var argumentTexts: [String] { flatMap(\.argumentTexts) }
}
