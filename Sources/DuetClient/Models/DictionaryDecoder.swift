public import DuetJSON

/// Decodes models from an object of a response. A missing key is an error with its path.
public final class DictionaryDecoder {
    private let object: JSONTape.Value
    private var cursor: JSONTape.Value.MemberCursor
    let types: TypeConditions

    init(_ object: JSONTape.Value, types: TypeConditions) {
        self.object = object
        self.types = types
        cursor = JSONTape.Value.MemberCursor(object)
    }

    /// Decodes a model from a JSON object, such as `data` of a response.
    /// - Parameters:
    ///   - model: the type of the model.
    ///   - object: the object of the response.
    ///   - types: the types of interfaces and unions.
    /// - Throws: ``ModelError`` if this is no object, or not the model's.
    public static func decode<Model: DataDecodable>(
        _ model: Model.Type = Model.self, from object: JSONTape.Value, types: TypeConditions = TypeConditions()
    ) throws(ModelError) -> Model {
        try Model(from: try ResponseValue(storage: .response(object, types: types)).object())
    }

    /// The `__typename` of the object, if the response has it.
    var typeName: String? { object["__typename"]?.string }

    /// A decoder of the same object that begins with its first member.
    func restarted() -> DictionaryDecoder { DictionaryDecoder(object, types: types) }

    func value<Value: FieldDecodable>(
        _ name: String, mayBeAbsent: @autoclosure () -> Bool
    ) throws(ModelError) -> Value {
        if let member = cursor.find(name) {
            return try Value.decode(ResponseValue(storage: .response(member, types: types)))
        }
        if mayBeAbsent(), let absent = Value.absent { return absent }
        throw ModelError(.missing, "The response has no such field, but the model reads it.")
    }
}
