internal import CDuetSQLite

/// The state of an exact sum of integers or decimal numbers.
///
/// It is in memory that SQLite initializes with zeros and aligns to eight bytes. Therefore it has no property of 128
/// bits and no reference that Swift counts.
struct ExactSum {
    /// The number of values.
    private var count = 0
    /// The lower 64 bits of the sum, in units of the last digit after the decimal point.
    private var low: UInt64 = 0
    /// The upper 64 bits of the sum.
    private var high: Int64 = 0
    /// The number of digits after the decimal point of the unit.
    private var digits = 0
    /// 10 to the power of ``digits``; 0 if ``digits`` exceeds 18.
    private var unit: Int64 = 0
    /// The scale of the field.
    private var scale = 0
    /// The sum of the values that cannot be added to the 128 bits; nil until the first one.
    private var wide: Unmanaged<WideSum>?

    /// A field without a scale often has numbers with some digits after the decimal point.
    private static let defaultDigits = 6
    /// The nearest doubles of different decimal numbers with at most 15 digits differ.
    private static let exactDouble = 1e15

    // MARK: Functions of SQLite

    static let addInteger: SQLiteAggregates.Step = { context, _, arguments in
        guard let arguments, let value = arguments[0], let sum = SQLiteAggregates.state(context, ExactSum.self) else {
            return sqlite3_result_error_nomem(context)
        }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: sum.pointee.add(sqlite3_value_int64(value))
        case SQLITE_NULL: break
        default: SQLiteAggregates.fail(context, value, field: arguments[1])
        }
    }

    static let addDecimal: SQLiteAggregates.Step = { context, _, arguments in
        guard let arguments, let value = arguments[0], let sum = SQLiteAggregates.state(context, ExactSum.self) else {
            return sqlite3_result_error_nomem(context)
        }
        if sum.pointee.count == 0 { sum.pointee.setScale(Int(sqlite3_value_int64(arguments[2]))) }
        let isNumber: Bool
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: isNumber = sum.pointee.addDecimal(sqlite3_value_int64(value))
        case SQLITE_FLOAT: isNumber = sum.pointee.add(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let text = sqlite3_value_text(value)
            // The length is in the encoding of the last conversion, so it is read after the bytes.
            isNumber = sum.pointee.add(
                UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
        case SQLITE_NULL: return
        default: isNumber = false
        }
        if !isNumber { SQLiteAggregates.fail(context, value, field: arguments[1]) }
    }

    static let sum: SQLiteAggregates.Final = { context in
        guard let sum = SQLiteAggregates.finalState(context, ExactSum.self) else { return sqlite3_result_null(context) }
        sum.pointee.setSum(context)
        sum.pointee.release()
    }

    static let average: SQLiteAggregates.Final = { context in
        guard let sum = SQLiteAggregates.finalState(context, ExactSum.self) else { return sqlite3_result_null(context) }
        sum.pointee.setAverage(context)
        sum.pointee.release()
    }

    // MARK: Values

    private mutating func setScale(_ scale: Int) {
        self.scale = scale
        digits = scale == 0 ? Self.defaultDigits : scale
        unit = Decimal128.power(digits) ?? 0
    }

    /// Adds an integer to a sum of integers. The number of rows that would overflow it is greater than 2^63.
    @inline(__always)
    private mutating func add(_ integer: Int64) {
        let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: integer))
        low = sum
        high &+= integer >> 63 &+ (carry ? 1 : 0)
        count &+= 1
    }

    @inline(__always)
    private mutating func addDecimal(_ integer: Int64) -> Bool {
        guard unit != 0 else { return addText(String(integer)) }
        let product = integer.multipliedFullWidth(by: unit)
        addUnits(product.low, product.high)
        return true
    }

    /// Adds the number with the shortest text that identifies a double.
    @inline(__always)
    private mutating func add(_ double: Double) -> Bool {
        let scaled = double * Double(unit)
        if unit != 0, scaled.magnitude < Self.exactDouble {
            let units = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
            // Of the decimal numbers with at most 15 digits, only one has this nearest double.
            if Double(units) / Double(unit) == double {
                addUnits(UInt64(bitPattern: units), units >> 63)
                return true
            }
        }
        return double.isFinite && addText(double.description)
    }

    private mutating func add(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let number = DecimalText(text) else { return false }
        if unit != 0, let units = number.units(digits: digits) {
            addUnits(UInt64(bitPattern: units), units >> 63)
        } else {
            addWide(number)
            count &+= 1
        }
        return true
    }

    @inline(never)
    private mutating func addText(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let number = DecimalText(UnsafeRawBufferPointer(bytes), isLenient: true) else { return false }
            addWide(number)
            count &+= 1
            return true
        }
    }

    /// Adds a number of units, given by its lower and upper 64 bits.
    @inline(__always)
    private mutating func addUnits(_ low: UInt64, _ high: Int64) {
        let (lowSum, carry) = self.low.addingReportingOverflow(low)
        let (highSum, overflow) = self.high.addingReportingOverflow(high)
        let (sum, carryOverflow) = highSum.addingReportingOverflow(carry ? 1 : 0)
        if overflow || carryOverflow {
            flush()
            (self.low, self.high) = (low, high)
        } else {
            (self.low, self.high) = (lowSum, sum)
        }
        count &+= 1
    }

    // MARK: Wide sums

    /// Moves the 128 bits to the wide sum.
    @inline(never)
    private mutating func flush() {
        Decimal128(low: low, high: high, digits: digits).withText { bytes in
            if let number = DecimalText(bytes) { addWide(number) }
        }
        (low, high) = (0, 0)
    }

    @inline(never)
    private mutating func addWide(_ number: DecimalText) {
        let wide = self.wide ?? Unmanaged.passRetained(WideSum())
        self.wide = wide
        wide.takeUnretainedValue().add(number)
    }

    private mutating func release() {
        wide?.release()
        wide = nil
    }

    // MARK: Results

    private mutating func setSum(_ context: OpaquePointer?) {
        guard count > 0 else { return sqlite3_result_null(context) }
        if let wide {
            flush()
            return Self.setText(context, wide.takeUnretainedValue().total.text(scale: scale))
        }
        if digits == 0, Int64(bitPattern: low) >> 63 == high {
            return sqlite3_result_int64(context, Int64(bitPattern: low))
        }
        Decimal128(low: low, high: high, digits: digits).withText(scale: scale) { Self.setText(context, $0) }
    }

    private mutating func setAverage(_ context: OpaquePointer?) {
        guard count > 0 else { return sqlite3_result_null(context) }
        let type = digits == 0 ? AggregateNumber.integer : .decimal(scale: scale)
        let averageScale = type.averageScale ?? scale
        if wide == nil {
            let sum = Decimal128(low: low, high: high, digits: digits)
            if let average = sum.divided(by: count, digits: averageScale) {
                return average.withText(scale: averageScale) { Self.setText(context, $0) }
            }
        }
        flush()
        guard let wide else { return }
        Self.setText(context, wide.takeUnretainedValue().total.divided(by: count, scale: averageScale))
    }

    private static func setText(_ context: OpaquePointer?, _ text: String) {
        sqlite3_result_text(context, text, Int32(text.utf8.count), SQLiteAggregates.transient)
    }

    private static func setText(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
        sqlite3_result_text(
            context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
            SQLiteAggregates.transient)
    }
}
