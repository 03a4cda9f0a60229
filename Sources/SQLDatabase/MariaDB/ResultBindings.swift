internal import CMariaDB

/// Memory for a row, where libmariadb writes the columns to.
final class ResultBindings {
    private enum Reader {
        case integer, unsigned, double, date, text, blob
    }

    let bindings: UnsafeMutablePointer<MYSQL_BIND>
    private let count: Int
    private let readers: [Reader]
    private let types: [enum_field_types]
    private let lengths: UnsafeMutablePointer<UInt>
    private let nulls: UnsafeMutablePointer<my_bool>
    private let truncated: UnsafeMutablePointer<my_bool>
    private let buffers: UnsafeMutablePointer<UnsafeMutableRawBufferPointer>

    /// A column longer than this is fetched once more where a value needs it.
    private static let longestBuffer = 4096
    /// A buffer that has grown beyond this is given back after the statement.
    private static let longestKept = 1 << 20

    init(fields: [MYSQL_FIELD]) {
        count = fields.count
        let capacity = max(1, count)
        bindings = .allocate(capacity: capacity)
        bindings.initialize(repeating: MYSQL_BIND(), count: capacity)
        lengths = .allocate(capacity: capacity)
        lengths.initialize(repeating: 0, count: capacity)
        nulls = .allocate(capacity: capacity)
        nulls.initialize(repeating: 0, count: capacity)
        truncated = .allocate(capacity: capacity)
        truncated.initialize(repeating: 0, count: capacity)
        buffers = .allocate(capacity: capacity)
        var readers: [Reader] = []
        for (index, field) in fields.enumerated() {
            let (reader, type, size) = Self.plan(field)
            readers.append(reader)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
            (buffers + index).initialize(to: buffer)
            bindings[index].buffer_type = type
            bindings[index].is_unsigned = reader == .unsigned ? 1 : 0
            bindings[index].buffer = buffer.baseAddress
            bindings[index].buffer_length = UInt(size)
            bindings[index].length = lengths + index
            bindings[index].is_null = nulls + index
            bindings[index].error = truncated + index
        }
        self.readers = readers
        types = fields.map(\.type)
    }

    /// Whether these are the columns that the memory was made for.
    func fit(_ fields: UnsafeBufferPointer<MYSQL_FIELD>) -> Bool {
        for index in 0..<count where fields[index].type != types[index] || Self.plan(fields[index]).0 != readers[index]
        {
            return false
        }
        return true
    }

    /// Whether a column holds bytes rather than text. Numbers and times are written in ASCII, whatever their character
    /// set is said to be.
    static func isBinary(_ field: MYSQL_FIELD) -> Bool {
        switch field.type {
        case MYSQL_TYPE_NEWDECIMAL, MYSQL_TYPE_DECIMAL, MYSQL_TYPE_TIME, MYSQL_TYPE_DATETIME, MYSQL_TYPE_TIMESTAMP:
            false
        default: field.charsetnr == 63
        }
    }

    deinit {
        for index in 0..<count { buffers[index].deallocate() }
        bindings.deallocate()
        lengths.deallocate()
        nulls.deallocate()
        truncated.deallocate()
        buffers.deallocate()
    }

    private static func plan(_ field: MYSQL_FIELD) -> (Reader, enum_field_types, Int) {
        switch field.type {
        case MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG, MYSQL_TYPE_YEAR:
            return (field.flags & UInt32(UNSIGNED_FLAG) != 0 ? .unsigned : .integer, MYSQL_TYPE_LONGLONG, 8)
        case MYSQL_TYPE_FLOAT, MYSQL_TYPE_DOUBLE:
            return (.double, MYSQL_TYPE_DOUBLE, 8)
        case MYSQL_TYPE_DATE, MYSQL_TYPE_NEWDATE:
            return (.date, MYSQL_TYPE_DATE, MemoryLayout<MYSQL_TIME>.size)
        default:
            let isBinary = isBinary(field)
            let size = min(longestBuffer, max(64, Int(field.length) + 1))
            return (isBinary ? .blob : .text, isBinary ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING, size)
        }
    }

    @inline(__always)
    func value(_ index: Int) -> ColumnValue {
        if nulls[index] != 0 { return .null }
        let buffer = buffers[index]
        switch readers[index] {
        case .integer: return .integer(buffer.load(as: Int64.self))
        case .unsigned:
            let unsigned = buffer.load(as: UInt64.self)
            // SQL's BIGINT UNSIGNED reaches beyond Int64; there it is a double, as in SQLite.
            return Int64(exactly: unsigned).map { .integer($0) } ?? .double(Double(unsigned))
        case .double: return .double(buffer.load(as: Double.self))
        case .date:
            let time = buffer.load(as: MYSQL_TIME.self)
            return .date(
                CalendarDate(
                    daysSinceEpoch: CalendarDate.days(
                        year: Int(time.year), month: max(1, Int(time.month)), day: max(1, Int(time.day)))))
        case .text: return .text(UnsafeRawBufferPointer(rebasing: buffer[0..<min(buffer.count, Int(lengths[index]))]))
        case .blob: return .blob(UnsafeRawBufferPointer(rebasing: buffer[0..<min(buffer.count, Int(lengths[index]))]))
        }
    }

    /// Gives back the memory of values that were much longer than the rest.
    func shrink() {
        for index in 0..<count where buffers[index].count > Self.longestKept {
            buffers[index].deallocate()
            buffers[index] = .allocate(byteCount: Self.longestBuffer, alignment: 8)
            bindings[index].buffer = buffers[index].baseAddress
            bindings[index].buffer_length = UInt(Self.longestBuffer)
        }
    }

    /// Fetches the columns of the current row again that were longer than their buffers, into larger ones.
    func refetchTruncated(_ statement: UnsafeMutablePointer<MYSQL_STMT>, failure: () -> DatabaseError) throws {
        var hasGrown = false
        for index in 0..<count where nulls[index] == 0 && Int(lengths[index]) > buffers[index].count {
            guard readers[index] == .text || readers[index] == .blob else { continue }
            buffers[index].deallocate()
            buffers[index] = .allocate(byteCount: Int(lengths[index]), alignment: 8)
            bindings[index].buffer = buffers[index].baseAddress
            bindings[index].buffer_length = UInt(buffers[index].count)
            guard mysql_stmt_fetch_column(statement, bindings + index, UInt32(index), 0) == 0 else { throw failure() }
            hasGrown = true
        }
        // The library keeps copies of the bindings: tell it about the larger buffers for the rows to come.
        if hasGrown, mysql_stmt_bind_result(statement, bindings) != 0 { throw failure() }
    }
}
