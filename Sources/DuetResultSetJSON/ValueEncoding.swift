import DuetJSON
import DuetSQLDatabase

/// The format of the values of a result set in JSON, NDJSON and CSV.
///
/// - NULL is `null` in JSON. In CSV it is an unquoted empty field, or `""` if the record has no other field.
/// - Integers and floating-point numbers are numbers. Infinite numbers are `null`.
/// - Texts are strings. In CSV, the empty text is `""`. Bytes that are not valid UTF-8 are replaced by U+FFFD.
/// - Blobs are strings in base64 (RFC 4648, section 4).
/// - Exact decimal numbers of MariaDB, and times, are strings with the text of the database.
///
/// A ``ValueFormat`` declares a different format for a column.
public struct ValueEncoding: Sendable {
    /// The format of dates.
    public var dates: DateEncoding
    /// True to write the integers 0 and 1 as `false` and `true` if their column is declared as `BOOLEAN` or `BOOL`, or
    /// on MariaDB as `TINYINT(1)`, and has no ``ValueFormat``. Any other value of such a column is written unchanged.
    public var writesBooleans: Bool
    /// A number that is combined with the digests of objects (``ObjectShape/Member/digest(name:of:_:)``).
    package var digestMask: (low: UInt64, high: UInt64) = (0, 0)

    /// Creates an encoding.
    /// - Parameters:
    ///   - dates: The format of dates.
    ///   - writesBooleans: True to write the values 0 and 1 as `false` and `true` in columns that are declared as
    ///     Boolean.
    public init(dates: DateEncoding = .iso, writesBooleans: Bool = true) {
        self.dates = dates
        self.writesBooleans = writesBooleans
    }

    /// Returns the maximum size of a value as JSON in bytes.
    @inline(__always)
    func longestJSON(_ value: ColumnValue) -> Int {
        switch value {
        case .null, .integer, .date, .unsigned: DateEncoding.longest
        case .double: 32
        case .text(let bytes): JSONBytes.longestString(utf8Count: bytes.count)
        case .blob(let bytes): bytes.count * 4 / 3 + 8
        }
    }

    /// Writes a value as JSON.
    /// - Returns: The number of written bytes, at most ``longestJSON(_:)``.
    @inline(__always)
    func writeJSON(_ value: ColumnValue, to target: UnsafeMutableRawPointer) -> Int {
        switch value {
        case .integer(let integer): return JSONBytes.write(integer, to: target)
        case .text(let bytes): return JSONBytes.write(string: bytes, to: target)
        case .date(let date): return dates.write(date, quoted: true, to: target)
        case .null:
            target.copyMemory(from: UnsafeRawPointer(("null" as StaticString).utf8Start), byteCount: 4)
            return 4
        case .double(let double): return write(double, to: target)
        case .blob(let bytes): return writeBase64(bytes, to: target)
        case .unsigned(let integer): return JSONBytes.write(integer, to: target)
        }
    }

    private func write(_ double: Double, to target: UnsafeMutableRawPointer) -> Int {
        var text = double.isFinite ? double.description : "null"
        return text.withUTF8 { bytes in
            if let base = bytes.baseAddress { target.copyMemory(from: base, byteCount: bytes.count) }
            return bytes.count
        }
    }

    /// Writes a blob as a base64 string (RFC 4648, section 4).
    private func writeBase64(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
        let alphabet = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" as StaticString).utf8Start
        var output = target
        func put(_ byte: UInt8) {
            output.storeBytes(of: byte, as: UInt8.self)
            output += 1
        }
        put(UInt8(ascii: "\""))
        var position = 0
        while position < bytes.count {
            let rest = bytes.count - position
            let first = bytes[position]
            let second = rest > 1 ? bytes[position + 1] : 0
            let third = rest > 2 ? bytes[position + 2] : 0
            put(alphabet[Int(first >> 2)])
            put(alphabet[Int((first & 0x03) << 4 | second >> 4)])
            put(rest > 1 ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : UInt8(ascii: "="))
            put(rest > 2 ? alphabet[Int(third & 0x3F)] : UInt8(ascii: "="))
            position += 3
        }
        put(UInt8(ascii: "\""))
        return output - target
    }
}
