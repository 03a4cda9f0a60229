/// One read of a field by a model.
public struct FieldReader: Sendable, Hashable {
    /// The model whose initializer reads the field.
    public var model: any DataDecodable.Type
    /// The Swift type of the value.
    public var valueType: any FieldDecodable.Type
    /// The place in the source.
    public var place: SourcePlace

    /// A read at that place.
    public init(model: any DataDecodable.Type, valueType: any FieldDecodable.Type, place: SourcePlace) {
        self.model = model
        self.valueType = valueType
        self.place = place
    }

    /// Returns true if both are the same read.
    public static func == (left: FieldReader, right: FieldReader) -> Bool {
        left.model == right.model && left.valueType == right.valueType && left.place == right.place
    }

    /// Hashes the place.
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }
}

/// A place in the source of an app.
public struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    /// The module and the file, as in `App/Models.swift`.
    public var fileID: String
    /// The line; 1 is the first.
    public var line: Int

    /// That place.
    public init(fileID: String, line: Int) {
        self.fileID = fileID
        self.line = line
    }

    /// The file and the line, as in `App/Models.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

/// The structure of a Swift type that a model reads, for comparisons with the type of a field in a schema.
public indirect enum ValueShape: Sendable {
    /// A scalar of that Swift type.
    case scalar(any FieldDecodable.Type)
    /// An enumeration of that Swift type, with the names of its values.
    /// - Parameter isOpen: true if the type reads other names, too.
    case enumeration(any FieldDecodable.Type, values: [String], isOpen: Bool)
    /// The object of a model.
    case object(any DataDecodable.Type)
    /// An optional.
    case optional(ValueShape)
    /// A list.
    case list(ValueShape)
}
