/// A call in a model's initializer that reads a field.
public struct FieldReader: Sendable, Hashable {
    /// The model whose initializer reads the field.
    public var model: any DataDecodable.Type
    /// The Swift type of the value.
    public var valueType: any FieldDecodable.Type
    /// The location of the call in the source.
    public var place: SourcePlace
    /// True if the field is an object and the call reads a value below it.
    package var readsBelow = false

    /// Creates a description of a call.
    public init(model: any DataDecodable.Type, valueType: any FieldDecodable.Type, place: SourcePlace) {
        self.model = model
        self.valueType = valueType
        self.place = place
    }

    /// Returns true if both values describe the same call.
    public static func == (left: FieldReader, right: FieldReader) -> Bool {
        left.model == right.model && left.valueType == right.valueType && left.place == right.place
            && left.readsBelow == right.readsBelow
    }

    /// Hashes the location.
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }
}

/// A location in the Swift source of an app.
public struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    /// The module and the file, such as `App/Models.swift`.
    public var fileID: String
    /// The line, starting at 1.
    public var line: Int

    /// Creates a location.
    public init(fileID: String, line: Int) {
        self.fileID = fileID
        self.line = line
    }

    /// The file and the line, such as `App/Models.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

/// The structure of the Swift type of a field in a model. A validator compares it with the field's type in a schema.
public indirect enum ValueShape: Sendable {
    /// A scalar, with its Swift type.
    case scalar(any FieldDecodable.Type)
    /// An enumeration, with its Swift type and the names of its values.
    /// - Parameter isOpen: True if the type also decodes other names.
    case enumeration(any FieldDecodable.Type, values: [String], isOpen: Bool)
    /// An object, with its model.
    case object(any DataDecodable.Type)
    /// An optional.
    case optional(ValueShape)
    /// A list.
    case list(ValueShape)
}
