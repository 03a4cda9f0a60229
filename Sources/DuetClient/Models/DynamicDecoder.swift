/// Reads the fields of one object for a ``DataDecodable`` model.
///
/// A model's initializer calls the same methods for three purposes: to record the fields that the model reads
/// (``MappingDecoder``), to decode a response (``DictionaryDecoder``), and to decode objects of the cache.
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
    ///   - name: The name in the schema.
    ///   - alias: The response name, if it differs from the name. It is required if the model reads a field twice with
    ///     different arguments.
    ///   - arguments: The arguments. They are evaluated only when the document is created.
    ///   - conditions: The conditions under which the field is selected. If one of them is false, the value is `nil` or
    ///     an empty list.
    ///   - maximumDepth: The maximum nesting depth, if the field's model contains itself. A value below this depth is
    ///     `nil` or an empty list.
    ///   - as: The type of the value.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
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
                let field = FieldMap(name, alias: alias, arguments: arguments(), conditions: conditions())
                return try decoder.value(
                    field, maximumDepth: maximumDepth, at: SourcePlace(fileID: fileID.description, line: line))
            }
        } catch {
            throw error.below(.field(responseName))
        }
    }

    /// Decodes another model from the fields of this object.
    /// - Throws: ``ModelError``.
    public func value<Model: DataDecodable>(as: Model.Type = Model.self) throws(ModelError) -> Model {
        switch source {
        case .mapping(let decoder): try decoder.include(Model.self)
        case .response(let decoder): try Model(from: DynamicDecoder(.response(decoder.restarted())))
        case .cached(let decoder): try Model(from: DynamicDecoder(.cached(decoder.restarted(as: nil))))
        }
    }

    /// Decodes another model from the fields of this object, if conditions are true.
    /// - Parameters:
    ///   - as: The type of the model.
    ///   - conditions: The conditions under which the fields are selected. All conditions must be true.
    /// - Returns: The model, or `nil` if the response does not contain the fields because a condition is false.
    /// - Throws: ``ModelError``.
    public func value<Model: DataDecodable>(
        as: Model.Type = Model.self, conditions: [FieldCondition]
    ) throws(ModelError) -> Model? {
        if case .mapping(let decoder) = source {
            return try decoder.include(Model.self, on: nil, conditions: conditions)
        }
        return try ifSelected(conditions) { () throws(ModelError) in try value(as: Model.self) }
    }

    /// Decodes another model from the fields of this object, if the object has the given type.
    /// - Parameters:
    ///   - typeName: The name of an object type. The name of an interface or a union is valid only if the cache
    ///     policies contain its object types.
    ///   - as: The type of the model.
    ///   - conditions: The conditions under which the fields are selected. All conditions must be true.
    /// - Returns: The model, or `nil` if the object does not have the type or a condition is false.
    /// - Throws: ``ModelError``.
    public func value<Model: DataDecodable>(
        on typeName: String, as: Model.Type = Model.self, conditions: [FieldCondition] = []
    ) throws(ModelError) -> Model? {
        switch source {
        case .mapping(let decoder):
            return try decoder.include(Model.self, on: typeName, conditions: conditions)
        case .response(let decoder):
            guard decoder.types.isType(decoder.typeName, typeName) else { return nil }
            return try ifSelected(conditions) { () throws(ModelError) in
                try Model(from: DynamicDecoder(.response(decoder.restarted())))
            }
        case .cached(let decoder):
            guard decoder.reader.policies.types.isType(decoder.typeName, typeName) else { return nil }
            return try ifSelected(conditions) { () throws(ModelError) in
                try Model(from: DynamicDecoder(.cached(decoder.restarted(as: typeName))))
            }
        }
    }

    /// Reads a model whose fields are selected under conditions. The decoder of a response does not have the values of
    /// the variables. If a field of this object is missing, the decoder therefore assumes that a condition is false.
    private func ifSelected<Model>(
        _ conditions: [FieldCondition], _ read: () throws(ModelError) -> Model
    ) throws(ModelError) -> Model? {
        do throws(ModelError) {
            return try read()
        } catch {
            // If a field of a nested object is missing, the conditions are not the cause.
            let isOwn = !conditions.isEmpty && error.path.count == 1
            switch (error.code, source) {
            case (.missing, .response) where isOwn, (.unmapped, .cached) where isOwn: return nil
            default: throw error
            }
        }
    }
}
