/// The format of the dates in a column of SQLite, for the SQL function `duet_date_part`.
package enum StoredDateForm: Sendable, Hashable {
    /// The text `2024-01-31`.
    case date
    /// A date with a time, and a `Z` at the end if `isUTC`. In a column that is declared as `DATE`, it can also be a
    /// date without a time.
    case text(separator: UInt8, isUTC: Bool)
    /// A text with an offset from UTC; see ``UTCInstant``.
    case offset
    /// The number of days since noon on 24 November 4714 BC.
    case julianDays
    /// A number of units since an epoch.
    case number(UTCInstant.Unit)

    /// The form as an argument of the function.
    package var code: Int64 {
        switch self {
        case .date: 0
        case .text(let separator, let isUTC): 1 | Int64(separator) << 8 | (isUTC ? 1 : 0) << 16
        case .offset: 2
        case .julianDays: 3
        case .number(let unit): 4 | Int64(unit.digits) << 8 | unit.epoch << 16
        }
    }

    /// Creates the form for a ``code``.
    init?(code: Int64) {
        switch code & 0xFF {
        case 0: self = .date
        case 1: self = .text(separator: UInt8(truncatingIfNeeded: code >> 8), isUTC: code >> 16 == 1)
        case 2: self = .offset
        case 3: self = .julianDays
        case 4: self = .number(UTCInstant.Unit(epoch: code >> 16, digits: Int(code >> 8 & 0xFF)))
        default: return nil
        }
    }

    /// Returns the local time of a stored value.
    /// - Parameter offset: Returns the offset of the time zone at a number of seconds since 1970-01-01.
    /// - Returns: nil if the value does not have this form.
    func time(_ value: ColumnValue, offset: (Int64) -> Int64) -> CivilTime? {
        func local(_ instant: UTCInstant?) -> CivilTime? {
            instant.map { CivilTime(localSeconds: $0.seconds + offset($0.seconds)) }
        }
        switch (self, value) {
        case (.date, .text(let bytes)): return CalendarDate(isoBytes: bytes).map { CivilTime($0) }
        case (.text(let separator, let isUTC), .text(let bytes)):
            return CivilTime(bytes, separator: separator, isUTC: isUTC).map { time in
                CivilTime(localSeconds: time.seconds + offset(time.seconds))
            }
        case (.offset, .text(let bytes)): return local(UTCInstant(text: bytes))
        case (.julianDays, .integer(let integer)): return local(UTCInstant(julianDay: Double(integer)))
        case (.julianDays, .double(let double)): return local(UTCInstant(julianDay: double))
        case (.number(let unit), .integer(let integer)): return local(UTCInstant(integer, unit))
        case (.number(let unit), .double(let double)): return local(UTCInstant(double, unit))
        default: return nil
        }
    }
}
