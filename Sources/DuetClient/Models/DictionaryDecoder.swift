public import DuetJSON

/// Decodes models from a JSON object of a response.
///
/// A missing member is usually an error. It is not an error if the field has a condition or a maximum depth, and the
/// Swift type of the field has a value for a missing member, such as `nil`.
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
    ///   - model: The type of the model.
    ///   - object: The JSON object.
    ///   - types: The object types of each interface and union.
    /// - Throws: ``ModelError`` if the value is not an object, or does not match the model.
    public static func decode<Model: DataDecodable>(
        _ model: Model.Type = Model.self, from object: JSONTape.Value, types: TypeConditions = TypeConditions()
    ) throws(ModelError) -> Model {
        try Model(from: try ResponseValue(storage: .response(object, types: types)).object())
    }

    /// The `__typename` of the object, if the response has it.
    var typeName: String? { object["__typename"]?.string }

    /// Returns a new decoder of the same object. The new decoder searches for members from the first member.
    func restarted() -> DictionaryDecoder { DictionaryDecoder(object, types: types) }

    /// Returns the value of a member.
    /// - Throws: ``ModelError`` if the object does not have the member.
    func member(_ name: String) throws(ModelError) -> ResponseValue {
        guard let member = cursor.find(name) else { throw Self.missing }
        return ResponseValue(storage: .response(member, types: types))
    }

    func value<Value: FieldDecodable>(
        _ name: String, mayBeAbsent: @autoclosure () -> Bool
    ) throws(ModelError) -> Value {
        if let member = cursor.find(name) {
            return try Value.decode(ResponseValue(storage: .response(member, types: types)))
        }
        if mayBeAbsent(), let absent = Value.absent { return absent }
        throw Self.missing
    }

    private static var missing: ModelError {
        ModelError(.missing, "The model reads this field, but the response does not contain it.")
    }
}
