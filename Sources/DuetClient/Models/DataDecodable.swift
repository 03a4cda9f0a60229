/// A model of a GraphQL object: a Swift type that reads fields of the object. The client creates the document of a
/// query from its models.
///
/// The initializer reads each field by its name. The library calls it in two situations: without data, to record the
/// fields of the query, and with data, to decode the object:
///
///     struct EmployeeRow: DataDecodable {
///         static let typeName: String? = "Employee"
///         let lastName: String
///         let titles: [TitleRow]
///
///         init(from decoder: DynamicDecoder) throws(ModelError) {
///             lastName = try decoder.value("lastName")
///             titles = try decoder.value("titles", arguments: ["current": true])
///         }
///     }
///
/// The initializer must read all fields of the model on every call. If it reads a field only for some data, the
/// document possibly lacks the field. Decoding then throws an error that names the field. Use
/// ``DynamicDecoder/value(on:as:conditions:)`` for an object that can have several types.
public protocol DataDecodable: FieldDecodable {
    /// The GraphQL type of the object. If a model has a type name and at least three fields, and the fields occur
    /// several times in the document, the document contains them only once, as a fragment.
    static var typeName: String? { get }

    /// Decodes the object.
    /// - Throws: ``ModelError`` if a field is missing, is null, or has an unexpected type.
    init(from decoder: DynamicDecoder) throws(ModelError)
}

extension DataDecodable {
    /// The default: `nil`.
    public static var typeName: String? { nil }

    /// Decodes an object.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        try Self(from: try value.object())
    }

    /// Records the selection set of a field whose value is an object.
    public static func map(_ field: inout FieldMapper) throws(ModelError) -> Self {
        try field.object(Self.self)
    }

    /// The type itself.
    public static var model: (any DataDecodable.Type)? { Self.self }
    /// An object.
    public static var shape: ValueShape { .object(Self.self) }
}

/// A type that a field of a model can have: a scalar, an object, an optional, or a list.
public protocol FieldDecodable: Sendable {
    /// Decodes a value of a response.
    static func decode(_ value: ResponseValue) throws(ModelError) -> Self

    /// Records the selection set of the field.
    /// - Returns: A placeholder value. The model's initializer continues with this value.
    static func map(_ field: inout FieldMapper) throws(ModelError) -> Self

    /// The value that represents a missing field; `nil` if a missing field is an error.
    static var absent: Self? { get }

    /// The model of the object, if the value is an object or a list of objects; `nil` for scalars.
    static var model: (any DataDecodable.Type)? { get }

    /// The structure of the type.
    static var shape: ValueShape { get }
}

extension FieldDecodable {
    /// The default: `nil`, so a missing field is an error.
    public static var absent: Self? { nil }
    /// The default: `nil`, for a scalar.
    public static var model: (any DataDecodable.Type)? { nil }
    /// The default: a scalar.
    public static var shape: ValueShape { .scalar(Self.self) }
}

extension Optional: FieldDecodable where Wrapped: FieldDecodable {
    /// Decodes a value or `null`.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        value.isNull ? nil : try Wrapped.decode(value)
    }

    /// Records the selection set of the value. The library records the fields of a model in two passes. In the first
    /// pass, this method returns a value, and in the second pass `nil`. The passes therefore cover both branches of an
    /// `if let` in the model's initializer.
    public static func map(_ field: inout FieldMapper) throws(ModelError) -> Self {
        let value = try Wrapped.map(&field)
        return field.isSecondWalk ? nil : value
    }

    /// An optional without a value, which represents a missing field.
    public static var absent: Self? { .some(nil) }
    /// The model of the value.
    public static var model: (any DataDecodable.Type)? { Wrapped.model }
    /// An optional.
    public static var shape: ValueShape { .optional(Wrapped.shape) }
}

extension Array: FieldDecodable where Element: FieldDecodable {
    /// Decodes a list.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        try value.elements(Element.self)
    }

    /// Records the selection set of an element. The library records the fields of a model in two passes. In the first
    /// pass, this method returns a list with one element, and in the second pass an empty list.
    public static func map(_ field: inout FieldMapper) throws(ModelError) -> Self {
        let element = try Element.map(&field)
        return field.isSecondWalk ? [] : [element]
    }

    /// An empty list, which represents a missing field.
    public static var absent: Self? { [] }
    /// The model of an element.
    public static var model: (any DataDecodable.Type)? { Element.model }
    /// A list.
    public static var shape: ValueShape { .list(Element.shape) }
}
