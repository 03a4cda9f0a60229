/// The offsets of a time zone from UTC at all times, with whole seconds.
///
/// The list of changes ends with the year 2128, because the rules of a time zone never end. The calendar of each later
/// year equals that of a year from 2101 to 2128: in these 28 years, each combination of a leap year and a first weekday
/// occurs. So a later time has the offset of the same time in the *equivalent year*.
package struct UTCOffsets: Sendable, Hashable {
    /// The times at which the offset changes, in seconds since 1970-01-01, in ascending order.
    package let changes: [Int64]
    /// The offsets in seconds. An element is the offset before the change with the same index. The last element is the
    /// offset after the last change.
    package let offsets: [Int32]

    /// The first year that is not in the list of changes.
    package static let endYear = 2_129

    /// The first moment that is not in the list of changes.
    private static let end = start(ofYear: endYear)

    /// Creates the list.
    /// - Parameters:
    ///   - first: The offset before the first change.
    ///   - changes: The changes in ascending order. A change before the year 2 is omitted: its offset is that of all
    ///     earlier times, too. A change that does not change the offset, and a change after the year 2128, is omitted.
    package init(first: Int32, changes: [(time: Int64, offset: Int32)]) {
        var times: [Int64] = []
        var offsets = [first]
        for (time, offset) in changes where time < Self.end {
            guard time >= Self.start(ofYear: 2) else {
                offsets = [offset]
                continue
            }
            // Of two changes at the same time, the last one is valid.
            if times.last == time {
                times.removeLast()
                offsets.removeLast()
            }
            if offset != offsets.last {
                times.append(time)
                offsets.append(offset)
            }
        }
        (self.changes, self.offsets) = (times, offsets)
    }

    /// The first moment of a year in UTC, in seconds since 1970-01-01.
    package static func start(ofYear year: Int) -> Int64 {
        Int64(CalendarDate.days(year: year, month: 1, day: 1)) * 86_400
    }

    /// The first moments of the equivalent years, in seconds since 1970-01-01. The index is the number of days from a
    /// Monday to the first day of the year, plus 7 for a leap year.
    package static let equivalentYears: [Int64] = (0..<14).map { kind in
        let years = endYear - 28..<endYear
        return years.first { UTCOffsets.kind(ofYear: $0) == kind }.map(start(ofYear:)) ?? 0
    }

    private static func kind(ofYear year: Int) -> Int {
        let first = Int(CalendarDate.days(year: year, month: 1, day: 1))
        return ((first + 3) % 7 + 7) % 7 + (CalendarDate.daysInMonth(year: year, month: 2) == 29 ? 7 : 0)
    }

    /// Returns the time in the equivalent year for a time after the list of changes, and any other time unchanged.
    private static func equivalent(_ time: Int64) -> Int64 {
        guard time >= end else { return time }
        let year = CalendarDate(daysSinceEpoch: Int32(time / 86_400)).components.year
        return equivalentYears[kind(ofYear: year)] + time - start(ofYear: year)
    }

    /// Returns the offset at a time, in seconds.
    /// - Parameter time: The time in seconds since 1970-01-01.
    package func offset(at time: Int64) -> Int64 {
        bytes.withUnsafeBytes { Self.offset(at: time, in: $0) }
    }

    /// True if the offset is always zero, as in UTC.
    package var isZero: Bool { offsets == [0] }

    /// The offset before the year 2.
    package var first: Int64 { Int64(offsets[0]) }
    /// The offset in the last days of the year 9999.
    package var last: Int64 { offset(at: Self.start(ofYear: 10_000) - 86_400) }

    // MARK: Bytes

    /// The changes and then the offsets, in the byte order of this machine. It is the argument of the SQL function
    /// `duet_date_part`.
    package var bytes: [UInt8] {
        changes.withUnsafeBytes { Array($0) } + offsets.withUnsafeBytes { Array($0) }
    }

    /// Returns the offset at a time.
    /// - Parameter bytes: The ``bytes`` of a list. For other bytes, the result is 0.
    static func offset(at time: Int64, in bytes: UnsafeRawBufferPointer) -> Int64 {
        let count = (bytes.count - 4) / 12
        guard bytes.count >= 4, bytes.count == count * 12 + 4 else { return 0 }
        let time = equivalent(time)
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if bytes.loadUnaligned(fromByteOffset: middle * 8, as: Int64.self) <= time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return Int64(bytes.loadUnaligned(fromByteOffset: count * 8 + low * 4, as: Int32.self))
    }
}
