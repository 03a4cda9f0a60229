extension Catalogue {
    /// The comparison that decides which rows a relation leads to.
    func equality(of relation: Relation, _ resource: Resource) -> Relation.Equality {
        let pairs = relation.columns + relation.joins.flatMap(\.columns)
        guard pairs.allSatisfy({ $0.collation == nil }),
            relation.keyPairs.allSatisfy({ narrowCollation(of: $0, relation, of: resource) == nil })
        else { return .database }
        if let equality = relation.equality { return equality }
        let target = self[relation.target]
        return Relation.Equality(
            joins: relation.joins.count,
            from: relation.parentColumns.map { resource.ownField(ofColumn: $0)?.type },
            to: relation.columns.map { target?.ownField(ofColumn: $0.to)?.type })
    }
}

extension Relation.Equality {
    /// The comparison of a relation that names none, by the types of its columns.
    /// - Parameters:
    ///   - joins: The number of tables on the way.
    ///   - from: The types of the columns of the resource, nil for a column without a field.
    ///   - to: The types of the columns of the target. Without tables on the way, each belongs to one of `from`.
    package init(joins: Int, from: [FieldType?], to: [FieldType?]) {
        // Tables on the way have no fields. Both columns of a pair have one type in nearly all databases.
        let pairs = joins == 0 ? zip(from, to).map { [$0, $1] } : (from + to).map { [$0] }
        let isExact = pairs.allSatisfy { pair in
            let classes = Set(pair.compactMap(\.self).map(\.byteClass))
            return classes.count == 1 && !classes.contains(nil)
        }
        self = isExact ? .bytes : .database
    }
}

extension Resource {
    /// The field of a column of the resource's own table.
    func ownField(ofColumn column: String) -> Field? {
        fields.first { $0.column == column && $0.relation == nil }
    }
}

extension FieldType {
    /// Types of which two values are equal if their bytes are, among values of one class.
    fileprivate enum ByteClass {
        case integer, date, binary, identifier
    }

    /// The class of the type; nil if the database may see equal values that have other bytes, as by a collation.
    fileprivate var byteClass: ByteClass? {
        switch self {
        case .integer, .bigInteger, .boolean: .integer
        case .date: .date
        case .binary: .binary
        case .identifier: .identifier
        case .number, .decimal, .text, .dateTime, .time, .json, .uuid, .any, .choice: nil
        }
    }

    /// True if a client can write a value in one way only, which is the one that the database gives it in.
    var hasOneSpelling: Bool {
        switch self {
        case .integer, .bigInteger, .boolean, .date, .binary, .identifier, .text, .choice: true
        case .number, .decimal, .dateTime, .time, .json, .uuid, .any: false
        }
    }
}
