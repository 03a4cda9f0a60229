internal import DuetJSON
internal import NIOCore

/// Writes values as JSON (ExecuteSelectionSet and CompleteValue; specification, sections 6.3 and 6.4), in one pass.
///
/// What a function returns is whether the value may stand: false means that it is null where null is not allowed, so that the
/// value around it must become null. What was written until then is taken back by whoever may be null.
struct SegmentWriter {
    let operation: OperationContext
    var buffer: ByteBuffer
    var holes: [Hole] = []
    var errors: [FieldError] = []
    var deferred: [DeferredRecord] = []
    private(set) var regions: [Region] = []
    private(set) var pieces: [Piece] = []
    var path = PathStack()
    private var open: ContiguousArray<OpenRegion> = []
    /// The type met last where the type is known only with the object.
    private var lastAbstract: LastAbstract?
    /// What resolvers are told, by the number of the field's place; ``ownedContexts`` keeps them.
    private var contexts: ContiguousArray<Unmanaged<FieldContext>?> = []
    /// The number of the first of them.
    private var firstContext = 0
    /// Those whose numbers are far from the first.
    private var farContexts: [Int: Unmanaged<FieldContext>] = [:]
    private var ownedContexts: [FieldContext] = []

    private struct LastAbstract {
        let selection: AbstractSelection
        let plan: PlannedSelection
        /// The Swift type that alone says so, if it does.
        let sourceType: ObjectIdentifier?
    }

    /// A nullable value that is being written.
    private struct OpenRegion {
        let start: Int
        /// How many there were when it began.
        let holes: Int
        let deferred: Int
        /// Its place in ``regions``, once there is a hole in it.
        var record = -1
    }

    init(_ operation: OperationContext, buffer: ByteBuffer) {
        self.operation = operation
        self.buffer = buffer
    }

    /// What was written.
    consuming func finish() -> Segment {
        Segment(
            buffer: buffer, holes: holes, regions: regions, pieces: pieces, deferred: deferred, errors: errors)
    }

    /// Goes on where a segment ends, outside of all values but its last piece.
    init(_ operation: OperationContext, resuming segment: consuming Segment) {
        self.init(operation, buffer: segment.buffer)
        holes = segment.holes
        regions = segment.regions
        pieces = segment.pieces
        deferred = segment.deferred
        errors = segment.errors
    }

    // MARK: - Pieces

    mutating func beginPiece(at base: ResponsePath?, owner: HoleReference? = nil) {
        path.rebase(base)
        pieces.append(
            Piece(
                start: buffer.writerIndex, end: buffer.writerIndex, holes: holes.count..<holes.count,
                regions: regions.count..<regions.count, owner: owner))
    }

    mutating func endPiece(stands: Bool) {
        let last = pieces.count - 1
        var piece = pieces[last]
        if !stands { takeBack(to: piece.start, holes: piece.holes.lowerBound) }
        piece.end = buffer.writerIndex
        piece.holes = piece.holes.lowerBound..<holes.count
        piece.regions = piece.regions.lowerBound..<regions.count
        piece.isNull = !stands
        pieces[last] = piece
    }

    // MARK: - Regions

    /// Forgets what was written from there on.
    private mutating func takeBack(to start: Int, holes count: Int) {
        buffer.moveWriterIndex(to: start)
        if holes.count > count { holes.removeSubrange(count...) }
    }

    @inline(__always)
    private mutating func openRegion() {
        open.append(OpenRegion(start: buffer.writerIndex, holes: holes.count, deferred: deferred.count))
    }

    @inline(__always)
    private mutating func closeRegion(stands: Bool) {
        let region = open.removeLast()
        if !stands {
            takeBack(to: region.start, holes: region.holes)
            if deferred.count > region.deferred { deferred.removeSubrange(region.deferred...) }
            write(null: ())
        }
        if region.record >= 0 { regions[region.record].end = buffer.writerIndex }
    }

    /// The innermost nullable value that is being written, as a record that holes refer to.
    private mutating func currentRegion() -> Int {
        guard var first = open.indices.last else { return -1 }
        while first >= 0, open[first].record < 0 { first -= 1 }
        var parent = first < 0 ? -1 : open[first].record
        for index in (first + 1)..<open.count {
            open[index].record = regions.count
            regions.append(Region(start: open[index].start, end: 0, parent: parent, piece: pieces.count - 1))
            parent = open[index].record
        }
        return parent
    }

    // MARK: - Errors

    /// An error of the current field or item.
    mutating func report(_ error: any Error) {
        errors.append(operation.located(error, at: path.current()))
    }

    @inline(__always)
    private mutating func write(null: Void) { buffer.writeStaticString("null") }

    /// Null, or false if it may not be null.
    @inline(__always)
    private mutating func writeNull(for output: PlannedOutput) -> Bool {
        if output.isNonNull { return false }
        write(null: ())
        return true
    }

    private mutating func fail(_ error: any Error, _ output: PlannedOutput) -> Bool {
        report(error)
        return writeNull(for: output)
    }

    // MARK: - Objects

    /// ExecuteSelectionSet: an object with all its fields.
    mutating func write(_ selection: PlannedSelection, of source: any Sendable) -> Bool {
        beginObject()
        var isFirst = true
        for step in selection.unmanagedFields {
            guard step._withUnsafeGuaranteedRef({ write($0, of: source, isFirst: isFirst) }) else { return false }
            isFirst = false
        }
        endObject(selection, source)
        return true
    }

    mutating func beginObject() { buffer.writeInteger(UInt8(ascii: "{")) }

    mutating func endObject(_ selection: PlannedSelection, _ source: any Sendable) {
        buffer.writeInteger(UInt8(ascii: "}"))
        if !selection.deferred.isEmpty { deferFields(of: selection, source) }
    }

    private mutating func deferFields(of selection: PlannedSelection, _ source: any Sendable) {
        let path = path.current()
        let region = currentRegion()
        for fields in selection.deferred {
            deferred.append(
                DeferredRecord(
                    work: .fields(fields, source: source), path: path, region: region,
                    piece: pieces.count - 1))
        }
    }

    /// ExecuteField: a field with its key.
    @inline(__always)
    mutating func write(_ field: PlannedField, of source: any Sendable, isFirst: Bool) -> Bool {
        if field.isSync, let context = context(of: field) {
            return context._withUnsafeGuaranteedRef { context in
                let value: ResolvedValue
                do {
                    value = try field.resolve(source, context)
                } catch {
                    value = .failure(error)
                }
                if writeLeaf(value, field, isFirst: isFirst) { return true }
                return write(value, field, isFirst: isFirst)
            }
        }
        return writeOther(field, of: source, isFirst: isFirst)
    }

    /// A field whose value is no simple leaf.
    private mutating func write(_ value: ResolvedValue, _ field: PlannedField, isFirst: Bool) -> Bool {
        write(field.key, isFirst: isFirst)
        path.push(field)
        let stands = complete(value, field.output, field)
        path.pop()
        return stands
    }

    /// A field that does not answer at once, or needs no answer.
    private mutating func writeOther(_ field: PlannedField, of source: any Sendable, isFirst: Bool) -> Bool {
        switch field.resolution {
        case .constant: write(field.key, isFirst: isFirst)
        case .sync:
            do {
                _ = try operation.arguments(of: field)
            } catch {
                return write(.failure(error), field, isFirst: isFirst)
            }
        case .asynchronous(.events) where operation.event != nil:
            return write(operation.event ?? .null, field, isFirst: isFirst)
        case .asynchronous:
            write(field.key, isFirst: isFirst)
            let region = currentRegion()
            holes.append(
                Hole(
                    offset: buffer.writerIndex, field: field, source: source, path: path.appending(field),
                    region: region, piece: pieces.count - 1))
        }
        return true
    }

    @inline(__always)
    private mutating func write(_ bytes: ConstantBytes, isFirst: Bool) {
        let skipped = isFirst ? 1 : 0
        buffer.writeBytes(UnsafeRawBufferPointer(start: bytes.start + skipped, count: bytes.count - skipped))
    }

    /// What the field's resolver is told; nil if its arguments are wrong.
    @inline(__always)
    private mutating func context(of field: PlannedField) -> Unmanaged<FieldContext>? {
        let place = Int(field.planPosition.id) - firstContext
        if place >= 0, place < contexts.count, let context = contexts[place] { return context }
        return makeContext(of: field)
    }

    @inline(never)
    private mutating func makeContext(of field: PlannedField) -> Unmanaged<FieldContext>? {
        let number = Int(field.planPosition.id)
        if let context = farContexts[number] { return context }
        guard let context = try? FieldContext(field, operation) else { return nil }
        let reference = Unmanaged.passUnretained(context)
        ownedContexts.append(context)
        if contexts.isEmpty { firstContext = number }
        let place = number - firstContext
        if place >= 0, place < 256 {
            while contexts.count <= place { contexts.append(nil) }
            contexts[place] = reference
        } else {
            farContexts[number] = reference
        }
        return reference
    }

    /// Key and value at once, for the values of nearly all fields; false if it is none of these, and nothing was written.
    @inline(__always)
    private mutating func writeLeaf(_ value: ResolvedValue, _ field: PlannedField, isFirst: Bool) -> Bool {
        // No tuple of both: that would copy the value.
        switch field.output.leaf {
        case .none, .float, .other: return false
        case .int:
            guard case .int(let number) = value, Int32(exactly: number) != nil else { return false }
            write(key: field, isFirst: isFirst, atMost: JSONBytes.longestInteger) { JSONBytes.write(number, to: $0) }
        case .string, .id:
            if case .int(let number) = value, field.output.leaf == .id {
                write(key: field, isFirst: isFirst, atMost: JSONBytes.longestInteger + 2) { target in
                    let count = JSONBytes.write(number, to: target + 1)
                    target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
                    target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: count + 1, as: UInt8.self)
                    return count + 2
                }
                return true
            }
            guard case .string(let text) = value else { return false }
            let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                write(key: field, isFirst: isFirst, atMost: JSONBytes.longestString(utf8Count: bytes.count)) {
                    JSONBytes.write(string: bytes, to: $0)
                }
            }
            return isWritten != nil
        case .boolean:
            guard case .bool(let value) = value else { return false }
            write(key: field, isFirst: isFirst, atMost: 8) {
                let text: StaticString = value ? "true" : "false"
                $0.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
                return text.utf8CodeUnitCount
            }
        }
        return true
    }

    @inline(__always)
    private mutating func write(
        key field: PlannedField, isFirst: Bool, atMost count: Int, _ value: (UnsafeMutableRawPointer) -> Int
    ) {
        let key = field.key
        let skipped = isFirst ? 1 : 0
        let keyCount = key.count - skipped
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: keyCount + count) { space in
            guard let target = space.baseAddress else { return 0 }
            target.copyMemory(from: key.start + skipped, byteCount: keyCount)
            return keyCount + value(target + keyCount)
        }
    }

    // MARK: - Values

    /// CompleteValue: a field's value or a list's item. The path ends in it.
    mutating func complete(_ value: ResolvedValue, _ output: PlannedOutput, _ field: PlannedField) -> Bool {
        switch value {
        case .null:
            if output.isNonNull { return failNull(field) }
            write(null: ())
            return true
        case .failure(let error): return fail(error, output)
        default: break
        }
        switch output.kind {
        case .scalar(let type): return complete(value, as: type, output, field)
        case .enum(let type): return complete(value, as: type, output, field)
        case .object(let selection):
            if output.isNonNull { return complete(value, as: selection, field) }
            openRegion()
            let stands = complete(value, as: selection, field)
            closeRegion(stands: stands)
            return true
        case .abstract(let selection):
            if output.isNonNull { return complete(value, as: selection, field) }
            openRegion()
            let stands = complete(value, as: selection, field)
            closeRegion(stands: stands)
            return true
        case .list(let item):
            let stream = output === field.output ? field.stream : nil
            if output.isNonNull { return complete(value, asListOf: item, field, stream) }
            openRegion()
            let stands = complete(value, asListOf: item, field, stream)
            closeRegion(stands: stands)
            return true
        }
    }

    private mutating func failNull(_ field: PlannedField) -> Bool {
        report(GraphQLError("Cannot return null for non-nullable field \(field.parentType.name).\(field.name)."))
        return false
    }

    private mutating func complete(
        _ value: ResolvedValue, as selection: PlannedSelection, _ field: PlannedField
    ) -> Bool {
        if case .object(let source) = value {
            if let test = operation.schema.typeTest(of: selection.type), !test(source) {
                return failObject(value, selection.type.name)
            }
            return write(selection, of: source)
        }
        guard let source = source(of: value) else { return failObject(value, selection.type.name) }
        return complete(.object(source), as: selection, field)
    }

    private mutating func failObject(_ value: ResolvedValue, _ type: String) -> Bool {
        report(Self.notAnObject(value, type))
        return false
    }

    private mutating func complete(
        _ value: ResolvedValue, as abstract: AbstractSelection, _ field: PlannedField
    ) -> Bool {
        guard let source = source(of: value) else { return failObject(value, abstract.type.name) }
        guard let selection = selection(from: abstract, for: source, value, field) else { return false }
        return write(selection, of: source)
    }

    /// What is selected from an object whose type it tells itself; nil, and an error, if it does not.
    private mutating func selection(
        from abstract: AbstractSelection, for source: any Sendable, _ value: ResolvedValue, _ field: PlannedField
    ) -> PlannedSelection? {
        do {
            let sourceType = ObjectIdentifier(Swift.type(of: source))
            if let last = lastAbstract, last.selection === abstract, last.sourceType == sourceType { return last.plan }
            let type = try operation.schema.objectType(of: source, as: abstract.type, field: field, operation)
            let selection: PlannedSelection
            if let last = lastAbstract, last.selection === abstract, last.plan.type === type {
                selection = last.plan
            } else {
                selection = try abstract.selection(for: type)
            }
            lastAbstract = LastAbstract(
                selection: abstract, plan: selection,
                sourceType: operation.schema.isBound(sourceType, to: type, as: abstract.type) ? sourceType : nil)
            if let test = operation.schema.typeTest(of: type), !test(source) {
                throw Self.notAnObject(value, type.name)
            }
            return selection
        } catch {
            report(error)
            return nil
        }
    }

    private func source(of value: ResolvedValue) -> (any Sendable)? {
        switch value {
        case .object(let source): source
        case .value(.object(let fields)): fields
        default: nil
        }
    }

    private static func notAnObject(_ value: ResolvedValue, _ type: String) -> GraphQLError {
        GraphQLError(
            "Expected value of type \"\(type)\" but got: \(value.leafValue?.inspected ?? "another value").")
    }

    // MARK: - Lists

    private mutating func complete(
        _ value: ResolvedValue, asListOf item: PlannedOutput, _ field: PlannedField, _ stream: StreamUsage?
    ) -> Bool {
        if let stream, let next = Self.iterator(over: value) { return writeItems(item, field, stream, next) }
        // Each has a function of its own: the stack of a debug build would have room for all of them at every level.
        switch value {
        case .list(let values): return writeItems(of: values, item, field)
        case .sequence(let sequence): return writeItems(of: sequence, item, field)
        case .value(.list(let values)):
            return writeItems(of: ResolvedSequence(values) { ResolvedValue($0) }, item, field)
        default: return failList(field)
        }
    }

    private mutating func failList(_ field: PlannedField) -> Bool {
        report(
            GraphQLError(
                "Expected Iterable, but did not find one for field \"\(field.parentType.name).\(field.name)\"."))
        return false
    }

    private mutating func writeItems(
        of values: [ResolvedValue], _ item: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        var index = 0
        return writeItems(item, field) {
            guard index < values.count else { return nil }
            index += 1
            return values[index - 1]
        }
    }

    private mutating func writeItems(
        of sequence: ResolvedSequence, _ item: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        guard case .indexed(let count, let get) = sequence.storage else {
            return writeItems(of: sequence.makeIterator(), item, field)
        }
        var index = 0
        return writeItems(item, field) {
            guard index < count else { return nil }
            index += 1
            return try get(index - 1)
        }
    }

    private mutating func writeItems(
        of next: () throws -> ResolvedValue?, _ item: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        writeItems(item, field, next)
    }

    private static func iterator(over value: ResolvedValue) -> (() throws -> ResolvedValue?)? {
        switch value {
        case .list(let values): ResolvedSequence(values) { $0 }.makeIterator()
        case .sequence(let sequence): sequence.makeIterator()
        case .value(.list(let values)): ResolvedSequence(values) { ResolvedValue($0) }.makeIterator()
        default: nil
        }
    }

    /// The first items of a list with `@stream`; a record is made of the rest.
    private mutating func writeItems(
        _ item: PlannedOutput, _ field: PlannedField, _ stream: StreamUsage,
        _ next: @escaping () throws -> ResolvedValue?
    ) -> Bool {
        var index = 0
        let stands = writeItems(item, field) {
            guard index < stream.initialCount else { return nil }
            index += 1
            return try next()
        }
        guard stands, index == stream.initialCount else { return stands }
        do {
            guard let first = try next() else { return true }
            deferred.append(
                DeferredRecord(
                    work: .items(RemainingItems(first: first, next), index: index, field: field, item: item),
                    path: path.current(), region: currentRegion(), piece: pieces.count - 1))
        } catch {
            report(error)
            return false
        }
        return true
    }

    @inline(__always)
    mutating func writeItems(
        _ item: PlannedOutput, _ field: PlannedField, from start: Int = 0, _ next: () throws -> ResolvedValue?
    ) -> Bool {
        buffer.writeInteger(UInt8(ascii: "["))
        var index = start
        do {
            while let value = try next() {
                if index == start {
                    path.push(index: start)
                } else {
                    buffer.writeInteger(UInt8(ascii: ","))
                    path.replaceTop(index: index)
                }
                index += 1
                guard complete(value, item, field) else {
                    path.pop()
                    return false
                }
                if index & 0x3FF == 0, Task.isCancelled { break }
            }
        } catch {
            if index > start { path.pop() }
            report(error)
            return false
        }
        if index > start { path.pop() }
        buffer.writeInteger(UInt8(ascii: "]"))
        return true
    }

    // MARK: - Leaves

    private mutating func complete(
        _ value: ResolvedValue, as type: ScalarType, _ output: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        var writer = JSONWriter(buffer)
        buffer = ByteBuffer()
        defer { buffer = writer.buffer }
        switch (value, output.leaf) {
        case (.int(let number), .int) where Int32(exactly: number) != nil: writer.write(number)
        case (.double(let number), .float) where number.isFinite: writer.write(number)
        case (.string(let text), .string), (.string(let text), .id): writer.write(text)
        case (.bool(let bool), .boolean): writer.write(bool)
        case (.raw(let bytes), _): writer.write(raw: bytes.readableBytesView)
        default:
            do {
                guard let leaf = value.leafValue else { throw GraphQLError("\(type.name) cannot represent the value.") }
                let serialized = try type.coercion.serialize(leaf)
                if serialized == .null {
                    throw GraphQLError(
                        "Expected `\(type.name).serialize(\(leaf.inspected))` to return non-nullable value, returned: null"
                    )
                }
                writer.write(serialized)
            } catch {
                report(error)
                if output.isNonNull { return false }
                writer.writeNull()
            }
        }
        return true
    }

    private mutating func complete(
        _ value: ResolvedValue, as type: EnumType, _ output: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        let name: String? =
            switch value {
            case .string(let name), .value(.enum(let name)), .value(.string(let name)): name
            default: nil
            }
        if let name, type.values[name] != nil {
            var text = name
            text.withUTF8 { bytes in
                buffer.writeInteger(UInt8(ascii: "\""))
                buffer.writeBytes(UnsafeRawBufferPointer(bytes))
                buffer.writeInteger(UInt8(ascii: "\""))
            }
            return true
        }
        if case .raw(let bytes) = value {
            buffer.writeImmutableBuffer(bytes)
            return true
        }
        return fail(
            GraphQLError(
                "Enum \"\(type.name)\" cannot represent value: \(value.leafValue?.inspected ?? "another value")"),
            output)
    }
}

extension OperationContext {
    /// LocatedError: what the response says of an error that a resolver or a scalar threw.
    func located(_ error: any Error, at path: ResponsePath?) -> FieldError {
        var shown =
            error as? GraphQLError
            ?? GraphQLError(schema.options.message(error), underlyingError: error)
        if shown.locations.isEmpty, let field = path?.field {
            shown.locations = field.nodes.map { document.source.location(of: $0.range) }
        }
        return FieldError(error: shown, path: path)
    }
}
