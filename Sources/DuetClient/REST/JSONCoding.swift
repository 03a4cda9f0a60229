public import Foundation

extension JSONEncoder {
    /// An encoder that writes a `Date` as the milliseconds since 1970-01-01T00:00:00Z, without a fraction, and members sorted by name.
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
    /// A decoder that reads a `Date` from the milliseconds since 1970-01-01T00:00:00Z.
    public static var epochMilliseconds: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return decoder
    }
}
