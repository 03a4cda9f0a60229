/// Reads the records of a query.
final class RecordReader {
    private let load: (CacheKey) -> Record?
    let types: TypeConditions
    /// Decides if a field is too old; `nil` to read fields of any age.
    let freshness: Freshness?

    init(types: TypeConditions, freshness: Freshness?, load: @escaping (CacheKey) -> Record?) {
        self.types = types
        self.freshness = freshness
        self.load = load
    }

    func record(_ key: CacheKey) -> Record? { load(key) }

    /// The value of a selected field; `nil` if the record does not have it, or has one that is too old.
    /// - Parameter hint: where it probably is in the record.
    func value(of field: Selection.Field, in record: Record, typeName: String?, hint: Int) -> FieldValue? {
        guard let position = record.position(of: field.key, hint: hint) else { return nil }
        if let freshness,
            !freshness.isFresh(record.receipts[position], type: typeName, field: field.name)
        {
            return nil
        }
        return record.values[position]
    }

    static let typeNameKey: FieldKey = "__typename"

    /// The type of a record: its `__typename`, or the one that the model names.
    func typeName(of record: Record, selection: Selection) -> String? {
        if case .string(let name)? = record[Self.typeNameKey] { return name }
        return selection.typeName
    }
}

/// Decodes models from records of the cache.
final class RecordDecoder {
    private let record: Record
    private let selection: Selection
    let reader: RecordReader
    private let type: String?
    private var position = 0

    /// - Parameter type: the type whose own fields are read, too.
    init(_ record: Record, selection: Selection, reader: RecordReader, type: String? = nil) {
        self.record = record
        self.selection = selection
        self.reader = reader
        self.type = type
    }

    var typeName: String? { reader.typeName(of: record, selection: selection) }

    /// A decoder of the same record that begins with the first field.
    func restarted(as type: String?) -> RecordDecoder {
        RecordDecoder(record, selection: selection, reader: reader, type: type ?? self.type)
    }

    func value<Value: FieldDecodable>(
        _ name: String, mayBeAbsent: @autoclosure () -> Bool
    ) throws(ModelError) -> Value {
        guard let position = selection.position(of: name, for: type, hint: position) else {
            if mayBeAbsent(), let absent = Value.absent { return absent }
            throw ModelError(
                .unmapped,
                "\(selection.modelName) reads this field, but did not read it when its document was made. Read all fields of a model every time, and the fields of one type by value(on:as:)."
            )
        }
        self.position = position + 1
        let field = selection.fields[position]
        let typeName = reader.freshness?.needsType == true ? self.typeName : nil
        guard let value = reader.value(of: field, in: record, typeName: typeName, hint: position) else {
            if let absent = Value.absent { return absent }
            throw ModelError(.missing, "The cache does not have this field. Fetch the query from the server.")
        }
        return try Value.decode(
            ResponseValue(storage: .cached(value, selection: field.child, reader: reader)))
    }
}
