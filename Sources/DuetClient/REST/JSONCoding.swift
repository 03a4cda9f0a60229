public import Foundation

extension JSONEncoder {
    /// An encoder that encodes a `Date` as whole milliseconds since 1970-01-01T00:00:00Z and sorts members by name.
    public static var epochMilliseconds: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.epochMilliseconds)
        }
        return encoder
    }
}

extension JSONDecoder {
    /// A decoder that decodes a `Date` from the milliseconds since 1970-01-01T00:00:00Z.
    public static var epochMilliseconds: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return decoder
    }
}
