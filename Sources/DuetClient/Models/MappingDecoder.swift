/// Calls a model's initializer without data, and records the fields that the initializer reads.
///
/// Each model is mapped in two passes with different placeholder values. In the first pass, optionals have a value,
/// lists have one element, and booleans are true. In the second pass, optionals are `nil`, lists are empty, and
/// booleans are false. Together, the passes cover both branches of an initializer that depends on such a value.
public final class MappingDecoder {
    private var map: ObjectMap
    private var positions = FieldPositions()
    private let model: any DataDecodable.Type
    private let isSecondWalk: Bool
    /// The models from the root to the current model.
    private let chain: [any DataDecodable.Type]

    private init(_ model: any DataDecodable.Type, _ map: ObjectMap, isSecondWalk: Bool, chain: [any DataDecodable.Type])
    {
        self.map = map
        self.model = model
        self.isSecondWalk = isSecondWalk
        self.chain = chain + [model]
    }

    /// Returns the fields that a model reads.
    /// - Throws: ``ModelError`` if a model contains itself without a maximum depth, or reads two different fields under
    ///   one response name. An error that the model's initializer throws is also thrown.
    public static func map(_ model: (some DataDecodable).Type) throws(ModelError) -> ObjectMap {
        // The second pass adds fields to the map of the first pass. Usually, this map already contains all fields.
        let first = try walk(model, isSecondWalk: false, chain: []).map
        return try walk(model, addingTo: first, isSecondWalk: true, chain: []).map
    }

    private static func walk<Model: DataDecodable>(
        _ model: Model.Type, addingTo map: consuming ObjectMap? = nil, isSecondWalk: Bool,
        chain: [any DataDecodable.Type]
    ) throws(ModelError) -> (value: Model, map: ObjectMap) {
        let decoder = MappingDecoder(
            model, map ?? ObjectMap(typeName: model.typeName, modelName: "\(model)"), isSecondWalk: isSecondWalk,
            chain: chain)
        let value = try Model(from: DynamicDecoder(.mapping(decoder)))
        return (value, decoder.map)
    }

    /// - Parameter path: The names of the fields from the object of `field` to the value; empty if the value is that of
    ///   `field`.
    func value<Value: FieldDecodable>(
        _ field: FieldMap, below path: [String] = [], maximumDepth: Int?, at place: SourcePlace
    ) throws(ModelError) -> Value {
        if let model = Value.model {
            let depth = chain.count { $0 == model }
            if depth > 0 {
                guard let maximumDepth else {
                    throw ModelError(
                        .recursion,
                        "\(model) contains itself. Pass maximumDepth to the field (\(place))."
                    )
                }
                guard let absent = Value.absent else {
                    throw ModelError(
                        .recursion,
                        "\(model) contains itself in a property that always has a value. Make the property optional or a list (\(place))."
                    )
                }
                if depth > maximumDepth { return absent }
            }
        }
        var mapper = FieldMapper(isSecondWalk: isSecondWalk, chain: chain)
        let value = try Value.map(&mapper)
        var reader = FieldReader(model: model, valueType: Value.self, place: place)
        var object = mapper.map
        for name in path.reversed() {
            let inner = FieldMap(name, object: object, readers: [reader])
            object = ObjectMap(modelName: "\(model)", fields: [inner])
            object?.mayHaveIdentity = false
            reader.readsBelow = true
        }
        var field = field
        field.object = object
        field.readers = [reader]
        try map.merge(field, &positions)
        return value
    }

    func include<Model: DataDecodable>(_ model: Model.Type) throws(ModelError) -> Model {
        let (value, other) = try Self.walk(model, isSecondWalk: isSecondWalk, chain: chain)
        try map.merge(other, &positions)
        return value
    }

    /// - Parameter typeName: The type condition; `nil` for none.
    func include<Model: DataDecodable>(
        _ model: Model.Type, on typeName: String?, conditions: [FieldCondition]
    ) throws(ModelError) -> Model? {
        let (value, other) = try Self.walk(model, isSecondWalk: isSecondWalk, chain: chain)
        let selected = other.adding(conditions)
        if let typeName {
            try map.merge(TypeCase(on: typeName, selected))
        } else {
            try map.merge(selected, &positions)
        }
        return isSecondWalk ? nil : value
    }

    fileprivate static func object<Model: DataDecodable>(
        _ model: Model.Type, in mapper: FieldMapper
    ) throws(ModelError) -> (Model, ObjectMap) {
        let (value, map) = try walk(model, isSecondWalk: mapper.isSecondWalk, chain: mapper.chain)
        return (value, map)
    }
}

/// Records the selection set of a field that a model reads.
public struct FieldMapper {
    /// True in the second pass over a model.
    public let isSecondWalk: Bool
    fileprivate let chain: [any DataDecodable.Type]
    fileprivate(set) var map: ObjectMap?

    fileprivate init(isSecondWalk: Bool, chain: [any DataDecodable.Type]) {
        self.isSecondWalk = isSecondWalk
        self.chain = chain
    }

    /// Maps the model of an object.
    mutating func object<Model: DataDecodable>(_ model: Model.Type) throws(ModelError) -> Model {
        let (value, map) = try MappingDecoder.object(model, in: self)
        self.map = map
        return value
    }
}
