/// A model of one GraphQL object: the single source of the fields that a query asks for.
///
/// The initializer reads each field by its name. Run without data it yields the query, run with data it yields the value:
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
/// The initializer reads all of its fields every time. A field that it reads only for some data would be missing in the document; it is
/// an error that names the field. The fields of an object that may have several types are read by
/// ``DynamicDecoder/value(on:as:conditions:)``.
public protocol DataDecodable: FieldDecodable {
    /// The GraphQL type of the object. With it, equal selections are printed once, as a fragment.
    static var typeName: String? { get }

    /// Reads the object.
    /// - Throws: ``ModelError``: a field is missing, is null, or has another type.
    init(from decoder: DynamicDecoder) throws(ModelError)
}

extension DataDecodable {
    /// No type.
    public static var typeName: String? { nil }

    /// Reads an object.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        try Self(from: try value.object())
    }

    /// Maps the object below a field.
    public static func map(_ field: inout FieldMapper) throws(ModelError) -> Self {
        try field.object(Self.self)
    }

    /// The object itself.
    public static var model: (any DataDecodable.Type)? { Self.self }
    /// The object.
    public static var shape: ValueShape { .object(Self.self) }
}

/// A type that a field of a model can have: a scalar, an object, or an optional or a list of these.
public protocol FieldDecodable: Sendable {
    /// Reads a value of a response.
    static func decode(_ value: ResponseValue) throws(ModelError) -> Self

    /// Adds what is selected below the field to a map.
    /// - Returns: any value; the model continues with it.
    static func map(_ field: inout FieldMapper) throws(ModelError) -> Self

    /// The value of a field that a response does not have; `nil` if there is none.
    static var absent: Self? { get }

    /// The model of the object that the value is or contains; `nil` for scalars.
    static var model: (any DataDecodable.Type)? { get }

    /// The structure of the type.
    static var shape: ValueShape { get }
}

extension FieldDecodable {
    /// None.
    public static var absent: Self? { nil }
    /// None.
    public static var model: (any DataDecodable.Type)? { nil }
    /// A scalar.
    public static var shape: ValueShape { .scalar(Self.self) }
}

extension Optional: FieldDecodable where Wrapped: FieldDecodable {
    /// Reads a value or `null`.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        value.isNull ? nil : try Wrapped.decode(value)
    }

    /// Maps the value. It is there in one walk through the model and `nil` in the other, so that both branches are seen.
    public static func map(_ field: inout FieldMapper) throws(ModelError) -> Self {
        let value = try Wrapped.map(&field)
        return field.isSecondWalk ? nil : value
    }

    /// `nil`.
    public static var absent: Self? { .some(nil) }
    /// The model of the value.
    public static var model: (any DataDecodable.Type)? { Wrapped.model }
    /// An optional.
    public static var shape: ValueShape { .optional(Wrapped.shape) }
}

extension Array: FieldDecodable where Element: FieldDecodable {
    /// Reads a list.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        try value.elements(Element.self)
    }

    /// Maps an element. The list has it in one walk through the model and is empty in the other.
    public static func map(_ field: inout FieldMapper) throws(ModelError) -> Self {
        let element = try Element.map(&field)
        return field.isSecondWalk ? [] : [element]
    }

    /// An empty list.
    public static var absent: Self? { [] }
    /// The model of an element.
    public static var model: (any DataDecodable.Type)? { Element.model }
    /// A list.
    public static var shape: ValueShape { .list(Element.shape) }
}
