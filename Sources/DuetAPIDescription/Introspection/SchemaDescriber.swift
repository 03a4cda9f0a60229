import DuetResourceService
import DuetSQLDatabase

/// Creates a description of the tables and views of a database.
struct SchemaDescriber {
    let schema: DatabaseSchema
    /// The rows that were read.
    private let contents: DatabaseContents
    /// The comments, keyed by the path of the member that they describe.
    private(set) var notes: [String: [String]] = [:]
    /// The comments for the top of the file.
    private(set) var header: [String] = []
    /// The sentences about the tables, views and columns that the description omits.
    private(set) var omissions: [String] = []
    private var resources: [TableResource] = []
    /// The indices into ``resources``, keyed by table name.
    private var positions: [String: Int] = [:]
    private var typeNames = Catalogue.reservedTypeNames

    /// A table and the resource that is created from it.
    struct TableResource {
        let table: Table
        let name: String
        let singular: String
        let type: String
        var fields: [Field] = []
        var key: [String] = []
        var hidden: [String] = []
        var relations: [Relation] = []

        /// Returns the field of a column; nil for a hidden column.
        func field(ofColumn column: String) -> Field? { fields.first { $0.column == column } }

        /// The names that are not available for a new relation.
        var usedNames: Set<String> {
            Set(fields.map(\.name) + relations.map(\.name)).union(Catalogue.reservedRelationNames)
        }
    }

    init(_ schema: DatabaseSchema, _ contents: DatabaseContents) {
        self.schema = schema
        self.contents = contents
    }

    /// Creates the description, the comments and the header.
    /// - Throws: `CatalogueError` if the schema cannot be described.
    mutating func description() throws -> APIDescription {
        nameTables()
        for position in resources.indices { describeColumns(of: position) }
        for position in resources.indices { relateForeignKeys(of: position) }
        for position in resources.indices { relateThroughJoinTable(position) }
        header = [
            "The API of a database: names, types and relations. Edit this file, and check it with: duet validate",
            "Each comment describes the following line.",
        ]
        return APIDescription(
            try Catalogue(resources.map(\.resource), description: "The tables and views of the database."))
    }

    /// Adds a sentence to ``omissions``, and returns it.
    private mutating func omit(_ sentence: String) -> String {
        omissions.append(sentence)
        return sentence
    }

    mutating func note(_ path: String, _ text: String) { notes[path, default: []].append(text) }

    // MARK: Tables

    private mutating func nameTables() {
        var used = Catalogue.reservedPaths
        var leftOut: [String] = []
        for (index, table) in schema.tables.enumerated() {
            if let failure = table.failure {
                leftOut.append(
                    omit("The \(table.kind.rawValue) \(table.name) is omitted, because it cannot be read: \(failure)"))
                continue
            }
            guard table.columns.contains(where: { !Credentials.isLikely($0.name) }) else {
                leftOut.append(
                    omit(
                        "The \(table.kind.rawValue) \(table.name) is omitted, because all its columns look like credentials."
                    ))
                continue
            }
            let word = APIName.camelCase(table.name, fallback: "table\(index + 1)")
            let plural = APIName.plural(of: word) ?? word
            var singular = APIName.singular(of: word) ?? word
            if singular == plural { singular += "Row" }
            let name = Self.unused(plural, used)
            used.insert(name)
            let noun = Self.unused(singular, used)
            used.insert(noun)
            let type = typeName(noun.prefix(1).uppercased() + noun.dropFirst())
            for note in leftOut { self.note(Self.before(name), note) }
            leftOut = []
            if name != plural || noun != singular {
                note(
                    name,
                    "Renamed from \"\(table.name)\": \"\(name != plural ? plural : singular)\" is already used or reserved."
                )
            }
            positions[table.name] = resources.count
            resources.append(TableResource(table: table, name: name, singular: noun, type: type))
        }
        if let last = resources.last { for note in leftOut { self.note(Self.before(last.name), note) } }
    }

    /// Returns the path of comments that precede a resource but do not describe it.
    static func before(_ resource: String) -> String { "\(resource)/before" }

    /// Returns the name. If it is in use, a number is appended.
    static func unused(_ name: String, _ used: Set<String>) -> String {
        guard used.contains(name) else { return name }
        return (2...).lazy.map { "\(name)\($0)" }.first { !used.contains($0) } ?? name
    }

    /// Returns the wanted type name, with a number if it is necessary to prevent a conflict with other type names.
    /// Reserves this name and the type names that are derived from it.
    mutating func typeName(_ wanted: String, isChoice: Bool = false) -> String {
        func made(_ name: String) -> [String] {
            isChoice ? [name, name + "Filter"] : Catalogue.derivedTypeNames(of: name)
        }
        let name =
            ([wanted] + (2...999).map { "\(wanted)\($0)" }).first { typeNames.isDisjoint(with: made($0)) } ?? wanted
        typeNames.formUnion(made(name))
        return name
    }

    // MARK: Columns

    private mutating func describeColumns(of position: Int) {
        var resource = resources[position]
        let table = resource.table
        let contents = contents.tables[table.name]
        if let contents, !contents.isComplete {
            let reason = contents.failure.map { " before \($0)" } ?? ""
            note(
                resource.name,
                "The types fit the \(contents.rows) rows that were read\(reason). To check all rows, use: duet validate --data"
            )
        }
        var used = Set(Catalogue.connectives)
        for (index, column) in table.columns.enumerated() {
            if Credentials.isLikely(column.name) {
                resource.hidden.append(column.name)
                continue
            }
            let wanted = APIName.camelCase(column.name, fallback: "column\(index + 1)")
            let name = Self.unused(wanted, used)
            used.insert(name)
            let path = "\(resource.name)/fields/\(name)"
            if name != wanted {
                note(
                    path, "Renamed from \"\(column.name)\": \"\(wanted)\" is already used or reserved.")
            }
            if schema.hasUnknownCollation(column), let collation = column.collation {
                note(
                    path,
                    "The collation \(collation) is defined by another program. Values are compared and sorted by their bytes."
                )
            }
            let type = fieldType(of: column, contents?.columns[index], resource, name, path)
            // The default of a view's column is ignored, because it may be the default of another column or of the
            // column type.
            if column.hasZeroDate, !column.isNullable, table.kind == .table {
                note(
                    path, "The default of the column is a zero date, which is not a calendar date and is shown as null."
                )
            }
            let hasMismatches = contents.map { $0.columns[index].unrepresentable > 0 } ?? false
            resource.fields.append(
                Field(
                    name, type, column: column.name,
                    isNullable: column.isNullable || column.hasZeroDate || hasMismatches,
                    isSingle: column.type == .float, isOrdinal: column.isOrdinal && type.isPlainText,
                    nullifiesMismatches: hasMismatches,
                    description: column.comment.flatMap(Self.sentence) ?? DefaultText.field(column.name)))
        }
        for (column, failure) in table.unreadableColumns.sorted(by: { $0.key < $1.key }) {
            note(
                resource.name,
                omit("The column \(column) of \(table.name) is omitted, because it cannot be read: \(failure)"))
        }
        if !resource.hidden.isEmpty {
            note(
                "\(resource.name)/hidden", "These columns look like credentials. To expose a column, move it to fields."
            )
        }
        describeKey(of: &resource)
        resources[position] = resource
    }

    /// Returns a comment of the database with normalized white space; nil if it is empty.
    static func sentence(_ comment: String) -> String? {
        let words = comment.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    private mutating func describeKey(of resource: inout TableResource) {
        let table = resource.table
        for candidate in Self.keys(of: table)
        where !hasNull(in: candidate, table) && !candidate.contains(where: { hasMismatches($0, resource) }) {
            let isPrimary = candidate == table.primaryKey
            let fields = candidate.compactMap(resource.field(ofColumn:))
            guard fields.count == candidate.count, fields.allSatisfy(\.type.isOrdered) else { continue }
            resource.key = fields.map(\.name)
            if isPrimary, fields.contains(where: \.isNullable) {
                // SQLite permits NULL in a primary key for compatibility (sqlite.org/lang_createtable.html).
                note(
                    resource.name,
                    "The primary key of \(table.name) is not declared NOT NULL. If a row contains NULL in the key, lists with this row fail."
                )
                for name in resource.key {
                    if let index = resource.fields.firstIndex(where: { $0.name == name }) {
                        resource.fields[index].isNullable = false
                    }
                }
            }
            return
        }
        note(
            resource.name,
            "\(reason(resource)): lists of \(resource.name) have no cursors, and single rows have no address. If fields identify a row, specify them: key: [...]"
        )
    }

    /// Returns the primary key and the unique keys that do not allow NULL.
    private static func keys(of table: Table) -> [[String]] {
        let unique = table.uniqueKeys.filter { key in
            key.allSatisfy { table.column(named: $0)?.isNullable == false }
        }
        return (table.primaryKey.map { [$0] } ?? []) + unique
    }

    private func hasMismatches(_ column: String, _ resource: TableResource) -> Bool {
        resource.field(ofColumn: column)?.nullifiesMismatches == true
    }

    /// Returns true if a row that was read has NULL in a column.
    private func hasNull(in columns: [String], _ table: Table) -> Bool {
        guard let contents = contents.tables[table.name] else { return false }
        return zip(table.columns, contents.columns).contains { columns.contains($0.name) && $1.nulls > 0 }
    }

    /// Returns the reason why a resource has no key.
    private func reason(_ resource: TableResource) -> String {
        let table = resource.table
        guard table.kind != .view else { return "A view has no key" }
        guard let first = Self.keys(of: table).first else {
            return table.uniqueKeys.isEmpty ? "There is no unique key" : "Every unique key allows NULL"
        }
        let columns = first.compactMap(table.column(named:))
        let key = "The key (\(first.joined(separator: ", ")))"
        if let hidden = columns.first(where: { resource.hidden.contains($0.name) }) {
            return "\(key) has the hidden column \(hidden.name)"
        }
        if hasNull(in: first, table) { return "\(key) is NULL in a row" }
        if first.contains(where: { hasMismatches($0, resource) }) {
            return "\(key) has values that JSON cannot represent"
        }
        if let field = first.compactMap(resource.field(ofColumn:)).first(where: { !$0.type.isOrdered }) {
            return "\(key) has the column \(field.column), whose values have no order"
        }
        return "\(key) has a column that no field exposes"
    }

    // MARK: Relations

    private mutating func relateForeignKeys(of position: Int) {
        let table = resources[position].table
        // Several foreign keys between the same tables need distinct names.
        let targets = table.foreignKeys.map(\.table)
        for key in table.foreignKeys {
            guard let targetPosition = self.position(of: key.table), key.columns.count == key.referencedColumns.count
            else {
                note(
                    resources[position].name,
                    "The foreign key (\(key.columns.joined(separator: ", "))) refers to \(key.table), which is not described."
                )
                continue
            }
            let target = resources[targetPosition]
            let source = resources[position]
            let uniqueKeys = [target.table.primaryKey].compactMap(\.self) + target.table.uniqueKeys
            guard uniqueKeys.contains(where: { Set($0).isSubset(of: key.referencedColumns) }) else {
                note(
                    source.name,
                    "The foreign key (\(key.columns.joined(separator: ", "))) refers to columns of \(key.table) that are not unique, so there is no relation."
                )
                continue
            }
            let isUnique = ([table.primaryKey].compactMap(\.self) + table.uniqueKeys).contains {
                Set($0) == Set(key.columns)
            }
            let wanted = Relation.name(from: key, to: target.singular)
            let used = source.usedNames
            // If the name from the column is in use, the relation gets the name of the referenced table, unless several
            // foreign keys refer to that table. The order of the foreign keys would otherwise determine which relation
            // gets this name.
            let isOneOfSeveral = targets.filter { $0 == key.table }.count > 1
            let others = isOneOfSeveral ? [] : [target.singular]
            let longer = wanted + (wanted.lowercased().hasSuffix(target.type.lowercased()) ? "Row" : target.type)
            let name = Self.unused(([wanted] + others).first { !used.contains($0) } ?? longer, used)
            // SQLite enforces foreign keys only if each writer enables them, so a referenced row may be missing.
            let isOptional =
                schema.dialect == .sqlite
                || key.columns.contains { name in table.columns.first { $0.name == name }?.isNullable != false }
            let pairs = columns(of: key, from: source.table, to: target.table)
            resources[position].relations.append(
                .described(
                    name, to: target.name, .one(isOptional: isOptional),
                    on: self.pairs(key, pairs, isInverse: false),
                    equality: equality(
                        pairs, joins: 0, from: source.types(of: key.columns),
                        to: target.types(of: key.referencedColumns))))
            let isAmbiguous = isOneOfSeveral || targetPosition == position
            let noun = isUnique ? source.singular : source.name
            let inverse = isAmbiguous ? "\(noun)By\(name.prefix(1).uppercased())\(name.dropFirst())" : noun
            resources[targetPosition].relations.append(
                .described(
                    Self.unused(inverse, resources[targetPosition].usedNames), to: source.name,
                    isUnique ? .one(isOptional: true) : Self.many(source),
                    on: self.pairs(key, pairs, isInverse: true),
                    equality: equality(
                        pairs, joins: 0, from: target.types(of: key.referencedColumns),
                        to: source.types(of: key.columns))))
        }
    }

    /// If a table is a join table, adds a relation in each direction between the two tables that it joins. A join table
    /// contains only the columns of two foreign keys, and has a primary or unique key.
    private mutating func relateThroughJoinTable(_ position: Int) {
        let table = resources[position].table
        guard table.foreignKeys.count == 2,
            Set(table.columns.map(\.name)) == Set(table.foreignKeys.flatMap(\.columns)),
            Set(table.foreignKeys[0].columns).isDisjoint(with: table.foreignKeys[1].columns),
            table.foreignKeys.allSatisfy({ $0.columns.count == $0.referencedColumns.count }),
            table.primaryKey != nil || !table.uniqueKeys.isEmpty
        else { return }
        for (from, to) in [(table.foreignKeys[0], table.foreignKeys[1]), (table.foreignKeys[1], table.foreignKeys[0])] {
            guard let source = self.position(of: from.table), let targetPosition = self.position(of: to.table) else {
                return
            }
            let target = resources[targetPosition]
            let used = resources[source].usedNames
            let role = Relation.name(from: to, to: target.singular)
            let wanted =
                source == targetPosition
                ? "\(target.name)By\(role.prefix(1).uppercased())\(role.dropFirst())" : target.name
            let fromPairs = columns(of: from, from: table, to: resources[source].table)
            let toPairs = columns(of: to, from: table, to: target.table)
            resources[source].relations.append(
                .described(
                    Self.unused(used.contains(wanted) ? "\(wanted)By\(resources[position].type)" : wanted, used),
                    to: target.name, Self.many(target),
                    through: [
                        .init(
                            table.name, on: pairs(from, fromPairs, isInverse: true),
                            isEnforced: schema.dialect != .sqlite)
                    ],
                    on: pairs(to, toPairs, isInverse: false),
                    equality: equality(
                        fromPairs + toPairs, joins: 1, from: resources[source].types(of: from.referencedColumns),
                        to: target.types(of: to.referencedColumns))))
        }
    }

    /// Returns the size of a to-many relation. If the target has a key, the relation has pages. Otherwise the relation
    /// has a list of all rows, because pages without a key would have no cursors.
    private static func many(_ target: TableResource) -> Relation.Size {
        target.key.isEmpty ? .few(typical: 20) : .many(pageSize: 20)
    }

    private func position(of table: String) -> Int? {
        schema.table(named: table).flatMap { positions[$0.name] }
    }
}

extension SchemaDescriber.TableResource {
    /// The resource of the table. All sortable fields (`isSortable`) are sort fields.
    fileprivate var resource: Resource {
        var resource = Resource(
            name, singular: singular, type: type, table: table.name,
            description: table.comment.flatMap(SchemaDescriber.sentence)
                ?? DefaultText.resource(table.name),
            fields: fields, key: key,
            sortFields: fields.filter(\.isSortable).map(\.name), relations: relations
        )
        resource.hiddenColumns = hidden
        return resource
    }
}

extension Field {
    /// True if lists can be sorted by the field. Long texts and binary values are excluded, because they would make
    /// long cursors.
    fileprivate var isSortable: Bool {
        switch type {
        case .binary: false
        case .text(let length?): length <= 1_000
        default: type.isOrdered
        }
    }
}

extension Relation {
    /// Creates a relation with a description derived from its columns.
    fileprivate static func described(
        _ name: String, to target: String, _ size: Size, through joins: [Join] = [], on columns: [ColumnPair],
        equality: Equality?
    ) -> Relation {
        Relation(
            name, to: target, size, through: joins, on: columns, equality: equality,
            description: DefaultText.relation(to: target, joins, columns))
    }

    /// Returns the name of a relation for a foreign key. If the key has one column, the name is the name of the column
    /// without an ending such as `_id`. If the key has several columns, or if nothing remains of the column's name, the
    /// name is the name of the target.
    fileprivate static func name(from key: ForeignKey, to target: String) -> String {
        guard key.columns.count == 1 else { return target }
        let word = APIName.camelCase(key.columns[0], fallback: target)
        for ending in ["Id", "Uuid", "Fk", "Key", "Ref", "Number", "Num", "No", "Nr", "Code"]
        where word.hasSuffix(ending) {
            let rest = String(word.dropLast(ending.count))
            if !rest.isEmpty { return rest }
        }
        return ["id", "uuid", "key", "code", "number", "no", "nr"].contains(word) ? target : word
    }
}
