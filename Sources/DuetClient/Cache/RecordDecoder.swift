/// Decodes models from cached records.
final class RecordDecoder {
    private let record: Record
    private let selection: ResolvedSelection
    let reader: RecordReader
    private let type: String?
    private var position = 0

    /// - Parameter type: A type condition. The decoder also reads the fields that are selected for this type.
    init(_ record: Record, selection: ResolvedSelection, reader: RecordReader, type: String? = nil) {
        self.record = record
        self.selection = selection
        self.reader = reader
        self.type = type
    }

    var typeName: String? { reader.typeName(of: record, selection) }

    /// Returns a new decoder of the same record. Its search for fields starts at the first field.
    func restarted(as type: String?) -> RecordDecoder {
        RecordDecoder(record, selection: selection, reader: reader, type: type ?? self.type)
    }

    /// Returns the value of a field; `nil` if the cache does not have it.
    /// - Throws: ``ModelError`` if the field is not selected.
    func member(_ name: String) throws(ModelError) -> ResponseValue? {
        guard let position = selection.position(of: name, for: type, hint: position) else { throw unmapped }
        return member(at: position)
    }

    func value<Value: FieldDecodable>(
        _ name: String, mayBeAbsent: @autoclosure () -> Bool
    ) throws(ModelError) -> Value {
        guard let position = selection.position(of: name, for: type, hint: position) else {
            if mayBeAbsent(), let absent = Value.absent { return absent }
            throw unmapped
        }
        if let member = member(at: position) { return try Value.decode(member) }
        if let absent = Value.absent { return absent }
        throw Self.missing
    }

    @inline(__always)
    private func member(at position: Int) -> ResponseValue? {
        self.position = position + 1
        let field = selection.fields[position]
        guard let value = reader.value(of: field, in: record, typeName: typeName) else { return nil }
        return ResponseValue(storage: .cached(value, selection: field.child, reader: reader))
    }

    private var unmapped: ModelError {
        ModelError(
            .unmapped,
            "The document does not contain this field, because \(selection.modelName) did not read it when the document was created. Read all fields of a model on every call, and read the fields of a single type with value(on:as:)."
        )
    }

    static var missing: ModelError {
        ModelError(.missing, "The cache does not have this field. Fetch the query from the server.")
    }
}
