import DuetResourceService

/// The names of types in descriptions.
enum FieldTypeName: String, CaseIterable {
    case int, integer, bigInteger, unsignedBigInteger, number, decimal, boolean, text, key, date, dateTime, timestamp,
        time,
        binary, json, uuid, any
    case enumeration = "enum"
}

extension FieldType {
    /// The name of the type in descriptions, without its parameters.
    var typeName: FieldTypeName {
        switch self {
        case .integer(let range):
            Self.wholeNumbers.contains(range.lowerBound) && Self.wholeNumbers.contains(range.upperBound)
                ? .int : .integer
        case .bigInteger(let isUnsigned, _): isUnsigned ? .unsignedBigInteger : .bigInteger
        case .number: .number
        case .decimal: .decimal
        case .boolean: .boolean
        case .text: .text
        case .identifier: .key
        case .date: .date
        case .dateTime(let isUTC, _): isUTC ? .timestamp : .dateTime
        case .time: .time
        case .binary: .binary
        case .json: .json
        case .uuid: .uuid
        case .any: .any
        case .choice: .enumeration
        }
    }

    /// The type with an article, for a sentence: `an int`.
    var noun: String {
        let name = typeName.rawValue
        return
            "\("aeiou".contains(name.prefix(1)) && typeName != .unsignedBigInteger && typeName != .uuid ? "an" : "a") \(name)"
    }
}
