import HTTPTypes

/// The preferences of a write (`Prefer`, RFC 7240). A server may ignore them; ``WebServiceResponse/appliedPreferences``
/// contains those that it has applied.
public struct WritePreferences: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The response has no content (`return=minimal`).
    public static let minimalResponse = WritePreferences(rawValue: 1)
    /// The server performs the write with all checks, but stores nothing (`tx=rollback`, as in PostgREST and Duet).
    /// Such a write has no idempotency key.
    public static let rollback = WritePreferences(rawValue: 2)

    private static let texts: [(preference: WritePreferences, text: String)] = [
        (.minimalResponse, "return=minimal"), (.rollback, "tx=rollback"),
    ]

    /// The value of the field `Prefer`; `nil` if there are no preferences.
    var fieldValue: String? {
        isEmpty ? nil : Self.texts.filter { contains($0.preference) }.map(\.text).joined(separator: ", ")
    }

    /// Reads the field `Preference-Applied`.
    init(applied fields: HTTPFields) {
        let names = fields[values: .preferenceApplied].joined(separator: ",").lowercased()
            .split(separator: ",").map { $0.filter { !" \t\"".contains($0) } }
        self = WritePreferences(Self.texts.filter { names.contains($0.text) }.map(\.preference))
    }
}

extension WebServiceResponse {
    /// The preferences of the write that the server has applied.
    public var appliedPreferences: WritePreferences { WritePreferences(applied: head.headerFields) }

    /// True if the server reports that an earlier request with the same ``IdempotencyKey`` has performed the write
    /// (`Idempotency-Replayed`).
    public var isReplayed: Bool { head.headerFields[.idempotencyReplayed]?.lowercased() == "true" }
}
