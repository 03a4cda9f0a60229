import DuetJSON

/// Encodes records as bytes.
///
/// A key list is the array of a record's keys. Because many records have the same keys, each key list is stored once,
/// under a number. The encoding of a record consists of the number of its key list, the receipts, and the values. A
/// whole number is encoded in groups of seven bits, the lowest group first.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    init(_ record: Record, keyList: Int64) {
        bytes.reserveCapacity(record.cost)
        number(UInt64(keyList))
        switch record.receipts {
        case .one(let receipt):
            bytes.append(1)
            add(receipt)
        case .each(let receipts):
            bytes.append(0)
            for receipt in receipts { add(receipt) }
        }
        for value in record.values { add(value) }
    }

    /// Returns the encoding of a list of keys.
    static func keyList(_ keys: [FieldKey]) -> [UInt8] {
        var writer = RecordWriter()
        for key in keys { writer.text(key.description) }
        return writer.bytes
    }

    private init() {}

    private mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            number(UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    private mutating func add(_ receipt: Receipt) {
        number(UInt64(bitPattern: receipt.received))
        // 0 means that the receipt has no maximum age.
        number(receipt.maximumAge.map { UInt64(max(0, $0)) + 1 } ?? 0)
    }

    private mutating func add(_ value: FieldValue) {
        switch value {
        case .null: bytes.append(0)
        case .bool(let bool): bytes.append(bool ? 2 : 1)
        case .integer(let integer):
            bytes.append(3)
            number(UInt64(bitPattern: integer << 1 ^ integer >> 63))
        case .double(let double):
            bytes.append(4)
            withUnsafeBytes(of: double.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .string(let string):
            bytes.append(5)
            text(string)
        case .json(let json):
            bytes.append(6)
            var text = ""
            CanonicalJSON.append(json, to: &text)
            self.text(text)
        case .reference(let key):
            bytes.append(7)
            text(key.description)
        case .list(let elements):
            bytes.append(8)
            number(UInt64(elements.count))
            for element in elements { add(element) }
        }
    }
}

/// Decodes the output of ``RecordWriter``. Every read is checked, because the file may be damaged.
struct RecordBytes {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    static let damaged = CacheError(
        .corrupt,
        "A record of the cache is damaged. Clear the cache, or remove its file with SQLiteNormalizedCache.remove(at:).")

    /// - Parameter keys: Returns the key list with the given number.
    mutating func record(_ keys: (Int64) throws(CacheError) -> [FieldKey]) throws(CacheError) -> Record {
        let keys = try keys(try keyListNumber())
        let receipts: Record.Receipts
        if try byte() == 1 {
            receipts = .one(try receipt())
        } else {
            var each: [Receipt] = []
            for _ in keys { each.append(try receipt()) }
            receipts = .each(each)
        }
        var values: [FieldValue] = []
        values.reserveCapacity(keys.count)
        for _ in keys { values.append(try value(depth: 0)) }
        guard position == bytes.count else { throw Self.damaged }
        return Record(keys: keys, values: values, receipts: receipts)
    }

    /// Reads the number of the key list. It is the first value in the encoding of a record.
    mutating func keyListNumber() throws(CacheError) -> Int64 { Int64(truncatingIfNeeded: try number()) }

    mutating func keyList() throws(CacheError) -> [FieldKey] {
        var keys: [FieldKey] = []
        while position < bytes.count { keys.append(FieldKey(try text())) }
        return keys
    }

    private mutating func byte() throws(CacheError) -> UInt8 {
        guard position < bytes.count else { throw Self.damaged }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func number() throws(CacheError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 64 else { throw Self.damaged }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    private mutating func text() throws(CacheError) -> String {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw Self.damaged }
        let range = position..<position + Int(count)
        position = range.upperBound
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    private mutating func receipt() throws(CacheError) -> Receipt {
        let received = Int64(bitPattern: try number())
        let maximumAge = try number()
        return Receipt(
            received: received, maximumAge: maximumAge == 0 ? nil : Int64(clamping: maximumAge - 1))
    }

    /// The maximum nesting depth of lists. It prevents a stack overflow if the file is damaged.
    private static let maximumDepth = 64

    private mutating func value(depth: Int) throws(CacheError) -> FieldValue {
        guard depth < Self.maximumDepth else { throw Self.damaged }
        switch try byte() {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3:
            let number = try number()
            return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
        case 4:
            var pattern: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) { pattern |= UInt64(try byte()) << shift }
            return .double(Double(bitPattern: pattern))
        case 5: return .string(try text())
        case 6:
            guard let json = try? JSONValue(parsing: try text().utf8, maximumDepth: 256) else { throw Self.damaged }
            return .json(json)
        case 7: return .reference(CacheKey(try text()))
        case 8:
            let count = try number()
            // Each element has at least one byte. A count that exceeds the number of remaining bytes is therefore
            // invalid. Without this check, a damaged file could cause a huge memory allocation.
            guard count <= UInt64(bytes.count - position) else { throw Self.damaged }
            var elements: [FieldValue] = []
            elements.reserveCapacity(Int(count))
            for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
            return .list(elements)
        default: throw Self.damaged
        }
    }
}
