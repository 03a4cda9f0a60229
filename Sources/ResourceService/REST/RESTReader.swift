import DuetJSON
public import ResultSetJSON
public import SQLDatabase

/// Reads questions from paths and query parameters. It knows names and values, nothing of HTTP.
public struct RESTReader: Sendable {
    /// Names and values in the order they were sent, decoded.
    public typealias Query = [(name: String, value: String)]

    let catalogue: Catalogue
    private let values: ValueReader

    /// Creates a reader of a catalogue's questions.
    public init(_ catalogue: Catalogue, dates: DateEncoding) {
        self.catalogue = catalogue
        values = ValueReader(dates: dates)
    }

    /// The key of a row, of the texts that stand for its fields in a path.
    /// - Throws: ``ServiceError`` for a text that is no value of its field; so do all others.
    public func key(_ texts: [String], of resource: Resource) throws -> [SQLValue] {
        try zip(texts, resource.keyFields).map { try values.value($0, of: $1, $1.name) }
    }

    /// The values of fields of a related row, of the texts that stand for them in a path.
    public func relatedKey(_ texts: [String], _ fields: [String], of relation: Relation) throws -> [SQLValue] {
        let target = try catalogue.target(of: relation)
        return try zip(texts, fields.compactMap(target.field)).map { try values.value($0, of: $1, $1.name) }
    }

    /// `/employees/{employeeNumber}`.
    public func item(_ resource: Resource, _ key: [SQLValue], _ query: Query) throws -> Question {
        let node = try ParameterNode(resource, .item, self.catalogue, values, query)
        return Question(.item(resource: resource.name, key: key), .array(try node.selection))
    }

    /// `/employees`.
    /// - Parameter format: In JSON, a list without `first` has the default size; in the others it is whole.
    public func list(_ resource: Resource, _ query: Query, _ format: RowFormat) throws -> Question {
        let node = try ParameterNode(resource, .list, catalogue, values, query)
        let size = format == .json ? ResourceService.defaultPageSize : nil
        return try question(node, .list(resource: resource.name, try node.window(defaultSize: size)))
    }

    /// `/employees/{employeeNumber}/titles`.
    /// - Parameter format: In JSON, a list without `first` has the relation's default size; in the others it is whole.
    public func related(
        _ relation: Relation, to resource: Resource, _ key: [SQLValue], _ query: Query, _ format: RowFormat
    ) throws -> Question {
        let target = try catalogue.target(of: relation)
        let node = try ParameterNode(target, .related(relation), catalogue, values, query)
        let size: Int? = if case .many(let size) = relation.size, format == .json { size } else { nil }
        return try question(
            node,
            .related(
                resource: resource.name, key: key, relation: relation.name, try node.window(defaultSize: size)))
    }

    /// `/employees/{employeeNumber}/departments/{departmentNumber}`.
    /// - Parameter filter: The rest of the path.
    public func relatedItem(
        _ relation: Relation, to resource: Resource, _ key: [SQLValue], _ filter: Filter, _ query: Query
    ) throws -> Question {
        let node = try ParameterNode(
            try catalogue.target(of: relation), .relatedItem(relation), catalogue, values, query)
        return Question(
            .relatedItem(resource: resource.name, key: key, relation: relation.name, filter),
            .array(try node.selection))
    }

    // MARK: Names

    /// The query parameters of `/employees`, without those with an operator.
    public static func parameters(ofList resource: Resource) -> [String] {
        ParameterNode.parameters(of: resource, .list)
    }

    /// The query parameters of `/employees/{employeeNumber}`.
    public static func parameters(ofItem resource: Resource) -> [String] {
        ParameterNode.parameters(of: resource, .item)
    }

    /// The query parameters of `/employees/{employeeNumber}/titles`, without those with an operator.
    public static func parameters(of relation: Relation, to target: Resource) -> [String] {
        ParameterNode.parameters(of: target, .related(relation))
    }

    private func question(_ node: ParameterNode, _ subject: Question.Subject) throws -> Question {
        var question = Question(subject, .array(try node.selection))
        question.countsRows = node.isCounted
        return question
    }
}
