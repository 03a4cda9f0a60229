import DuetAPIDescription
import DuetComparison
import DuetResourceService
import DuetSQLDatabase

/// The tasks of `duet compare --writes`.
struct WritingTasks: Sendable {
    let tasks: CatalogueWriteTasks
    /// The names of the tasks on the command line; nil for all tasks.
    let names: [String]?
    /// The tables whose rows are compared after each task.
    let tables: [ComparedTable]
    /// The database that is copied.
    let original: DatabaseURL
    /// The text of the description, without roles.
    let api: String
}

extension DescribedDatabase {
    /// Returns the tasks that write.
    /// - Parameter names: The names of tasks on the command line; empty for all tasks.
    func writingTasks(_ names: [String]) async throws -> WritingTasks {
        guard api.catalogue.resources.contains(where: { !$0.writes.isEmpty }) else {
            throw StartFailure.report(
                "the description permits no writes; add writes: to a resource, or omit --api", status: 66)
        }
        return try await withoutRoles { service, schema, api in
            let touched = try await Self.columnsSetByUpdates(of: service.database)
            return WritingTasks(
                tasks: try await CatalogueWriteTasks(service), names: names.isEmpty ? nil : names,
                tables: Self.comparedTables(schema, service.catalogue, touched), original: url, api: api)
        }
    }

    /// Runs a closure with the service of the database, its schema and the text of its description without roles. The
    /// callers of a comparison have no token.
    func withoutRoles<Value: Sendable>(
        _ body: (_ service: ResourceService, _ schema: DatabaseSchema, _ api: String) async throws -> Value
    ) async throws -> Value {
        do {
            return try await ForeignDatabase.with(url) { database in
                let schema = try await ForeignDatabase.schema(of: database)
                var api = self.api
                api.roles = []
                let service = ResourceService(
                    api.fitted(to: schema).catalogue, database: database,
                    encoding: try EncodingOptions(source: "formats").encoding(of: api))
                return try await body(service, schema, api.yaml)
            }
        } catch {
            throw StartFailure.reported(error)
        }
    }

    /// Returns the tables of a schema with the columns whose values do not depend on the time of a write: dates, times
    /// and identifiers that the database can set are omitted.
    /// - Parameter touched: The columns that an update of their row sets, as `table.column`.
    private static func comparedTables(
        _ schema: DatabaseSchema, _ catalogue: Catalogue, _ touched: Set<String>
    ) -> [ComparedTable] {
        // A trigger can write the rows of other tables.
        let hasTriggers = schema.tables.contains { !$0.constraints.triggers.isEmpty }
        return schema.tables.filter { $0.kind == .table && $0.failure == nil }.map { table in
            let resource = catalogue.resources.first { $0.table.lowercased() == table.name.lowercased() }
            let columns = table.columns.filter { column in
                let field = resource?.fields.first { $0.relation == nil && $0.column == column.name }
                guard column.type.isTime || field?.type.isTimeOrIdentifier == true else { return true }
                guard !column.isGenerated, !touched.contains("\(table.name).\(column.name)") else { return false }
                let isSetByRequests =
                    field.map { field in
                        field.databaseValue == nil && !field.isNullable
                            && resource?.writes.create?.fields.contains(field.name) == true
                    } ?? false
                return isSetByRequests
                    ? table.constraints.triggers.isEmpty : !column.hasDefault && !hasTriggers
            }
            return ComparedTable(name: table.name, columns: columns.map(\.name))
        }
    }

    /// Returns the columns with `ON UPDATE CURRENT_TIMESTAMP`, as `table.column`.
    private static func columnsSetByUpdates(of database: Database) async throws -> Set<String> {
        guard case .mariaDB = database.url.location else { return [] }
        return try await database.read { connection in
            let rows = try connection.query(
                """
                SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS
                WHERE TABLE_SCHEMA = DATABASE() AND EXTRA LIKE '%on update%'
                """)
            defer { rows.close() }
            var found: Set<String> = []
            while try rows.next() {
                guard case .text(let table) = rows.value(at: 0), case .text(let column) = rows.value(at: 1) else {
                    continue
                }
                found.insert("\(table).\(column)")
            }
            return found
        }
    }
}

extension ColumnType {
    fileprivate var isTime: Bool {
        switch self {
        case .date, .dateTime, .timestamp, .time: true
        default: false
        }
    }
}

extension FieldType {
    fileprivate var isTimeOrIdentifier: Bool {
        switch self {
        case .date, .dateTime, .time, .uuid: true
        default: false
        }
    }
}

extension CompareCommand {
    /// Returns the reason why there is no database to copy, with what to do.
    /// - Parameter base: The address of a running server; nil if there is none.
    func writeRefusal(_ base: String?) throws -> String {
        guard let base else {
            return
                "--writes requires a database, of which it makes copies; specify it with --database. The task write of the sample needs no option."
        }
        return
            "--writes cannot be combined with a running server: the database of \(base) cannot be copied over HTTP. Specify the database with --database instead"
    }

    /// Performs the tasks that write, and adds their results to a report.
    func addingWrites(to report: ComparisonReport, _ settings: Settings) async throws -> ComparisonReport {
        guard let writing = settings.writing else { return report }
        var report = report
        let bar = ProgressBar()
        defer { bar.clear() }
        var results = WriteComparison.Results()
        do {
            results = try await DatabaseCopies.with(of: writing.original) { copies in
                try await WriteComparison(
                    on: copies, writing.tasks, names: writing.names, tables: writing.tables, api: writing.api,
                    timing: settings.plan
                ).run { bar.show($0, done: $1, of: $2) }
            }
        } catch let error as CopyError where !report.scenarios.isEmpty {
            // The results of the tasks that read remain in the report.
            results.failures.append(ComparisonFailure(task: "writes", reason: error.description))
        }
        report.scenarios += results.scenarios
        report.leftOut = writing.tasks.leftOut.filter { writing.names?.contains($0.scenario) != false }
        report.failures += results.failures
        report.hasCopies = true
        report.startedServer = true
        report.timing = settings.plan
        report.machine = Machine.description
        if report.database.isEmpty {
            report.database = [("database", settings.databaseText), ("cache", "none")]
        }
        report.database.append(("writes", "on copies of the database, one for each style"))
        return report
    }
}
