/// The durations for which cached fields are fresh.
///
/// A field of an object can have three durations: the duration of this field in ``fields``, the duration of the
/// object's type in ``types``, and the duration in the `Cache-Control` header field of the response. The first duration
/// that exists applies. A field without a duration is always fresh.
public struct TimeToLive: Sendable {
    /// The durations by type and field, such as `Employee.salaries`. The root types are `Query` and `Mutation`.
    public var fields: [String: Duration]
    /// The durations by type. The duration of a type applies to the fields of the objects of this type.
    public var types: [String: Duration]
    /// True if `max-age` and `no-cache` in the `Cache-Control` field of a response limit the freshness of its fields.
    /// If the response to a query has the directive `no-store`, it is not stored, regardless of this property.
    public var usesCacheControl: Bool

    /// Creates the durations.
    public init(fields: [String: Duration] = [:], types: [String: Duration] = [:], usesCacheControl: Bool = true) {
        self.fields = fields
        self.types = types
        self.usesCacheControl = usesCacheControl
    }
}

/// Determines whether fields are fresh at a point in time.
struct Freshness {
    private let times: TimeToLive
    private let now: Int64

    /// - Parameter now: The time in milliseconds since 1970.
    init(_ times: TimeToLive, now: Int64) {
        self.times = times
        self.now = now
    }

    /// True if the policies define durations by type or by field. ``isFresh(_:type:field:)`` then needs the type of the
    /// object.
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
    /// The duration in milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
