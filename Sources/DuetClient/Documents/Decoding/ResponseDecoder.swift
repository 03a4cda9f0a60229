import DuetJSON
import Foundation

/// Decodes `Decodable` types directly from a response or from cached records. No JSON text is created.
struct ResponseDecoder: Decoder {
    let node: ResponseNode
    let dates: DateCoding
    let path: DecodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let object: ResponseObject?
        do throws(ModelError) { object = try node.object() } catch { throw failure(error) }
        guard let object else { throw mismatch("an object") }
        return KeyedDecodingContainer(ResponseKeyedContainer(object, self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = node.elements else { throw mismatch("a list") }
        return ResponseUnkeyedContainer(elements, self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ResponseValueContainer(decoder: self) }

    /// Returns a decoder of a nested value.
    func below(_ node: ResponseNode, _ key: any CodingKey) -> ResponseDecoder {
        ResponseDecoder(node: node, dates: dates, path: .key(key, below: path))
    }

    /// Decodes the value. This method handles the types whose usual JSON representation differs from their `Decodable`
    /// implementation, such as `Date` and `URL`.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Any?
        switch type {
        case is Date.Type: value = dates.decode(node.json)
        case is URL.Type: value = node.string.flatMap { URL(string: $0) }
        case is Foundation.Data.Type: value = node.string.flatMap { Foundation.Data(base64Encoded: $0) }
        case is Decimal.Type: value = decimal
        default: return try Value(from: self)
        }
        guard let value = value as? Value else { throw mismatch("\(type)") }
        return value
    }

    private var decimal: Decimal? {
        node.integer.map { Decimal($0) } ?? node.double.flatMap { Decimal(string: $0.description) }
            ?? node.string.flatMap { Decimal(string: $0) }
    }

    func string() throws -> String {
        guard let string = node.string else { throw mismatch("String") }
        return string
    }

    func bool() throws -> Bool {
        guard let bool = node.bool else { throw mismatch("Bool") }
        return bool
    }

    func floatingPoint<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
        guard let double = node.double else { throw mismatch("\(type)") }
        return Number(double)
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard let integer = node.integer, let number = Number(exactly: integer) else { throw mismatch("\(type)") }
        return number
    }

    /// Returns the error for a value of an unexpected type.
    func mismatch(_ expected: String) -> DecodingError {
        if node.isNull {
            return failure(
                ModelError(
                    .unexpectedNull, "The value is null, but the model reads \(expected). Make the property optional."))
        }
        return failure(
            ModelError(.typeMismatch, "The value is \(node.json.typeName), but the model reads \(expected)."))
    }

    func failure(_ error: ModelError) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: error.message, underlyingError: error)
        return switch error.code {
        case .unexpectedNull: .valueNotFound(Any.self, context)
        case .missing, .unmapped:
            .keyNotFound(codingPath.last ?? IndexKey(0), context)
        default: .typeMismatch(Any.self, context)
        }
    }
}
