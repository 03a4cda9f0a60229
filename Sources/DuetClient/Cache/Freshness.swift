/// How long cached fields are fresh.
///
/// The first of these that says something counts: the field's own time, its type's time, the `Cache-Control` field of the response. A
/// field about which none says anything is always fresh.
public struct TimeToLive: Sendable {
    /// By type and field, as in `Employee.salaries`; the root types are `Query` and `Mutation`.
    public var fields: [String: Duration]
    /// By type.
    public var types: [String: Duration]
    /// True to take `max-age` and `no-store` of responses into account.
    public var usesCacheControl: Bool

    /// These times.
    public init(fields: [String: Duration] = [:], types: [String: Duration] = [:], usesCacheControl: Bool = true) {
        self.fields = fields
        self.types = types
        self.usesCacheControl = usesCacheControl
    }
}

/// Decides at one moment if fields are fresh.
struct Freshness {
    private let times: TimeToLive
    private let now: Int64

    /// - Parameter now: Milliseconds since 1970.
    init(_ times: TimeToLive, now: Int64) {
        self.times = times
        self.now = now
    }

    /// True if the answer depends on types and fields.
    var needsType: Bool { !times.types.isEmpty || !times.fields.isEmpty }

    func isFresh(_ receipt: Receipt, type: String?, field: String) -> Bool {
        guard let limit = limit(receipt, type: type, field: field) else { return true }
        return now - receipt.received < limit
    }

    private func limit(_ receipt: Receipt, type: String?, field: String) -> Int64? {
        if needsType, let type {
            if let time = times.fields["\(type).\(field)"] { return time.milliseconds }
            if let time = times.types[type] { return time.milliseconds }
        }
        return times.usesCacheControl ? receipt.maximumAge : nil
    }
}

extension Duration {
    /// In milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
