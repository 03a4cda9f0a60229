import DuetResourceService

/// Creates a description of the tables and views of a database.
struct SchemaDescriber {
    let schema: DatabaseSchema
    /// The rows that were read.
    let contents: DatabaseContents
    /// True if the description permits writes.
    let permitsWrites: Bool
    /// The comments, keyed by the path of the member that they describe.
    private(set) var notes: [String: [String]] = [:]
    /// The comments for the top of the file.
    private(set) var header: [String] = []
    /// The sentences about the tables, views and columns that the description omits.
    private(set) var omissions: [String] = []
    var resources: [TableResource] = []
    /// The indices into ``resources``, keyed by table name.
    private(set) var positions: [String: Int] = [:]
    private var typeNames: Set<String>

    /// A table and the resource that is created from it.
    struct TableResource {
        let table: SchemaTable
        let name: String
        let singular: String
        let type: String
        var fields: [Field] = []
        var key: [String] = []
        var hidden: [String] = []
        var relations: [Relation] = []
        /// The changes that clients can make.
        var writes: Set<WriteRules.Kind> = []
        /// The names that no member can have, because rows can be written.
        var reserved: [String] = []

        /// Returns the field of a column; nil for a hidden column.
        func field(ofColumn column: String) -> Field? { fields.first { $0.column == column } }

        /// The names that are not available for a new relation.
        var usedNames: Set<String> {
            Set(fields.map(\.name) + relations.map(\.name) + reserved)
                .union(Catalogue.reservedRelationNames)
        }
    }

    init(_ schema: DatabaseSchema, _ contents: DatabaseContents, permitsWrites: Bool) {
        self.schema = schema
        self.contents = contents
        self.permitsWrites = permitsWrites
        typeNames = Catalogue.reservedTypeNames
        if permitsWrites { typeNames.formUnion(Catalogue.reservedTypeNamesOfWrites) }
    }

    /// Creates the description, the comments and the header.
    /// - Throws: `CatalogueError` if the schema cannot be described.
    mutating func description() throws -> APIDescription {
        nameTables()
        for position in resources.indices { describeColumns(of: position) }
        if permitsWrites { for position in resources.indices { permitWrites(of: position) } }
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
            resources.append(
                TableResource(
                    table: table, name: name, singular: noun, type: type,
                    reserved: permitsWrites ? [Resource.entityTagName] : []))
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
            if isChoice { return Catalogue.typeNamesOfValues(of: name) }
            return Catalogue.derivedTypeNames(of: name) + Catalogue.typeNamesOfAggregates(of: name)
                + (permitsWrites ? Catalogue.typeNamesOfWrites(of: name) : [])
        }
        let name =
            (1...999).lazy.map { $0 == 1 ? wanted : "\(wanted)\($0)" }.first { typeNames.isDisjoint(with: made($0)) }
            ?? wanted
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
        var used = Set(Catalogue.connectives + resource.reserved)
        for (index, column) in table.columns.enumerated() {
            if Credentials.isLikely(column.name) {
                resource.hidden.append(column.name)
                continue
            }
            let wanted = APIName.camelCase(column.name, fallback: "column\(index + 1)")
            let isKey = permitsWrites && table.primaryKey?.contains(column.name) == true
            let name = Self.unused(wanted, isKey ? used.union(Write.argumentNames) : used)
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
        if !writes.isEmpty { resource.writes = .permitting(writes, of: resource) }
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
