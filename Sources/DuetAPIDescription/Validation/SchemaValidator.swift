import DuetResourceService
import DuetSQLDatabase
import Yams

/// Compares a description with the schema of a database.
struct SchemaValidator {
    let description: APIDescription
    let dialect: Dialect
    private(set) var findings: [SchemaFinding] = []
    let schema: DatabaseSchema
    /// Rows that were read.
    private let contents: DatabaseContents
    /// The tables, keyed by name. The keys are in lower case for SQLite, which compares names case-insensitively.
    private let tables: [String: SchemaTable]
    /// The columns that the description uses in fields, relations and lists of hidden columns, keyed by table. The
    /// names of the columns are in lower case.
    private var usedColumns: [String: Set<String>] = [:]
    var nearestName = NearestName()
    private var describedTables: Set<String> = []
    /// The roles with their permissions; empty if they have errors, which the reader reports.
    let roles: [ResolvedRole]

    init(_ description: APIDescription, _ schema: DatabaseSchema, _ contents: DatabaseContents = DatabaseContents()) {
        self.description = description
        self.schema = schema
        self.contents = contents
        roles = (try? description.resolvedRoles()) ?? []
        dialect = schema.dialect
        let isFolding = schema.dialect.foldsNames
        tables = Dictionary(
            schema.tables.map { (isFolding ? $0.name.lowercased() : $0.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func validate() {
        for resource in description.catalogue.resources { validate(resource) }
        noteTheUndescribed()
    }

    // MARK: Names

    func table(named name: String) -> SchemaTable? { tables[dialect.foldsNames ? name.lowercased() : name] }

    /// Returns the column. Both databases compare column names case-insensitively.
    func column(_ name: String, of table: SchemaTable) -> TableColumn? {
        table.column(named: name) ?? table.columns.first { $0.name.lowercased() == name.lowercased() }
    }

    mutating func report(
        _ severity: SchemaFinding.Severity, _ kind: SchemaFinding.Kind, _ path: [String], _ message: String,
        statements: [String] = []
    ) {
        let mark = description.places?.mark(of: path)
        var finding = SchemaFinding(
            severity, kind, file: description.places?.file, line: mark?.line, column: mark?.column,
            resource: path.first, member: path.count > 1 ? path.last : nil, message: message)
        finding.statements = statements
        findings.append(finding)
    }

    mutating func report(
        _ severity: SchemaFinding.Severity, _ kind: SchemaFinding.Kind, _ place: RolePlace, _ resource: String,
        _ message: String
    ) {
        let mark = description.mark(of: place)
        let finding = SchemaFinding(
            severity, kind, file: description.places?.file, line: mark?.line, column: mark?.column,
            resource: resource, message: message)
        // Roles that include an entry have the same findings.
        if !findings.contains(finding) { findings.append(finding) }
    }

    // MARK: Resources

    private mutating func validate(_ resource: Resource) {
        guard
            let table = requiredTable(
                resource.table, resource.name, [resource.name, "table"], "correct table, or remove the resource")
        else { return }
        describedTables.insert(table.name)
        for field in resource.fields { validate(field, of: resource, table) }
        for name in resource.hiddenColumns {
            use(name, of: table)
            guard column(name, of: table) == nil else { continue }
            report(
                .warning, .missingColumn, [resource.name, "hidden"],
                "\(resource.name) hides \(name), which is not a column of \(table.name)"
                    + nearestName.hint(name, among: table.columns.map(\.name)))
        }
        validateKey(of: resource, table)
        validateWrites(of: resource, table)
        for relation in resource.relations { validate(relation, of: resource, table) }
    }

    /// Returns the table with a name. Returns nil and reports an error if the table is missing or unreadable.
    mutating func requiredTable(_ name: String, _ owner: String, _ path: [String], _ advice: String) -> SchemaTable? {
        guard let table = table(named: name) else {
            report(
                .error, .missingTable, path,
                "\(owner): the database has no table \(name)"
                    + nearestName.hint(name, among: schema.tables.map(\.name), else: "; \(advice)"))
            return nil
        }
        if let failure = table.failure {
            describedTables.insert(table.name)
            report(.error, .unreadableTable, path, "\(owner): \(table.name) cannot be read: \(failure)")
            return nil
        }
        return table
    }

    mutating func use(_ column: String, of table: SchemaTable) {
        usedColumns[table.name, default: []].insert(column.lowercased())
    }

    /// Returns the column with a name. Returns nil and reports an error if the column is missing.
    mutating func requiredColumn(_ name: String, of table: SchemaTable, _ owner: String, _ path: [String])
        -> TableColumn?
    {
        use(name, of: table)
        if let column = column(name, of: table) { return column }
        report(
            .error, .missingColumn, path,
            "\(owner): \(table.name) has no column \(name)"
                + nearestName.hint(
                    name, among: table.columns.map(\.name), else: "; correct the name, or remove its uses"))
        return nil
    }

    // MARK: Fields

    private mutating func validate(_ field: Field, of resource: Resource, _ table: SchemaTable) {
        let path = [resource.name, "fields", field.name]
        let owner = "\(resource.name).\(field.name)"
        var table = table
        if let name = field.relation {
            // Other checks report an unknown relation, and a missing or unreadable table.
            guard let target = resource.relation(name).flatMap({ description.catalogue[$0.target] }),
                let targetTable = self.table(named: target.table), targetTable.failure == nil
            else { return }
            table = targetTable
        }
        guard let column = requiredColumn(field.column, of: table, owner, path) else { return }
        if let misfit = TypeFit(column: column, dialect: dialect).misfit(field), !contents.fit(field, column, of: table)
        {
            report(misfit.severity, .type, path, "\(owner) \(misfit.reason)")
        }
        validateOrder(of: field, column, resource)
        guard column.isNullable, !field.isNullable else { return }
        let isOfKey = table.primaryKey?.contains(column.name) == true
        let isUncertain = dialect.allowsNullInKeys && isOfKey || table.kind == .view
        let reason =
            table.kind == .view
            ? "the view does not exclude NULL"
            : isOfKey ? "\(dialect.title) allows NULL in this primary key" : "the column can be NULL"
        let advice =
            resource.key.contains(field.name)
            ? "declare the column NOT NULL, or choose another key"
            : "add nullable: true, or declare the column NOT NULL"
        report(
            isUncertain ? .warning : .error, .nullable, path,
            "\(owner) is never null, but \(reason) (\(table.name).\(column.name)); \(table.kind == .view ? "add nullable: true if a value can be NULL" : advice)"
        )
    }

    /// Reports a missing or superfluous `ordinal`. MariaDB sorts an `ENUM` or `SET` by the positions of its values, but
    /// compares their texts. If a sorted list uses such a column without `ordinal`, the pages of the list skip rows.
    private mutating func validateOrder(of field: Field, _ column: TableColumn, _ resource: Resource) {
        guard dialect.ordersChoicesByIndex, field.type.isPlainText, column.isOrdinal != field.isOrdinal else { return }
        let path = [resource.name, "fields", field.name]
        let owner = "\(resource.name).\(field.name)"
        if field.isOrdinal {
            report(
                .warning, .type, path,
                "\(owner) has ordinal: true, which is for ENUM and SET; lists sort the column \(column.declaredType) without an index"
            )
        } else if description.catalogue.orders(by: field, of: resource) {
            report(
                .error, .type, path,
                "\(owner) is part of an order or a key, but \(dialect.title) sorts the column \(column.declaredType) by the positions of its values; add ordinal: true to sort it by its texts"
            )
        }
    }

    private mutating func validateKey(of resource: Resource, _ table: SchemaTable) {
        guard !resource.key.isEmpty else { return }
        let path = [resource.name, "key"]
        let fields = resource.key.compactMap(resource.field)
        for field in fields where field.isNullable {
            report(
                .error, .key, path,
                "\(resource.name): the key field \(field.name) is nullable; the fields of a key must not be nullable"
            )
        }
        let columns = Set(fields.compactMap { column($0.column, of: table)?.name })
        guard columns.count == fields.count, !isUnique(columns, in: table) else { return }
        if table.kind == .view {
            report(
                .warning, .key, path,
                "\(resource.name): it is unknown whether the key (\(resource.key.joined(separator: ", "))) is unique, because \(table.name) is a view"
            )
        } else {
            let keys = Self.uniqueKeys(of: table).map { "(\($0.joined(separator: ", ")))" }
            report(
                .error, .key, path,
                "\(resource.name): the key (\(resource.key.joined(separator: ", "))) is not unique; "
                    + (keys.isEmpty
                        ? "\(table.name) has no unique columns, so remove the key"
                        : "unique columns are \(keys.joined(separator: ", "))"))
        }
    }

    static func uniqueKeys(of table: SchemaTable) -> [[String]] {
        (table.primaryKey.map { [$0] } ?? []) + table.uniqueKeys
    }

    /// Returns true if at most one row has the given values in these columns.
    func isUnique(_ columns: Set<String>, in table: SchemaTable) -> Bool {
        Self.uniqueKeys(of: table).contains { !$0.isEmpty && columns.isSuperset(of: $0) }
    }

    // MARK: Undescribed tables and columns

    private mutating func noteTheUndescribed() {
        for table in schema.tables where !describedTables.contains(table.name) && table.failure == nil {
            report(
                .note, .undescribedTable, [],
                "no resource exposes the \(table.kind.rawValue) \(table.name); describe it with duet introspect")
        }
        for resource in description.catalogue.resources {
            guard let table = table(named: resource.table) else { continue }
            let used = usedColumns[table.name] ?? []
            let missing = table.columns.map(\.name).filter { !used.contains($0.lowercased()) }
            guard !missing.isEmpty else { continue }
            report(
                .note, .undescribedColumn, [resource.name],
                "\(resource.name): no field exposes \(missing.joined(separator: ", ")) of \(table.name); add fields, or add the columns to hidden"
            )
        }
    }

    mutating func useTable(_ table: SchemaTable) { describedTables.insert(table.name) }
}

extension Catalogue {
    /// Returns true if the field is part of an order of the resource's rows.
    fileprivate func orders(by field: Field, of resource: Resource) -> Bool {
        let names = resource.key + resource.sortFields + resource.order.map(\.field)
        return names.contains(field.name)
            || resources.flatMap(\.relations).contains { relation in
                relation.target == resource.name && relation.order.contains { $0.sortField?.field == field.name }
            }
    }
}

extension APIDescription {
    /// Compares the description with the schema of a database.
    /// - Parameters:
    ///   - schema: The schema.
    ///   - contents: Rows of a SQLite database. If they fit a type that introspection can choose for a column, a field
    ///     with this type has no warning about the declared type.
    /// - Returns: The findings in the order of their locations in the description. Notes about tables come last.
    public func validate(
        against schema: DatabaseSchema, contents: DatabaseContents = DatabaseContents()
    ) -> [SchemaFinding] {
        var validator = SchemaValidator(self, schema, contents)
        validator.validate()
        return validator.findings.sortedByPlace
    }
}
