public import Foundation
import JSON
public import SQLDatabase
import Synchronization

/// How a date is written: as in HTTP-RPC, epoch milliseconds of local midnight, or as `YYYY-MM-DD`.
public struct DateEncoding: Sendable {
    private enum Form {
        case iso
        case epochMilliseconds(MidnightTable)
    }

    private let form: Form

    /// `"1995-12-01"`, a JSON string.
    public static let iso = DateEncoding(form: .iso)

    /// `817794000000` for 1995-12-01 in New York, a JSON number: the first moment of the day in that zone.
    public static func epochMilliseconds(in zone: TimeZone) -> DateEncoding {
        DateEncoding(form: .epochMilliseconds(MidnightTable(zone)))
    }

    /// Most bytes a date takes.
    static let longest = 24

    /// - Returns: the number of bytes written, at most ``longest``.
    func write(_ date: CalendarDate, quoted: Bool, to target: UnsafeMutableRawPointer) -> Int {
        switch form {
        case .epochMilliseconds(let table):
            return JSONBytes.write(table.milliseconds(date), to: target)
        case .iso:
            var output = target
            func put(_ byte: UInt8) {
                output.storeBytes(of: byte, as: UInt8.self)
                output += 1
            }
            func put(_ number: Int, digits: Int) {
                var divisor = 1
                for _ in 1..<digits { divisor *= 10 }
                while divisor > 0 {
                    put(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                    divisor /= 10
                }
            }
            let (year, month, day) = date.components
            if quoted { put(UInt8(ascii: "\"")) }
            put(year, digits: 4)
            put(UInt8(ascii: "-"))
            put(month, digits: 2)
            put(UInt8(ascii: "-"))
            put(day, digits: 2)
            if quoted { put(UInt8(ascii: "\"")) }
            return output - target
        }
    }

    /// The date that is written as that number.
    /// - Returns: `nil` if the number is not the first moment of a day, or dates are written as text.
    public func date(epochMilliseconds milliseconds: Int64) -> CalendarDate? {
        guard case .epochMilliseconds(let table) = form else { return nil }
        return table.date(at: milliseconds)
    }

    /// The day it is now in the encoding's zone (UTC for ``iso``), as day-of-epoch.
    public func date(of moment: Date) -> CalendarDate {
        switch form {
        case .iso: CalendarDate(daysSinceEpoch: Int32((moment.timeIntervalSince1970 / 86_400).rounded(.down)))
        case .epochMilliseconds(let table): table.date(of: moment)
        }
    }
}

/// The first moment of each day in a zone. Asking Foundation costs about a microsecond, far too long for each row, so
/// the answers are kept, in blocks of days that are made when first needed and read without a lock.
private final class MidnightTable: Sendable {
    private let zone: TimeZone
    /// 512 days each, from 0000-01-01 to beyond 9999-12-31.
    private let published: UnsafeAtomicBlocks

    private static let firstDay = -719_528
    private static let blockBits = 9
    private static let blockCount = 3_652_425 >> blockBits + 2

    init(_ zone: TimeZone) {
        self.zone = zone
        published = UnsafeAtomicBlocks(count: Self.blockCount)
    }

    func milliseconds(_ date: CalendarDate) -> Int64 {
        let index = Int(date.daysSinceEpoch) - Self.firstDay
        let block = index >> Self.blockBits
        guard block >= 0, block < Self.blockCount else { return firstMoment(of: Int(date.daysSinceEpoch)) }
        let days = published[block] ?? publish(block)
        return days[index & (1 << Self.blockBits - 1)]
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

    private func publish(_ block: Int) -> UnsafePointer<Int64> {
        let first = block << Self.blockBits + Self.firstDay
        return published.publish(block, (first..<(first + 1 << Self.blockBits)).map(firstMoment))
    }

    /// Epoch milliseconds of the first moment of the day: midnight, or the end of the gap where a change of the clocks
    /// skips midnight, or the earlier of two midnights.
    private func firstMoment(of day: Int) -> Int64 {
        let midnight = Double(day) * 86_400
        func offset(_ seconds: Double) -> Double {
            Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        }
        // Offsets lie within a day of UTC, so these two moments are before and after any change near midnight.
        let before = offset(midnight - 86_400)
        let after = offset(midnight + 86_400)
        let candidates = [midnight - before, midnight - after].sorted()
        for candidate in candidates where candidate + offset(candidate) == midnight { return Int64(candidate) * 1000 }
        // Skipped: the clock jumps from before midnight to after it, at the moment where the offset changes.
        var low = candidates[0] - 86_400
        var high = candidates[1] + 86_400
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if middle + offset(middle) < midnight { low = middle } else { high = middle }
        }
        return Int64(high) * 1000
    }
}

/// Arrays that are made once and never change after; reading one is a load.
private final class UnsafeAtomicBlocks: @unchecked Sendable {
    private let pointers: UnsafeMutablePointer<Atomic<UInt>>
    private let count: Int

    init(count: Int) {
        self.count = count
        pointers = .allocate(capacity: count)
        for index in 0..<count { (pointers + index).initialize(to: Atomic(0)) }
    }

    deinit {
        for index in 0..<count {
            UnsafeMutablePointer<Int64>(bitPattern: pointers[index].load(ordering: .acquiring))?.deallocate()
        }
        pointers.deinitialize(count: count)
        pointers.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> UnsafePointer<Int64>? {
        UnsafePointer(bitPattern: pointers[index].load(ordering: .acquiring))
    }

    func publish(_ index: Int, _ values: [Int64]) -> UnsafePointer<Int64> {
        let memory = UnsafeMutablePointer<Int64>.allocate(capacity: values.count)
        memory.initialize(from: values, count: values.count)
        let (exchanged, original) = pointers[index].compareExchange(
            expected: 0, desired: UInt(bitPattern: memory), ordering: .acquiringAndReleasing)
        guard !exchanged, let other = UnsafePointer<Int64>(bitPattern: original) else { return UnsafePointer(memory) }
        // Another thread was first; its values are the same.
        memory.deallocate()
        return other
    }
}
