#if MariaDB
    internal import CDuetMariaDB

    /// The memory from which libmariadb reads a statement's parameters.
    struct ParameterBindings: ~Copyable {
        let bindings: UnsafeMutablePointer<MYSQL_BIND>
        private let count: Int
        private let integers: UnsafeMutablePointer<Int64>
        private let dates: UnsafeMutablePointer<MYSQL_TIME>
        private let lengths: UnsafeMutablePointer<UInt>
        /// The memory of each parameter for the bytes of a text, a decimal or a blob; nil until it is first needed.
        private var texts: [UnsafeMutableRawBufferPointer?]

        init(count: Int) {
            self.count = count
            let capacity = max(1, count)
            bindings = .allocate(capacity: capacity)
            bindings.initialize(repeating: MYSQL_BIND(), count: capacity)
            integers = .allocate(capacity: capacity)
            integers.initialize(repeating: 0, count: capacity)
            dates = .allocate(capacity: capacity)
            dates.initialize(repeating: MYSQL_TIME(), count: capacity)
            lengths = .allocate(capacity: capacity)
            lengths.initialize(repeating: 0, count: capacity)
            texts = Array(repeating: nil, count: count)
        }

        deinit {
            bindings.deallocate()
            integers.deallocate()
            dates.deallocate()
            lengths.deallocate()
            for text in texts { text?.deallocate() }
        }

        /// - Throws: ``DatabaseError`` with the code `parameter` for a decimal that MariaDB cannot represent exactly.
        mutating func set(_ values: ArraySlice<SQLValue>, statement: String) throws {
            for (index, value) in values.enumerated() where index < count {
                bindings[index].is_unsigned = 0
                switch value {
                case .null:
                    bindings[index].buffer_type = MYSQL_TYPE_NULL
                case .integer(let integer):
                    integers[index] = integer
                    bindings[index].buffer_type = MYSQL_TYPE_LONGLONG
                    bindings[index].buffer = UnsafeMutableRawPointer(integers + index)
                case .double(let double):
                    integers[index] = Int64(bitPattern: double.bitPattern)
                    bindings[index].buffer_type = MYSQL_TYPE_DOUBLE
                    bindings[index].buffer = UnsafeMutableRawPointer(integers + index)
                case .date(let date):
                    let (year, month, day) = date.components
                    dates[index] = MYSQL_TIME()
                    // The MariaDB server rejects a year above 9999.
                    dates[index].year = UInt32(clamping: year)
                    dates[index].month = UInt32(month)
                    dates[index].day = UInt32(day)
                    dates[index].time_type = MYSQL_TIMESTAMP_DATE
                    bindings[index].buffer_type = MYSQL_TYPE_DATE
                    bindings[index].buffer = UnsafeMutableRawPointer(dates + index)
                case .text(var text):
                    bindings[index].buffer_type = MYSQL_TYPE_STRING
                    text.withUTF8 { store(UnsafeRawBufferPointer($0), at: index) }
                case .blob(let bytes):
                    bindings[index].buffer_type = MYSQL_TYPE_BLOB
                    bytes.withUnsafeBytes { store($0, at: index) }
                case .unsigned(let integer):
                    integers[index] = Int64(bitPattern: integer)
                    bindings[index].buffer_type = MYSQL_TYPE_LONGLONG
                    bindings[index].is_unsigned = 1
                    bindings[index].buffer = UnsafeMutableRawPointer(integers + index)
                case .decimal(var digits):
                    try DecimalDigits(digits, statement: statement).checkPrecision(statement: statement)
                    bindings[index].buffer_type = MYSQL_TYPE_NEWDECIMAL
                    digits.withUTF8 { store(UnsafeRawBufferPointer($0), at: index) }
                }
            }
        }

        private mutating func store(_ bytes: UnsafeRawBufferPointer, at index: Int) {
            if texts[index].map({ $0.count < bytes.count }) ?? true {
                texts[index]?.deallocate()
                texts[index] = .allocate(byteCount: max(64, bytes.count), alignment: 1)
            }
            texts[index]?.copyMemory(from: bytes)
            lengths[index] = UInt(bytes.count)
            bindings[index].buffer = texts[index]?.baseAddress
            bindings[index].buffer_length = UInt(bytes.count)
            bindings[index].length = lengths + index
        }
    }
#endif
