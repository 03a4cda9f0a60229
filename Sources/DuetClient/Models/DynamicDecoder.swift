/// Reads the fields of one object for a ``DataDecodable`` model.
///
/// The same calls of a model's initializer are answered in three ways: a ``MappingDecoder`` notes which fields they ask for, a
/// ``DictionaryDecoder`` answers from a response, and a decoder of records from the cache.
public struct DynamicDecoder {
    enum Source {
        case mapping(MappingDecoder)
        case response(DictionaryDecoder)
        case cached(RecordDecoder)
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    /// Reads a field.
    /// - Parameters:
    ///   - name: the name in the schema.
    ///   - alias: another name for the value in the response, for a field that the model reads twice with different arguments.
    ///   - arguments: evaluated only when the document is made.
    ///   - conditions: under which the field is selected. If they do not hold, the value is `nil` or an empty list.
    ///   - maximumDepth: how many times the model of the field can be inside itself, for a model that contains itself. A value below
    ///     that is `nil` or an empty list.
    /// - Throws: ``ModelError``.
    public func value<Value: FieldDecodable>(
        _ name: String, alias: String? = nil, arguments: @autoclosure () -> Arguments = [:],
        conditions: @autoclosure () -> [FieldCondition] = [], maximumDepth: Int? = nil, as: Value.Type = Value.self,
        fileID: StaticString = #fileID, line: Int = #line
    ) throws(ModelError) -> Value {
        let responseName = alias ?? name
        do throws(ModelError) {
            switch source {
            case .cached(let decoder):
                return try decoder.value(responseName, mayBeAbsent: maximumDepth != nil || !conditions().isEmpty)
            case .response(let decoder):
                return try decoder.value(responseName, mayBeAbsent: maximumDepth != nil || !conditions().isEmpty)
            case .mapping(let decoder):
                let field = FieldMap(
                    name, alias: alias, arguments: arguments(), conditions: conditions(),
                    place: SourcePlace(fileID: "\(fileID)", line: line))
                return try decoder.value(field, maximumDepth: maximumDepth)
            }
        } catch {
            throw error.below(.field(responseName))
        }
    }

    /// Reads more fields of this object with another model.
    /// - Throws: ``ModelError``.
    public func value<Model: DataDecodable>(as: Model.Type = Model.self) throws(ModelError) -> Model {
        switch source {
        case .mapping(let decoder): try decoder.include(Model.self)
        case .response(let decoder): try Model(from: DynamicDecoder(.response(decoder.restarted())))
        case .cached(let decoder): try Model(from: DynamicDecoder(.cached(decoder.restarted(as: nil))))
        }
    }

    /// Reads fields that only objects of one type have.
    /// - Parameter typeName: an object type; an interface or a union only if the client knows its types.
    /// - Returns: `nil` if the object is not of that type.
    /// - Throws: ``ModelError``.
    public func value<Model: DataDecodable>(
        on typeName: String, as: Model.Type = Model.self
    ) throws(ModelError) -> Model? {
        switch source {
        case .mapping(let decoder): return try decoder.include(Model.self, on: typeName)
        case .response(let decoder):
            guard decoder.types.isType(decoder.typeName, typeName) else { return nil }
            return try Model(from: DynamicDecoder(.response(decoder.restarted())))
        case .cached(let decoder):
            guard decoder.reader.policies.types.isType(decoder.typeName, typeName) else { return nil }
            return try Model(from: DynamicDecoder(.cached(decoder.restarted(as: typeName))))
        }
    }
}
