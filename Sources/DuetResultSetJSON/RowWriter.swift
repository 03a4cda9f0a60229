import DuetJSON
import DuetSQLDatabase
import NIOCore

/// Reads the rows of a result set and writes them as JSON, NDJSON or CSV. Values are written directly from the C
/// library's memory to the buffer, without intermediate copies.
final class RowWriter {
    /// The end of an object.
    enum End {
        /// No end, because more members follow. If the shape has no members, nothing is written, and the first
        /// following member writes the opening brace.
        case open
        case brace
        case braceAndLineFeed
    }

    /// The shapes in which each row is written; only a page has several shapes.
    let shapes: [ObjectShape]
    /// The slots and suffixes of all stretches (``ObjectShape/Stretch``) in plain memory, so that writing a row needs
    /// no reference counting. A *part* is the prefix of a slot or the suffix of a stretch. ``bytes`` contains the bytes
    /// of all parts consecutively.
    let parts: UnsafeMutableBufferPointer<Part>
    let stretches: UnsafeMutableBufferPointer<StretchTable>
    /// The index of the first stretch of each shape.
    private let firstStretches: [Int]
    private let bytes: UnsafeMutableRawPointer
    private let byteCount: Int
    /// The indices of the columns that are read: the columns of the parts in order, the columns of computed texts, and
    /// the columns of the key.
    private let columns: UnsafeMutableBufferPointer<Int>
    let columnCount: Int
    private let keyIndex: Int
    /// The number of columns at the beginning that are the key of the parent row.
    let keyCount: Int
    let values: UnsafeMutablePointer<ColumnValue>
    let computed: [Computed]
    /// The formats of the columns of the parts. They are read in place, because a copy for each value would be slow.
    let formats: UnsafeMutableBufferPointer<ValueFormat>
    /// The indices of the values whose texts are stored as bytes; see ``ValueFormat/isStoredAsBytes``.
    private let encodedTexts: [Int]
    /// The valid texts of all columns with a list of choices, consecutively. ``choiceRanges`` contains the range of
    /// each column's texts.
    private let choices: UnsafeMutableBufferPointer<UnsafeMutableRawBufferPointer>
    private let choiceRanges: UnsafeMutableBufferPointer<Range<Int>>
    private let names: [String]
    /// The maximum number of additional bytes that the values of a row need because of their declared types.
    private let additionalRoom: Int
    /// The first value that does not have its declared type.
    private var mismatch: (value: Int, found: SQLValue, isUTF8: Bool)?
    /// The attachments that were checked last, for each shape of the rows.
    private var checked: [[Attachment]] = []
    /// The number of texts that were written as null because they are zero dates of MariaDB.
    private var zeroDates = 0
    /// The number of values that were written as null because they do not have their declared type.
    private var nullified = 0

    /// The end of constant bytes, and the kind of the value that follows them.
    struct Part {
        enum Kind: UInt8 {
            /// No value: the end of a stretch.
            case text
            case value
            case computed
        }

        let end: Int
        let kind: Kind
    }

    struct StretchTable {
        var parts: Range<Int>
        var firstByte: Int
        var firstValue: Int
        var firstComputed: Int
        var computedCount = 0
    }

    enum Computed {
        /// The indices of the values from which the text is computed.
        case values(Range<Int>, @Sendable ([SQLValue]) -> String)
        /// The index of the stretch of the object from which the text is computed.
        case object(stretch: Int, @Sendable (ByteBuffer, ValueEncoding) -> String)
    }

    /// - Parameters:
    ///   - keyCount: The number of columns at the beginning that are the key of the row.
    ///   - resultSet: The result set of the columns. Their kinds show which columns are declared as Boolean.
    /// - Throws: `DatabaseError` if a column does not exist, or if several columns have its label.
    init(shapes: [ObjectShape], keyCount: Int, of resultSet: ResultSet) throws {
        self.shapes = shapes
        let keyCount = min(keyCount, resultSet.columns.count)
        self.keyCount = keyCount
        // The stretches of digests follow the stretches of the shapes.
        var all = shapes.flatMap(\.stretches)
        var columns: [Int] = []
        var computed: [(columns: [Int], computed: (Range<Int>) -> Computed)] = []
        var formats: [ValueFormat] = []
        var choices: [String] = []
        var choiceRanges: [Range<Int>] = []
        var names: [String] = []
        var parts: [Part] = []
        var tables: [StretchTable] = []
        var text: [UInt8] = []
        var next = 0
        while next < all.count {
            let stretch = all[next]
            next += 1
            var table = StretchTable(
                parts: parts.count..<parts.count, firstByte: text.count, firstValue: columns.count,
                firstComputed: computed.count)
            for slot in stretch.slots {
                text += slot.prefix
                switch slot.source {
                case .column(let reference, var format, let texts):
                    let column = try reference.index(in: resultSet, keyCount: keyCount, member: slot.name)
                    if format.kind == .any, resultSet.columns[column].kind == .boolean {
                        format.kind = .declaredBoolean
                    }
                    columns.append(column)
                    formats.append(format)
                    choiceRanges.append(choices.count..<choices.count + texts.count)
                    choices += texts
                    names.append(slot.name)
                    parts.append(Part(end: text.count, kind: .value))
                case .computed(let references, let make):
                    let columns = try references.map {
                        try $0.index(in: resultSet, keyCount: keyCount, member: slot.name)
                    }
                    computed.append((columns, { .values($0, make) }))
                    parts.append(Part(end: text.count, kind: .computed))
                    table.computedCount += 1
                case .digest(let object, let make):
                    let position = all.count
                    all.append(object)
                    computed.append(([], { _ in .object(stretch: position, make) }))
                    parts.append(Part(end: text.count, kind: .computed))
                    table.computedCount += 1
                }
            }
            if !stretch.suffix.isEmpty {
                text += stretch.suffix
                parts.append(Part(end: text.count, kind: .text))
            }
            table.parts = table.parts.lowerBound..<parts.count
            tables.append(table)
        }
        columnCount = columns.count
        self.formats = .allocate(capacity: formats.count)
        _ = self.formats.initialize(from: formats)
        encodedTexts = formats.indices.filter { formats[$0].isStoredAsBytes }
        self.choices = .allocate(capacity: choices.count)
        _ = self.choices.initialize(
            from: choices.map { text in
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
                copy.copyBytes(from: text.utf8)
                return copy
            })
        self.choiceRanges = .allocate(capacity: choiceRanges.count)
        _ = self.choiceRanges.initialize(from: choiceRanges)
        self.names = names
        additionalRoom = formats.reduce(0) { $0 + $1.additionalRoom }
        self.computed = computed.map { needed, make in
            let first = columns.count
            columns += needed
            return make(first..<columns.count)
        }
        keyIndex = columns.count
        columns += 0..<keyCount
        var firstStretches: [Int] = []
        var stretch = 0
        for shape in shapes {
            firstStretches.append(stretch)
            stretch += shape.stretches.count
        }
        self.firstStretches = firstStretches
        self.parts = .allocate(capacity: parts.count)
        _ = self.parts.initialize(from: parts)
        stretches = .allocate(capacity: tables.count)
        _ = stretches.initialize(from: tables)
        self.columns = .allocate(capacity: columns.count)
        _ = self.columns.initialize(from: columns)
        values = .allocate(capacity: keyIndex + max(1, keyCount))
        (values + keyIndex).initialize(repeating: .null, count: max(1, keyCount))
        byteCount = text.count
        bytes = .allocate(byteCount: max(1, byteCount), alignment: 1)
        text.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: bytes, count: $0.count).copyMemory(from: $0) }
    }

    /// Returns the writer for a shape, or for all columns if `shape` is nil. The writer is cached together with the
    /// statement.
    /// - Parameter keyCount: The number of columns at the beginning that are the key of the parent row. They are not
    ///   written if `shape` is nil.
    /// - Throws: `DatabaseError` if two members of an object have the same name, or if the column of a member does not
    ///   exist or has a label that several columns have.
    static func of(_ resultSet: ResultSet, shape: ObjectShape?, keyCount: Int) throws -> RowWriter {
        try of(resultSet, keptFor: shape, keyCount: keyCount) {
            if let shape { return [shape] }
            let columns = resultSet.columns.enumerated().dropFirst(keyCount)
            let all = ObjectShape(columns.map { ($0.element.name, .index($0.offset)) })
            guard let label = all.repeatedName else { return [all] }
            throw ColumnReference.repeated(label, in: resultSet)
        }
    }

    /// Returns the writer for the rows of a page. The writer is cached together with the statement.
    static func of(_ resultSet: ResultSet, page: PageShape, keyCount: Int) throws -> RowWriter {
        try of(resultSet, keptFor: page, keyCount: keyCount) {
            page.rows
        }
    }

    private static func of(
        _ resultSet: ResultSet, keptFor owner: AnyObject?, keyCount: Int, shapes: () throws -> [ObjectShape]
    ) throws -> RowWriter {
        if let memo = resultSet.memo as? Memo, memo.writer.keyCount == keyCount, memo.owner === owner {
            return memo.writer
        }
        let shapes = try shapes()
        for shape in shapes {
            if let name = shape.repeatedName { throw repeated(name, resultSet) }
            if let name = shape.nameWithoutChoices {
                throw DatabaseError(
                    .failed,
                    "the member \(name) of the shape has the format choice, but no valid texts; specify choices",
                    statement: resultSet.sql)
            }
        }
        let writer = try RowWriter(shapes: shapes, keyCount: keyCount, of: resultSet)
        resultSet.memo = Memo(writer: writer, owner: owner)
        return writer
    }

    static func repeated(_ name: String, _ resultSet: ResultSet) -> DatabaseError {
        DatabaseError(.failed, "two members of the shape have the name \(name)", statement: resultSet.sql)
    }

    /// Checks the attachments of the rows before the first row is read.
    /// - Parameter form: The index of the rows' shape in ``shapes``.
    /// - Throws: `DatabaseError` if two members of an object have the same name, or if the attachments do not match the
    ///   attachments of the shape.
    func check(_ attachments: [Attachment], ofForm form: Int = 0, _ resultSet: ResultSet) throws {
        let shape = shapes[form]
        guard shape.places.count <= attachments.count else { throw missing(attachments, in: shape, resultSet) }
        // Attachments that are reused for several requests are checked only once.
        guard !attachments.isEmpty, !isChecked(attachments, ofForm: form) else { return }
        for (index, attachment) in attachments.enumerated() {
            try attachment.check()
            let name = attachment.member.name
            let object = shape.object(ofAttachment: index)
            let isRepeated =
                object.names.contains(name)
                || attachments[..<index].enumerated().contains { other in
                    other.element.member.name == name
                        && shape.object(ofAttachment: other.offset).number == object.number
                }
            if isRepeated { throw attachment.error("another member has this name; give one of them another name") }
            if index < shape.places.count, let place = shape.places[index].name, place != name {
                throw attachment.error(
                    "the shape has the attachment \(place) at its place; attach \(list(shape.places)) in this order")
            }
        }
        while checked.count <= form { checked.append([]) }
        checked[form] = attachments
    }

    /// Returns the error for a shape that has more attachments than were attached.
    private func missing(_ attachments: [Attachment], in shape: ObjectShape, _ resultSet: ResultSet) -> DatabaseError {
        var names = attachments.map(\.member.name)
        // Attachments are first matched by name. The remaining attachments take the positions without a name.
        var places = shape.places.enumerated().filter { _, place in
            guard let index = place.name.flatMap({ names.firstIndex(of: $0) }) else { return true }
            names.remove(at: index)
            return false
        }
        for _ in names {
            if let index = places.firstIndex(where: { $0.element.name == nil }) { places.remove(at: index) }
        }
        let missing = places.map { $0.element.description($0.offset) }.joined(separator: ", ")
        let attached = attachments.map(\.member.name).joined(separator: ", ")
        return DatabaseError(
            .failed,
            (places.count == 1
                ? "the shape's attachment \(missing) has no query" : "the shape's attachments \(missing) have no query")
                + "; attach one before writing ("
                + (attachments.isEmpty ? "nothing is attached" : "attached: \(attached)") + ")",
            statement: resultSet.sql)
    }

    private func list(_ places: [ObjectShape.Place]) -> String {
        places.enumerated().map { $1.description($0) }.joined(separator: ", ")
    }

    private func isChecked(_ attachments: [Attachment], ofForm form: Int) -> Bool {
        guard form < checked.count, checked[form].count == attachments.count else { return false }
        for index in attachments.indices where checked[form][index] !== attachments[index] { return false }
        return true
    }

    private final class Memo {
        let writer: RowWriter
        /// The ``ObjectShape`` or ``PageShape`` of the writer; nil if the writer writes all columns.
        let owner: AnyObject?

        init(writer: RowWriter, owner: AnyObject?) {
            self.writer = writer
            self.owner = owner
        }
    }

    deinit {
        parts.deallocate()
        stretches.deallocate()
        bytes.deallocate()
        columns.deallocate()
        formats.deallocate()
        for choice in choices { choice.deallocate() }
        choices.deallocate()
        choiceRanges.deallocate()
        values.deallocate()
    }

    /// Reads the rows, and calls the body for each row. The body writes the row, and returns true to read another row.
    /// - Returns: True if the end was reached.
    /// - Throws: `DatabaseError`; ``ValueMismatch`` for a value that does not have its declared type.
    func forEachRow(of resultSet: ResultSet, _ body: () -> Bool) throws -> Bool {
        mismatch = nil
        zeroDates = 0
        nullified = 0
        defer {
            if zeroDates > 0 { resultSet.reportZeroDates(zeroDates) }
            if nullified > 0 { resultSet.reportNullifiedValues(nullified) }
        }
        let decodesTexts = !encodedTexts.isEmpty
        let isAtEnd = try resultSet.forEachRow(UnsafeBufferPointer(columns), into: values) {
            if decodesTexts { for value in encodedTexts { decodeText(value) } }
            return body() && mismatch == nil
        }
        if let mismatch { throw error(mismatch) }
        return isAtEnd
    }

    /// Reads and checks all values in the same way as for a response, without writing them.
    /// - Returns: The values that do not have the declared type, one element for each affected column, in the order of
    ///   the columns.
    func mismatches(in resultSet: ResultSet, _ encoding: ValueEncoding) throws -> [ValueMismatches] {
        var found: [Int: ValueMismatches] = [:]
        var buffer = ByteBuffer()
        _ = try resultSet.forEachRow(UnsafeBufferPointer(columns), into: values) {
            for value in 0..<columnCount {
                mismatch = nil
                if formats[value].isStoredAsBytes { decodeText(value) }
                let room = encoding.longestJSON(values[value]) + formats[value].additionalRoom
                buffer.clear()
                buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
                    space.baseAddress.map { write(value, encoding, to: $0) } ?? 0
                }
                guard let mismatch else { continue }
                found[value, default: ValueMismatches(first: error(mismatch), key: keyValues)].count += 1
            }
            return true
        }
        mismatch = nil
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Replaces the bytes of a text by the text. The value of another storage class is a mismatch.
    private func decodeText(_ value: Int) {
        switch values[value] {
        case .null: break
        case .blob(let bytes): values[value] = .text(bytes)
        default: if noteMismatch(value) { values[value] = .null }
        }
    }

    private func error(_ mismatch: (value: Int, found: SQLValue, isUTF8: Bool)) -> ValueMismatch {
        ValueMismatch(
            mismatch.found, of: names[mismatch.value], in: shapes.first?.source, formats[mismatch.value],
            isUTF8: mismatch.isUTF8)
    }

    /// The value of the first key column in the current row.
    var key: ColumnValue { values[keyIndex] }

    /// Returns the key of the current row.
    /// - Parameter requested: The keys of the query in the order of their indices, if the row contains the index of its
    ///   key; nil if the row contains the key.
    func rowKey(_ requested: [RowKey]?) -> RowKey {
        guard let requested else { return rowKey }
        guard case .integer(let position) = key, requested.indices.contains(Int(position)) else { return .one(.null) }
        return requested[Int(position)]
    }

    private var rowKey: RowKey { keyCount == 1 ? .one(key.copied()) : .several(keyValues) }

    private var keyValues: [SQLValue] { (0..<keyCount).map { values[keyIndex + $0].copied() } }

    /// Writes the current row as an object: `{"a":1,"b":2}`. If the shape contains attachments, the function writes
    /// only the first stretch. ``writeStretch(_:of:_:to:)`` writes the following stretches.
    /// - Parameters:
    ///   - shape: The index of the shape.
    ///   - afterComma: True to write a comma first.
    @inline(__always)
    func writeObject(
        of shape: Int = 0, _ encoding: ValueEncoding, afterComma: Bool = false, end: End, to buffer: inout ByteBuffer
    ) {
        write(stretches[shape == 0 ? 0 : firstStretches[shape]], encoding, afterComma, end, to: &buffer)
    }

    /// Writes the members of the row that follow an attachment.
    /// - Parameter stretch: The index of the stretch, from 1.
    func writeStretch(_ stretch: Int, of shape: Int, _ encoding: ValueEncoding, to buffer: inout ByteBuffer) {
        write(stretches[firstStretches[shape] + stretch], encoding, false, .open, to: &buffer)
    }

    @inline(__always)
    private func write(
        _ stretch: StretchTable, _ encoding: ValueEncoding, _ afterComma: Bool, _ end: End,
        to buffer: inout ByteBuffer
    ) {
        // The four additional bytes are a comma, the opening brace of an object without members, and two bytes at the
        // end.
        var room = byteCount + 4 + additionalRoom
        for index in 0..<columnCount { room += encoding.longestJSON(values[index]) }
        let texts = stretch.computedCount == 0 ? [] : computedTexts(of: stretch, encoding)
        for text in texts { room += JSONBytes.longestString(utf8Count: text.utf8.count) }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            guard let base = space.baseAddress else { return 0 }
            var output = base
            func put(_ byte: UInt8) {
                output.storeBytes(of: byte, as: UInt8.self)
                output += 1
            }
            if afterComma { put(UInt8(ascii: ",")) }
            var byte = stretch.firstByte
            var value = stretch.firstValue
            var text = 0
            for index in stretch.parts {
                let part = parts[index]
                output.copyMemory(from: bytes + byte, byteCount: part.end - byte)
                output += part.end - byte
                byte = part.end
                switch part.kind {
                case .text: break
                case .value:
                    output += write(value, encoding, to: output)
                    value += 1
                case .computed:
                    var content = texts[text]
                    output += content.withUTF8 {
                        JSONBytes.write(string: UnsafeRawBufferPointer($0), to: output)
                    }
                    text += 1
                }
            }
            if end != .open {
                if stretch.parts.isEmpty { put(UInt8(ascii: "{")) }
                put(UInt8(ascii: "}"))
                if end == .braceAndLineFeed { put(0x0A) }
            }
            return output - base
        }
    }

    /// Writes a value of a declared type. If the value does not have this type, the function writes null and records
    /// the ``mismatch``.
    @inline(__always)
    func write(_ value: Int, _ encoding: ValueEncoding, to target: UnsafeMutableRawPointer) -> Int {
        let kind = formats[value].kind
        // Most values need no conversion. Only these kinds are frequent enough to be inlined.
        let isPlain =
            switch values[value] {
            case .integer(let integer): kind == .safeInteger && integer.magnitude < 1 << 53
            case .text: kind == .text || kind == .choice && isChoice(value)
            case .date: kind == .date
            default: false
            }
        if isPlain || kind == .any {
            guard case .text(let bytes) = values[value] else {
                if case .double(let double) = values[value], !double.isFinite { noteMismatch(value, isAny: true) }
                return encoding.writeJSON(values[value], to: target)
            }
            var isUTF8 = true
            let count = JSONBytes.write(string: bytes, to: target, isUTF8: &isUTF8)
            guard isUTF8 || !noteMismatch(value, isAny: true) else { return encoding.writeJSON(.null, to: target) }
            return count
        }
        return writeTyped(value, encoding, to: target)
    }

    /// Writes a value whose format or validity depends on its declared type.
    @inline(never)
    private func writeTyped(_ value: Int, _ encoding: ValueEncoding, to target: UnsafeMutableRawPointer) -> Int {
        let format = formats[value]
        if format.kind != .choice || isChoice(value),
            let count = encoding.writeJSON(values[value], as: format, to: target)
        {
            if format.isDate, case .text = values[value], target.load(as: UInt8.self) == UInt8(ascii: "n") {
                zeroDates += 1
            }
            return count
        }
        noteMismatch(value)
        return encoding.writeJSON(.null, to: target)
    }

    /// Records the current value as a mismatch, unless a mismatch has already been recorded.
    /// - Parameter isAny: True for a value that JSON cannot represent: an infinite number, or a text that is not valid
    ///   UTF-8. It is a mismatch for every type, but only if the shape belongs to a resource.
    /// - Returns: True if the value must be written as null.
    @inline(never) @discardableResult
    func noteMismatch(_ value: Int, isAny: Bool = false) -> Bool {
        guard !isAny || shapes.first?.source != nil else { return false }
        if formats[value].nullifiesMismatches, !isNull(value) {
            nullified += 1
            return true
        }
        guard mismatch == nil else { return false }
        var isUTF8 = true
        if case .text(let bytes) = values[value] { isUTF8 = UTF8Sequence.firstInvalidByte(in: bytes) == nil }
        mismatch = (value, values[value].copied(), isUTF8)
        return false
    }

    private func isNull(_ value: Int) -> Bool { if case .null = values[value] { true } else { false } }

    func isChoice(_ value: Int) -> Bool {
        let range = choiceRanges[value]
        guard case .text(let bytes) = values[value], !range.isEmpty else { return true }
        for index in range {
            let choice = choices[index]
            guard choice.count == bytes.count else { continue }
            var isEqual = true
            for position in 0..<bytes.count where choice[position] != bytes[position] {
                isEqual = false
                break
            }
            if isEqual { return true }
        }
        return false
    }

    @inline(never)
    func computedTexts(of stretch: StretchTable, _ encoding: ValueEncoding) -> [String] {
        (stretch.firstComputed..<(stretch.firstComputed + stretch.computedCount)).map { index in
            switch computed[index] {
            case .values(let range, let text): text(range.map { values[$0].copied() })
            case .object(let stretch, let text): text(object(of: stretches[stretch], encoding), encoding)
            }
        }
    }

    /// Returns the text of an object that is not part of the response.
    private func object(of stretch: StretchTable, _ encoding: ValueEncoding) -> ByteBuffer {
        // The values of the response are counted when the response is written.
        let (zeroDates, nullified) = (zeroDates, nullified)
        defer { (self.zeroDates, self.nullified) = (zeroDates, nullified) }
        var buffer = ByteBuffer()
        write(stretch, encoding, false, .brace, to: &buffer)
        return buffer
    }
}
