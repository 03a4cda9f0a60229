/// A file in the format TZif (RFC 9636), which describes a time zone.
struct TimeZoneFile {
    /// The offset from UTC before the first change, in seconds.
    let firstOffset: Int32
    /// The times at which the offset changes, in seconds since 1970-01-01, and the offsets after the changes.
    let changes: [(time: Int64, offset: Int32)]
    /// The rule for all times after the last change; nil if the file has none.
    let rule: TimeZoneRule?

    /// Parses a file.
    /// - Returns: nil for other bytes, and for a file with leap seconds.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(rest: bytes[...])
        guard var header = Header(&reader) else { return nil }
        // After the block with times of 32 bits, newer versions have a block with times of 64 bits.
        var timeSize = 4
        if header.version != 0 {
            guard reader.skip(header.size(timeSize: 4)), let second = Header(&reader) else { return nil }
            header = second
            timeSize = 8
        }
        guard header.leapCount == 0, header.typeCount > 0 else { return nil }
        var times: [Int64] = []
        for _ in 0..<header.timeCount {
            guard let time = reader.integer(timeSize) else { return nil }
            times.append(time)
        }
        guard let indices = reader.take(header.timeCount) else { return nil }
        var offsets: [Int32] = []
        for _ in 0..<header.typeCount {
            guard let offset = reader.integer(4), abs(offset) < 100_000, reader.skip(2) else { return nil }
            offsets.append(Int32(offset))
        }
        guard indices.allSatisfy({ Int($0) < offsets.count }), zip(times, times.dropFirst()).allSatisfy(<) else {
            return nil
        }
        firstOffset = offsets[0]
        changes = zip(times, indices).map { ($0, offsets[Int($1)]) }
        guard timeSize == 8 else {
            rule = nil
            return
        }
        // The footer is a rule between two line feeds.
        guard reader.skip(header.charCount + header.standardCount + header.utcCount),
            let footer = reader.take(reader.count), footer.count >= 2, footer.first == 0x0A,
            let end = footer.dropFirst().firstIndex(of: 0x0A)
        else { return nil }
        let text = footer[(footer.startIndex + 1)..<end]
        if text.isEmpty {
            rule = nil
        } else {
            guard let parsed = TimeZoneRule(String(decoding: text, as: UTF8.self)) else { return nil }
            rule = parsed
        }
    }

    private struct Header {
        let version: UInt8
        let utcCount: Int
        let standardCount: Int
        let leapCount: Int
        let timeCount: Int
        let typeCount: Int
        let charCount: Int

        init?(_ reader: inout Reader) {
            guard let magic = reader.take(4), magic.elementsEqual("TZif".utf8), let version = reader.take(1)?.first,
                reader.skip(15)
            else { return nil }
            var counts: [Int] = []
            for _ in 0..<6 {
                // No file has that many elements.
                guard let count = reader.integer(4), (0...100_000).contains(count) else { return nil }
                counts.append(Int(count))
            }
            self.version = version
            (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
            (timeCount, typeCount, charCount) = (counts[3], counts[4], counts[5])
        }

        /// Returns the number of bytes of the data block after the header.
        func size(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + charCount + leapCount * (timeSize + 4) + standardCount
                + utcCount
        }
    }

    /// Reads integers in network byte order.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        var count: Int { rest.count }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        /// Reads a signed integer of 4 or 8 bytes.
        mutating func integer(_ size: Int) -> Int64? {
            guard let part = take(size) else { return nil }
            let value = part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }
    }
}
