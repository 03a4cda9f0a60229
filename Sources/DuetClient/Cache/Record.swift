import Synchronization

/// The cached fields of one object. It never changes; a merge makes a new one.
public final class Record: Sendable {
    /// The names of the fields. Records of one selection share the storage.
    public let keys: [FieldKey]
    /// The values, in the order of ``keys``.
    public let values: [FieldValue]
    /// When the values were received: one for all of them, or one for each.
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

    /// The positions by name; only for records of many fields, which the root may be.
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

    /// A record of fields that were received together.
    /// - Parameters:
    ///   - fields: Names and values, no name twice.
    ///   - receipt: When they were received, and for how long they are fresh.
    public convenience init(_ fields: [(FieldKey, FieldValue)], receipt: Receipt) {
        self.init(keys: fields.map(\.0), values: fields.map(\.1), receipts: .one(receipt))
    }

    /// The position of a field.
    /// - Parameter hint: Where it probably is.
    func position(of key: FieldKey, hint: Int = 0) -> Int? {
        if hint < keys.count, keys[hint] == key { return hint }
        if let positions { return positions[key] }
        return keys.firstIndex(of: key)
    }

    /// The value of a field.
    public subscript(key: FieldKey) -> FieldValue? {
        position(of: key).map { values[$0] }
    }

    /// When the field was received.
    public func receipt(of key: FieldKey) -> Receipt? {
        position(of: key).map { receipts[$0] }
    }

    /// This record with the fields of another one, which win.
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

    /// This record without the fields that refer to a record that is gone.
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

    /// Approximate number of bytes in memory.
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

/// When fields were received from a server. All fields of one response share a receipt, so that the same response received again
/// makes all of them new at once.
public final class Receipt: Sendable {
    private let milliseconds: Atomic<Int64>
    /// How long the fields are fresh by the response's `Cache-Control` field, in milliseconds; `nil` if it says nothing.
    public let maximumAge: Int64?
    /// True for a mutation's answer and for a local write: these say nothing of how long a field is fresh.
    let inheritsMaximumAge: Bool

    /// - Parameters:
    ///   - received: Milliseconds since 1970.
    ///   - maximumAge: How long the fields are fresh, in milliseconds.
    public convenience init(received: Int64, maximumAge: Int64? = nil) {
        self.init(received: received, maximumAge: maximumAge, inheritsMaximumAge: false)
    }

    /// A receipt of values for fields that are as long fresh as they were before.
    static func inheriting(received: Int64) -> Receipt {
        Receipt(received: received, maximumAge: nil, inheritsMaximumAge: true)
    }

    private init(received: Int64, maximumAge: Int64?, inheritsMaximumAge: Bool) {
        milliseconds = Atomic(received)
        self.maximumAge = maximumAge
        self.inheritsMaximumAge = inheritsMaximumAge
    }

    /// Milliseconds since 1970.
    public var received: Int64 { milliseconds.load(ordering: .relaxed) }

    /// Sets the time at which the same fields were received again.
    func renew(at time: Int64) { milliseconds.store(time, ordering: .relaxed) }

    /// This receipt for a field that had another one.
    fileprivate func inheriting(from old: Receipt) -> Receipt {
        guard inheritsMaximumAge, let maximumAge = old.maximumAge else { return self }
        return Receipt(received: received, maximumAge: maximumAge)
    }
}
