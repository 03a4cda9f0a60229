#if MariaDB
    internal import CDuetMariaDB

    /// The memory to which libmariadb writes the columns of a row.
    final class ResultBindings {
        private enum Reader {
            case integer, unsigned, double, date, text, blob, float, bits, time, dateTime
        }

        let bindings: UnsafeMutablePointer<MYSQL_BIND>
        private let count: Int
        private let readers: [Reader]
        private let types: [enum_field_types]
        /// The number of fractional-second digits of each column.
        private let fractionDigits: [Int]
        private let lengths: UnsafeMutablePointer<UInt>
        private let nulls: UnsafeMutablePointer<my_bool>
        private let truncated: UnsafeMutablePointer<my_bool>
        private let buffers: UnsafeMutablePointer<UnsafeMutableRawBufferPointer>

        /// The maximum initial size of a buffer. A longer value is fetched again into a larger buffer.
        private static let longestBuffer = 4096
        /// The maximum size of a buffer that is reused. A larger buffer is replaced after the execution.
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
            fractionDigits = fields.map(Self.fractionDigits)
        }

        /// Returns true if the columns have the types and the precision for which the memory was allocated.
        func fit(_ fields: UnsafeBufferPointer<MYSQL_FIELD>) -> Bool {
            for index in 0..<count {
                let field = fields[index]
                guard field.type == types[index], Self.plan(field).0 == readers[index],
                    Self.fractionDigits(field) == fractionDigits[index]
                else { return false }
            }
            return true
        }

        /// Returns true if a column of a string or blob type contains bytes, not text. Decimal numbers and times are
        /// ASCII texts, and BIT is a number, even if the server reports the character set `binary` for them.
        static func isBinary(_ field: MYSQL_FIELD) -> Bool {
            switch field.type {
            case MYSQL_TYPE_NEWDECIMAL, MYSQL_TYPE_DECIMAL, MYSQL_TYPE_TIME, MYSQL_TYPE_DATETIME, MYSQL_TYPE_TIMESTAMP,
                MYSQL_TYPE_BIT:
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
            case MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG,
                MYSQL_TYPE_YEAR:
                return (field.flags & UInt32(UNSIGNED_FLAG) != 0 ? .unsigned : .integer, MYSQL_TYPE_LONGLONG, 8)
            case MYSQL_TYPE_DOUBLE:
                return (.double, MYSQL_TYPE_DOUBLE, 8)
            case MYSQL_TYPE_FLOAT:
                return (.float, MYSQL_TYPE_FLOAT, 8)
            case MYSQL_TYPE_DATE, MYSQL_TYPE_NEWDATE:
                return (.date, MYSQL_TYPE_DATE, TemporalText.end)
            case MYSQL_TYPE_TIME:
                return (.time, MYSQL_TYPE_TIME, TemporalText.end)
            case MYSQL_TYPE_DATETIME, MYSQL_TYPE_TIMESTAMP:
                return (.dateTime, MYSQL_TYPE_DATETIME, TemporalText.end)
            case MYSQL_TYPE_BIT:
                return (.bits, MYSQL_TYPE_BLOB, 8)
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
                // BIGINT UNSIGNED exceeds the range of Int64.
                return Int64(exactly: unsigned).map { .integer($0) } ?? .unsigned(unsigned)
            case .double: return .double(buffer.load(as: Double.self))
            case .date:
                let time = buffer.load(as: MYSQL_TIME.self)
                // With a lax sql_mode, a column can contain invalid dates such as 0000-00-00, 2024-02-00 and
                // 2024-02-31.
                guard let date = CalendarDate(year: Int(time.year), month: Int(time.month), day: Int(time.day)) else {
                    return .text(TemporalText.writeDate(in: buffer))
                }
                return .date(date)
            case .text:
                return .text(UnsafeRawBufferPointer(rebasing: buffer[0..<min(buffer.count, Int(lengths[index]))]))
            case .blob:
                return .blob(UnsafeRawBufferPointer(rebasing: buffer[0..<min(buffer.count, Int(lengths[index]))]))
            case .float: return .double(Double(shortestDecimalOf: buffer.load(as: Float.self)))
            case .bits:
                let bits = buffer[0..<min(buffer.count, Int(lengths[index]))].reduce(0) { $0 << 8 | UInt64($1) }
                return Int64(exactly: bits).map { .integer($0) } ?? .unsigned(bits)
            case .time: return .text(TemporalText.writeTime(in: buffer, fractionDigits: fractionDigits[index]))
            case .dateTime: return .text(TemporalText.writeDateTime(in: buffer, fractionDigits: fractionDigits[index]))
            }
        }

        /// Returns the number of fractional-second digits of a TIME, DATETIME or TIMESTAMP column: 6 if the precision
        /// is unknown. Returns 0 for any other type.
        private static func fractionDigits(_ field: MYSQL_FIELD) -> Int {
            switch field.type {
            case MYSQL_TYPE_TIME, MYSQL_TYPE_DATETIME, MYSQL_TYPE_TIMESTAMP:
                field.decimals <= UInt32(SEC_PART_DIGITS) ? Int(field.decimals) : Int(SEC_PART_DIGITS)
            default: 0
            }
        }

        /// Replaces buffers that have grown beyond the maximum size.
        func shrink() {
            for index in 0..<count where buffers[index].count > Self.longestKept {
                buffers[index].deallocate()
                buffers[index] = .allocate(byteCount: Self.longestBuffer, alignment: 8)
                bindings[index].buffer = buffers[index].baseAddress
                bindings[index].buffer_length = UInt(Self.longestBuffer)
            }
        }

        /// Finds the columns of the current row whose values are longer than their buffers, and fetches them again into
        /// larger buffers.
        func refetchTruncated(_ statement: UnsafeMutablePointer<MYSQL_STMT>, failure: () -> DatabaseError) throws {
            var hasGrown = false
            for index in 0..<count where nulls[index] == 0 && Int(lengths[index]) > buffers[index].count {
                guard readers[index] == .text || readers[index] == .blob else { continue }
                buffers[index].deallocate()
                buffers[index] = .allocate(byteCount: Int(lengths[index]), alignment: 8)
                bindings[index].buffer = buffers[index].baseAddress
                bindings[index].buffer_length = UInt(buffers[index].count)
                guard mysql_stmt_fetch_column(statement, bindings + index, UInt32(index), 0) == 0 else {
                    throw failure()
                }
                hasGrown = true
            }
            // The library has its own copy of the bindings, so the larger buffers must be bound again for the following
            // rows.
            if hasGrown, mysql_stmt_bind_result(statement, bindings) != 0 { throw failure() }
        }
    }
#endif
