import Synchronization

/// The cached fields of an object. A record is immutable; a merge creates a new record.
public final class Record: Sendable {
    /// The keys of the fields. Records of the same selection share this array.
    public let keys: [FieldKey]
    /// The values, in the order of ``keys``.
    public let values: [FieldValue]
    /// The times at which the values were received: one receipt for all values, or one receipt for each value.
    let receipts: Receipts

    enum Receipts: Sendable {
        case one(Receipt)
        case each([Receipt])

        subscript(index: Int) -> Receipt {
            switch self {
            case .one(let receipt): receipt
            case .each(let receipts): receipts[index]
            }
        }
    }

    /// The positions by key. They exist only for a record with many fields, such as the root.
    private let positions: [FieldKey: Int]?

    private static let longestScan = 24

    init(keys: [FieldKey], values: [FieldValue], receipts: Receipts) {
        self.keys = keys
        self.values = values
        self.receipts = receipts
        positions =
            keys.count > Self.longestScan
            ? Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first }) : nil
    }

    /// Creates a record of fields that were received together.
    /// - Parameters:
    ///   - fields: The keys and values. The keys must be unique.
    ///   - receipt: The time at which the fields were received, and the time for which they are fresh.
    public convenience init(_ fields: [(FieldKey, FieldValue)], receipt: Receipt) {
        self.init(keys: fields.map(\.0), values: fields.map(\.1), receipts: .one(receipt))
    }

    /// Returns the position of a field.
    /// - Parameter hint: The expected position.
    func position(of key: FieldKey, hint: Int = 0) -> Int? {
        if hint < keys.count, keys[hint] == key { return hint }
        if let positions { return positions[key] }
        return keys.firstIndex(of: key)
    }

    /// The value of a field.
    public subscript(key: FieldKey) -> FieldValue? {
        position(of: key).map { values[$0] }
    }

    /// Returns the receipt of a field.
    public func receipt(of key: FieldKey) -> Receipt? {
        position(of: key).map { receipts[$0] }
    }

    /// Returns a record with the fields of both records. If both records have a field, the result has the value of
    /// `other`.
    func merging(_ other: Record) -> Record {
        if keys == other.keys, case .one(let receipt) = other.receipts, !receipt.inheritsMaximumAge { return other }
        var keys = self.keys
        var values = self.values
        var receipts = keys.indices.map { self.receipts[$0] }
        for (index, key) in other.keys.enumerated() {
            if let position = position(of: key, hint: index) {
                values[position] = other.values[index]
                receipts[position] = other.receipts[index].inheriting(from: receipts[position])
            } else {
                keys.append(key)
                values.append(other.values[index])
                receipts.append(other.receipts[index])
            }
        }
        return Record(keys: keys, values: values, receipts: .each(receipts))
    }

    /// Returns this record without the fields that refer to removed records.
    func withoutReferences(to isGone: (CacheKey) -> Bool) -> Record {
        let positions = keys.indices.filter { index in
            var isWhole = true
            values[index].forEachReference { if isWhole, isGone($0) { isWhole = false } }
            return isWhole
        }
        guard positions.count < keys.count else { return self }
        return Record(
            keys: positions.map { keys[$0] }, values: positions.map { values[$0] },
            receipts: .each(positions.map { receipts[$0] }))
    }

    /// The approximate size in memory, in bytes.
    var cost: Int {
        values.reduce(64 + keys.count * 40) { $0 + Self.cost($1) }
    }

    private static func cost(_ value: FieldValue) -> Int {
        switch value {
        case .string(let string): string.utf8.count
        case .list(let elements): elements.reduce(32) { $0 + 32 + cost($1) }
        case .reference(let key): key.byteCount
        case .json: 256
        default: 0
        }
    }
}

/// The time at which fields were received from a server. All fields of a response share one receipt. If an equal
/// response is received, the store renews this receipt. All fields then have the new time.
public final class Receipt: Sendable {
    private let milliseconds: Atomic<Int64>
    /// The time for which the fields are fresh according to the `Cache-Control` field of the response, in milliseconds;
    /// `nil` if the response does not specify it.
    public let maximumAge: Int64?
    /// True if the fields retain the maximum age of their previous values. This is the case for the response to a
    /// mutation and for a local write, which specify no maximum age.
    let inheritsMaximumAge: Bool

    /// Creates a receipt.
    /// - Parameters:
    ///   - received: The time in milliseconds since 1970.
    ///   - maximumAge: The time for which the fields are fresh, in milliseconds.
    public convenience init(received: Int64, maximumAge: Int64? = nil) {
        self.init(received: received, maximumAge: maximumAge, inheritsMaximumAge: false)
    }

    /// Creates a receipt for fields that retain the maximum age of their previous values.
    static func inheriting(received: Int64) -> Receipt {
        Receipt(received: received, maximumAge: nil, inheritsMaximumAge: true)
    }

    private init(received: Int64, maximumAge: Int64?, inheritsMaximumAge: Bool) {
        milliseconds = Atomic(received)
        self.maximumAge = maximumAge
        self.inheritsMaximumAge = inheritsMaximumAge
    }

    /// The time in milliseconds since 1970.
    public var received: Int64 { milliseconds.load(ordering: .relaxed) }

    /// Sets the time of receipt to the time at which an equal response was received.
    func renew(at time: Int64) { milliseconds.store(time, ordering: .relaxed) }

    /// Returns this receipt with the maximum age of an older receipt, if this receipt inherits the maximum age.
    fileprivate func inheriting(from old: Receipt) -> Receipt {
        guard inheritsMaximumAge, let maximumAge = old.maximumAge else { return self }
        return Receipt(received: received, maximumAge: maximumAge)
    }
}
