extension Catalogue {
    /// Returns the comparison by which statements select the related rows of a relation.
    func equality(of relation: Relation, _ resource: Resource) -> Relation.Equality {
        let pairs = relation.columns + relation.joins.flatMap(\.columns)
        guard pairs.allSatisfy({ $0.collation == nil }),
            relation.keyPairs.allSatisfy({ narrowCollation(of: $0, relation, of: resource) == nil })
        else { return .database }
        switch classes(of: relation, resource) {
        case .different, .same: return .database
        case .exact: return relation.equality ?? .bytes
        case nil: break
        }
        if let equality = relation.equality { return equality }
        let target = self[relation.target]
        return Relation.Equality(
            joins: relation.joins.count,
            from: relation.parentColumns.map { resource.ownField(ofColumn: $0)?.type },
            to: relation.columns.map { target?.ownField(ofColumn: $0.to)?.type })
    }
}

extension Relation.Equality {
    /// Creates the default comparison of a relation from the types of its columns.
    /// - Parameters:
    ///   - joins: The number of intermediate tables.
    ///   - from: The types of the columns of the resource; nil for a column without a field.
    ///   - to: The types of the columns of the target. Without intermediate tables, each element corresponds to the
    ///     element of `from` with the same index.
    package init(joins: Int, from: [FieldType?], to: [FieldType?]) {
        // The columns of intermediate tables have no field and therefore no known type. They are assumed to have the
        // type of the column to which they are joined.
        let pairs = joins == 0 ? zip(from, to).map { [$0, $1] } : (from + to).map { [$0] }
        let isExact = pairs.allSatisfy { pair in
            let classes = Set(pair.compactMap(\.self).map(\.byteClass))
            return classes.count == 1 && !classes.contains(nil)
        }
        self = isExact ? .bytes : .database
    }
}

extension Resource {
    /// True if the database treats two keys as equal only if their bytes are equal. If the property is false, the key
    /// in a request can differ from the stored key, for example in letter case.
    var hasExactKey: Bool { keyFields.allSatisfy { $0.type.byteClass != nil } }

    /// Returns the field of a column of the resource's own table, even if clients do not see it.
    func ownField(ofColumn column: String) -> Field? {
        func isColumn(_ field: Field) -> Bool { field.column == column && field.relation == nil }
        return fields.first(where: isColumn) ?? concealed.fields.first(where: isColumn)
    }
}

extension FieldType {
    /// A class of types. Two values whose types belong to the same class are equal if and only if their bytes are
    /// equal.
    fileprivate enum ByteClass {
        case integer, date, binary, identifier
    }

    /// The class of the type; nil if the database can treat values with different bytes as equal, for example because
    /// of a collation.
    fileprivate var byteClass: ByteClass? {
        switch self {
        case .integer, .bigInteger, .boolean: .integer
        case .date: .date
        case .binary: .binary
        case .identifier: .identifier
        case .number, .decimal, .text, .dateTime, .time, .json, .uuid, .any, .choice: nil
        }
    }

    /// True if each value has exactly one valid input text, and the database returns the same text.
    var hasOneSpelling: Bool {
        switch self {
        case .integer, .bigInteger, .boolean, .date, .binary, .identifier, .text, .choice: true
        case .number, .decimal, .dateTime, .time, .json, .uuid, .any: false
        }
    }
}
