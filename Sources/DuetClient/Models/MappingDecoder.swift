/// Walks a model without data and notes the fields that it reads.
///
/// A model is walked twice, with other values each time: optionals are there and then `nil`, lists have an element and then none, booleans
/// are true and then false. So a branch of an initializer that depends on one of these is seen as well.
public final class MappingDecoder {
    private var map: ObjectMap
    private let isSecondWalk: Bool
    /// The models from the root to this one.
    private let chain: [any DataDecodable.Type]

    private init(_ model: any DataDecodable.Type, isSecondWalk: Bool, chain: [any DataDecodable.Type]) {
        map = ObjectMap(typeName: model.typeName, modelName: "\(model)")
        self.isSecondWalk = isSecondWalk
        self.chain = chain + [model]
    }

    /// The fields that a model reads.
    /// - Throws: ``ModelError``: a model contains itself without a maximum depth, reads one response name for two fields, or throws
    ///   an error of its own.
    public static func map(_ model: (some DataDecodable).Type) throws(ModelError) -> ObjectMap {
        var map = try walk(model, isSecondWalk: false, chain: []).map
        try map.merge(try walk(model, isSecondWalk: true, chain: []).map)
        return map
    }

    private static func walk<Model: DataDecodable>(
        _ model: Model.Type, isSecondWalk: Bool, chain: [any DataDecodable.Type]
    ) throws(ModelError) -> (value: Model, map: ObjectMap) {
        let decoder = MappingDecoder(model, isSecondWalk: isSecondWalk, chain: chain)
        let value = try Model(from: DynamicDecoder(.mapping(decoder)))
        return (value, decoder.map)
    }

    func value<Value: FieldDecodable>(_ field: FieldMap, maximumDepth: Int?) throws(ModelError) -> Value {
        if let model = Value.model {
            let depth = chain.count { $0 == model }
            if depth > 0 {
                guard let maximumDepth else {
                    throw ModelError(
                        .recursion,
                        "\(model) contains itself. Give the field a maximumDepth, which bounds how often (\(describe(field.place)))."
                    )
                }
                guard let absent = Value.absent else {
                    throw ModelError(
                        .recursion,
                        "\(model) contains itself in a property that always has a value. Make it optional or a list (\(describe(field.place)))."
                    )
                }
                if depth > maximumDepth { return absent }
            }
        }
        var mapper = FieldMapper(isSecondWalk: isSecondWalk, chain: chain)
        let value = try Value.map(&mapper)
        var field = field
        field.object = mapper.map
        try map.merge(field)
        return value
    }

    func include<Model: DataDecodable>(_ model: Model.Type) throws(ModelError) -> Model {
        let (value, other) = try Self.walk(model, isSecondWalk: isSecondWalk, chain: chain)
        try map.merge(other)
        return value
    }

    func include<Model: DataDecodable>(_ model: Model.Type, on typeName: String) throws(ModelError) -> Model? {
        let (value, other) = try Self.walk(model, isSecondWalk: isSecondWalk, chain: chain)
        try map.merge(TypeCase(on: typeName, other))
        return isSecondWalk ? nil : value
    }

    private func describe(_ place: SourcePlace?) -> String { place?.description ?? "unknown place" }

    fileprivate static func object<Model: DataDecodable>(
        _ model: Model.Type, in mapper: FieldMapper
    ) throws(ModelError) -> (Model, ObjectMap) {
        let (value, map) = try walk(model, isSecondWalk: mapper.isSecondWalk, chain: mapper.chain)
        return (value, map)
    }
}

/// Notes what is selected below one field of a model.
public struct FieldMapper {
    /// True in the second of the two walks through a model.
    public let isSecondWalk: Bool
    fileprivate let chain: [any DataDecodable.Type]
    fileprivate(set) var map: ObjectMap?

    fileprivate init(isSecondWalk: Bool, chain: [any DataDecodable.Type]) {
        self.isSecondWalk = isSecondWalk
        self.chain = chain
    }

    /// Walks the model of an object.
    mutating func object<Model: DataDecodable>(_ model: Model.Type) throws(ModelError) -> Model {
        let (value, map) = try MappingDecoder.object(model, in: self)
        self.map = map
        return value
    }
}

extension ObjectMap {
    /// Adds the fields of another selection of the same object (CollectFields and MergeSelectionSets, specification, section 6.3.2).
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ other: ObjectMap) throws(ModelError) {
        for field in other.fields { try merge(field) }
        for typeCase in other.typeCases { try merge(typeCase) }
    }

    mutating func merge(_ field: FieldMap) throws(ModelError) {
        guard let index = fields.firstIndex(where: { $0.responseName == field.responseName }) else {
            fields.append(field)
            return
        }
        guard fields[index].name == field.name, fields[index].arguments == field.arguments else {
            throw ModelError(
                .conflict,
                "Two fields of \(modelName.isEmpty ? "one object" : modelName) are called \(field.responseName) in the response, with different arguments or names. Give one of them an alias."
            )
        }
        // Selected under the conditions of one or of the other: without a condition if these differ.
        if fields[index].conditions != field.conditions { fields[index].conditions = [] }
        guard let object = field.object else { return }
        if fields[index].object == nil {
            fields[index].object = object
        } else if fields[index].object != object {
            try fields[index].object?.merge(object)
        }
    }

    mutating func merge(_ typeCase: TypeCase) throws(ModelError) {
        if let index = typeCases.firstIndex(where: { $0.typeName == typeCase.typeName }) {
            try typeCases[index].object.merge(typeCase.object)
        } else {
            typeCases.append(typeCase)
        }
    }
}
