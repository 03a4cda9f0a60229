public import DuetJSON
public import DuetSQLDatabase
public import Foundation
import Synchronization

/// The format of dates in a response: `YYYY-MM-DD`, or the epoch milliseconds of local midnight (the format of the Java
/// library HTTP-RPC).
public struct DateEncoding: Sendable {
    /// The table of the time zone's midnights; nil for ``iso``.
    private let midnights: MidnightTable?
    /// The memory of the table, owned by `midnights`. Access to it needs no reference counting.
    private let digits: DigitBlocks?

    private init(_ midnights: MidnightTable?) {
        self.midnights = midnights
        digits = midnights?.digits
    }

    /// Dates as JSON strings: `"1995-12-01"`.
    public static let iso = DateEncoding(nil)

    /// Returns an encoding of dates as JSON numbers: the epoch milliseconds of the first moment of the day in a time
    /// zone, such as `817794000000` for 1995-12-01 in New York.
    public static func epochMilliseconds(in zone: TimeZone) -> DateEncoding {
        DateEncoding(MidnightTable(zone))
    }

    /// The maximum number of bytes of a date.
    static let longest = 24

    /// Writes a date.
    /// - Parameter target: Memory for ``longest`` bytes.
    /// - Returns: The number of written bytes.
    @inline(__always)
    func write(_ date: CalendarDate, quoted: Bool, to target: UnsafeMutableRawPointer) -> Int {
        guard let digits else { return Self.writeISO(date, quoted: quoted, to: target) }
        return digits.write(date, to: target) ?? writeRare(date, to: target)
    }

    /// Writes a day that is not in the table. The function adds a block of days with this day to the table. For a day
    /// outside the range of all blocks, it computes the number at each call.
    private func writeRare(_ date: CalendarDate, to target: UnsafeMutableRawPointer) -> Int {
        guard let midnights else { return 0 }
        midnights.publishBlock(of: date)
        return digits?.write(date, to: target) ?? JSONBytes.write(midnights.milliseconds(date), to: target)
    }

    private static func writeISO(_ date: CalendarDate, quoted: Bool, to target: UnsafeMutableRawPointer) -> Int {
        var output = target
        if quoted {
            output.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            output += 1
        }
        output += date.writeISO(to: output)
        if quoted {
            output.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            output += 1
        }
        return output - target
    }

    /// Returns the JSON value of a date.
    public func json(_ date: CalendarDate) -> JSONValue {
        midnights.map { .integer($0.milliseconds(date)) } ?? .string(date.description)
    }

    /// Returns the date for epoch milliseconds.
    /// - Returns: `nil` if the number is not the first moment of a day in the time zone, or if this encoding is
    ///   ``iso``.
    public func date(epochMilliseconds milliseconds: Int64) -> CalendarDate? {
        midnights?.date(at: milliseconds)
    }

    /// Returns the date at a moment in the encoding's time zone (UTC for ``iso``).
    public func date(of moment: Date) -> CalendarDate {
        midnights?.date(of: moment)
            ?? CalendarDate(daysSinceEpoch: Int32((moment.timeIntervalSince1970 / 86_400).rounded(.down)))
    }
}

/// The first moment of each day in a time zone. A conversion by Foundation takes about a microsecond, which is too slow
/// for each row. Therefore the results are cached in blocks of days, which are created when they are first needed.
private final class MidnightTable: Sendable {
    private let zone: TimeZone
    let digits = DigitBlocks()

    init(_ zone: TimeZone) {
        self.zone = zone
    }

    deinit {
        digits.deallocate()
    }

    func publishBlock(of date: CalendarDate) {
        digits.publish(date) { firstMoment(of: $0) }
    }

    func milliseconds(_ date: CalendarDate) -> Int64 {
        firstMoment(of: Int(date.daysSinceEpoch))
    }

    func date(at milliseconds: Int64) -> CalendarDate? {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest == 0, abs(seconds) < 400_000_000_000 else { return nil }
        let date = date(of: Date(timeIntervalSince1970: Double(seconds)))
        return self.milliseconds(date) == milliseconds ? date : nil
    }

    func date(of moment: Date) -> CalendarDate {
        let local = moment.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: moment))
        return CalendarDate(daysSinceEpoch: Int32(clamping: Int((local / 86_400).rounded(.down))))
    }

    /// Returns the first moment of the day in epoch milliseconds. This is midnight. If a change of the clocks repeats
    /// midnight, it is the first midnight; if a change skips midnight, it is the end of the gap.
    private func firstMoment(of day: Int) -> Int64 {
        let midnight = Double(day) * 86_400
        func offset(_ seconds: Double) -> Double {
            Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        }
        // The UTC offset of a zone is less than a day, so one of these moments precedes any change of the offset near
        // midnight, and the other moment follows it.
        let before = offset(midnight - 86_400)
        let after = offset(midnight + 86_400)
        let candidates = [midnight - before, midnight - after].sorted()
        for candidate in candidates where candidate + offset(candidate) == midnight { return Int64(candidate) * 1000 }
        // Midnight does not exist on this day. A binary search finds the moment at which the offset changes.
        var low = candidates[0] - 86_400
        var high = candidates[1] + 86_400
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if middle + offset(middle) < midnight { low = middle } else { high = middle }
        }
        return Int64(high) * 1000
    }
}

/// The decimal digits of the epoch milliseconds of each day from 0000-01-01 to at least 9999-12-31, in blocks of 512
/// days. A block is created once, never changes, and is read without a lock.
private struct DigitBlocks: @unchecked Sendable {
    /// The digits, padded with zero bytes. The last byte is the number of digits, at most 15.
    private typealias Entry = SIMD16<UInt8>

    private let blocks: UnsafeMutablePointer<Atomic<UInt>>

    private static let firstDay = -719_528
    private static let blockBits = 9
    private static let blockCount = 3_652_425 >> blockBits + 2

    init() {
        blocks = .allocate(capacity: Self.blockCount)
        for index in 0..<Self.blockCount { (blocks + index).initialize(to: Atomic(0)) }
    }

    func deallocate() {
        for index in 0..<Self.blockCount { Self.entries(blocks[index].load(ordering: .acquiring))?.deallocate() }
        blocks.deinitialize(count: Self.blockCount)
        blocks.deallocate()
    }

    @inline(__always)
    private static func entries(_ address: UInt) -> UnsafeMutablePointer<Entry>? {
        UnsafeMutablePointer(bitPattern: address)
    }

    /// - Parameter target: Memory for 16 bytes.
    /// - Returns: The number of written bytes; `nil` if the day's block does not exist.
    @inline(__always)
    func write(_ date: CalendarDate, to target: UnsafeMutableRawPointer) -> Int? {
        let index = Int(date.daysSinceEpoch) &- Self.firstDay
        let block = index >> Self.blockBits
        guard block >= 0, block < Self.blockCount, let entries = Self.entries(blocks[block].load(ordering: .acquiring))
        else { return nil }
        let entry = entries[index & (1 << Self.blockBits - 1)]
        target.storeBytes(of: entry, as: Entry.self)
        return Int(entry[15])
    }

    func publish(_ date: CalendarDate, _ milliseconds: (_ day: Int) -> Int64) {
        let block = (Int(date.daysSinceEpoch) - Self.firstDay) >> Self.blockBits
        guard block >= 0, block < Self.blockCount, blocks[block].load(ordering: .acquiring) == 0 else { return }
        let count = 1 << Self.blockBits
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
        for offset in 0..<count {
            var entry = Entry(repeating: 0)
            let number = milliseconds(block << Self.blockBits + Self.firstDay + offset)
            entry[15] = withUnsafeMutableBytes(of: &entry) { bytes in
                bytes.baseAddress.map { UInt8(JSONBytes.write(number, to: $0)) } ?? 0
            }
            (entries + offset).initialize(to: entry)
        }
        let (exchanged, _) = blocks[block].compareExchange(
            expected: 0, desired: UInt(bitPattern: entries), ordering: .acquiringAndReleasing)
        // Another thread has already created the block, with the same digits.
        if !exchanged { entries.deallocate() }
    }
}
