import Dispatch
import DuetResultSetJSON
import DuetSQLDatabase

/// The result of ``ResourceService/importRows(_:for:precondition:isRolledBack:timeout:)``.
public struct ImportAnswer: Sendable {
    /// The number of new rows.
    public let count: Int
    /// The cost of the whole transaction.
    public let cost: Answer.Cost
    /// The cache tags of the lists that may contain the new rows.
    public let tags: EntityTags
    /// True if an earlier request with the same idempotency key has added the rows.
    package var isReplayed = false
}

extension ResourceService {
    /// The maximum number of repetitions of an import after a deadlock.
    private static let maximumImports = 3

    /// Adds the rows of a body in one transaction. The rules of the write apply to each row.
    /// - Parameters:
    ///   - body: The rows. After a deadlock, they are read again.
    ///   - write: The write that creates one row of the resource.
    ///   - precondition: The precondition; nil if there is none. New rows have no state.
    ///   - isRolledBack: True to write nothing.
    ///   - timeout: The maximum total time.
    /// - Throws: ``ServiceError``, with the line of the invalid row; `DatabaseError`; `CancellationError`. No row is
    ///   then added.
    public func importRows(
        _ body: ImportBody, for write: Write, precondition: Precondition? = nil, isRolledBack: Bool = false,
        timeout: Duration
    ) async throws -> ImportAnswer {
        try precondition?.check([])
        let resource = try catalogue.changedResource(of: write)
        let deadline = Deadline.after(timeout)
        var repetitions = 0
        while true {
            do {
                let ((count, isReplayed), statements, start) = try await database.write(
                    deadline: deadline, origin: origin, isRolledBack: isRolledBack
                ) { connection in
                    let start = DispatchTime.now().uptimeNanoseconds
                    let count = try once(isRolledBack ? nil : body.idempotencyKey, resource, connection) {
                        try RowImport(body, write, resource, self, connection).run()
                    }
                    return (count, connection.statementCount, start)
                }
                let cost = Answer.Cost(
                    statements: statements, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
                if body.idempotencyKey != nil { await idempotencyKeys.sweep(database) }
                return ImportAnswer(
                    count: count, cost: cost,
                    tags: EntityTags(
                        changing: [], lists: try planner.changedLists(of: .insert(into: resource.name))),
                    isReplayed: isReplayed)
            } catch let error as DatabaseError where error.code == .commitOutcomeUnknown && body.idempotencyKey != nil {
                throw UnconfirmedWrite(underlying: error)
            } catch let error as DatabaseError where error.isTransient && repetitions < Self.maximumImports {
                repetitions += 1
            } catch let error as DatabaseError where error.code == .foreignKeyViolation {
                // Only a deferred foreign key is violated at the end of a transaction.
                throw ChangeTransaction.deferredReferenceError(of: resource, .insert([:], into: resource.name))
            }
        }
    }
}

/// An import in a transaction.
///
/// The rows are inserted in batches, and after several rows one statement checks their conditions. If an insert or a
/// check fails, the rows are tried one by one to find the line of the faulty row. Then the transaction ends.
private final class RowImport {
    private let resource: Resource
    private let transaction: ChangeTransaction
    private let rows: ImportRows
    private let hook: (any ChangeHook)?
    private let inserter: RowInserter
    private let fields: [Field]
    /// True if a value can differ from the argument of the statement.
    private let bindsFields: Bool
    /// The values that the service sets in each row.
    private let setValues: [SQLValue]
    /// The condition that the rows exist to which new rows refer.
    private let references: Filter
    private let isChecked: Bool
    /// True if the references of each row must be checked before it is inserted.
    private let checksReferences: Bool
    /// The position of each field of the key in the values; nil if the input does not contain it.
    private let keyPositions: [Int?]
    /// The rows whose references are not checked, and their total size in bytes.
    private var collected: [ImportRow] = []
    private var collectedSize = 0
    /// The rows that the inserter has not inserted.
    private var pending: [ImportRow] = []
    /// The rows that the inserter inserts.
    private var inserted: [ImportRow] = []
    /// The rows that are inserted, but not checked, and their total size in bytes.
    private var unchecked: [(row: ImportRow, key: [SQLValue])] = []
    private var uncheckedSize = 0

    /// The maximum number of rows that are checked together.
    private static let maximumUnchecked = 100
    /// The maximum number of rows whose references are checked together.
    private static let maximumCollected = 250
    /// The number of bytes from which rows are checked, even if they are fewer.
    private static let maximumSize = 256 << 10

    init(
        _ body: ImportBody, _ write: Write, _ resource: Resource, _ service: ResourceService, _ connection: Connection
    ) throws {
        self.resource = resource
        transaction = ChangeTransaction(connection, service)
        hook = service.hooks[resource.name]
        let context = InputContext(
            catalogue: service.catalogue, hooks: service.hooks, dates: service.encoding.dates)
        rows = try ImportRows(body, write, context)
        let rules = resource.writes.create
        let set = try (rules?.set ?? [:]).sorted { $0.key < $1.key }.map { name, operand in
            let field = try resource.requiredField(name)
            return (field, try service.value(of: operand, for: field, of: resource))
        }
        setValues = set.map(\.1)
        fields = write.input.map(\.field)
        bindsFields = fields.contains(where: \.isStoredAsBytes)
        let written = fields + set.map(\.0)
        references = service.catalogue.existenceOfReferences(of: resource, in: written)
        isChecked =
            !resource.condition.isEverything || !references.isEverything || rules?.check.isEverything == false
        checksReferences = service.catalogue.hasLimitedReferences(of: resource)
        keyPositions = resource.key.map { name in write.input.firstIndex { $0.field.name == name } }
        let hasKeys = keyPositions.allSatisfy { $0.map { write.input[$0].isRequired } == true }
        inserter = RowInserter(
            connection, into: TableReference.insertTarget(resource.table),
            columns: written.map {
                .init(
                    quoted: SQLIdentifier.quoted($0.column), expression: service.planner.stored("?", as: $0.type),
                    isAutomatic: $0.databaseValue == .automatic)
            },
            returning: isChecked && !hasKeys ? resource.keyFields.map { SQLIdentifier.quoted($0.column) } : [])
    }

    /// Inserts all rows.
    /// - Returns: The number of rows.
    func run() throws -> Int {
        var count = 0
        while let row = try next() {
            count += 1
            if let hook {
                let change = change(row)
                try located(row) {
                    try hook.check(change, in: transaction)
                    _ = try hook.perform(change, in: transaction)
                }
                continue
            }
            if checksReferences { try collect(row) } else { try add(row) }
        }
        try finishRows()
        return count
    }

    /// Returns the next row. If it is invalid, the errors of the rows before it come first.
    private func next() throws -> ImportRow? {
        do {
            return try rows.next()
        } catch let error as ServiceError {
            try finishRows()
            throw error
        }
    }

    private func finishRows() throws {
        try addCollected()
        try insertPending()
        try checkRows()
    }

    private func add(_ row: ImportRow) throws {
        let values = values(of: row)
        if inserter.excludes(values) { try insertPending() }
        inserter.append(values)
        pending.append(row)
        if inserter.isFull { try insertPending() }
    }

    private func collect(_ row: ImportRow) throws {
        collected.append(row)
        collectedSize += row.size
        if collected.count == Self.maximumCollected || collectedSize >= Self.maximumSize {
            try addCollected()
        }
    }

    /// Adds the collected rows after a check of their references. A reference to a hidden row must be an error of the
    /// same row as a reference to a missing row.
    private func addCollected() throws {
        guard !collected.isEmpty else { return }
        let checked = try transaction.rowsToCheck(
            amongReferencesOf: resource, collected.map { rows.row($0.values) })
        for (index, row) in collected.enumerated() {
            if checked.contains(index) {
                // The row can refer to a row before it.
                try insertPending()
                try located(row) { try transaction.checkReferences(of: resource, change(row)) }
            }
            try add(row)
        }
        collected.removeAll(keepingCapacity: true)
        collectedSize = 0
    }

    private func change(_ row: ImportRow) -> Change {
        var change = Change.insert(rows.row(row.values), into: resource.name)
        change.appliesRules = true
        return change
    }

    // MARK: Inserts

    /// Returns the values of a row for the columns of the inserter.
    private func values(of row: ImportRow) -> [SQLValue?] {
        var values = row.values
        if bindsFields { values = zip(fields, values).map { field, value in value.map { field.bound($0) } } }
        for value in setValues { values.append(value) }
        return values
    }

    private func insertPending() throws {
        swap(&pending, &inserted)
        defer { inserted.removeAll(keepingCapacity: true) }
        var returned: [[SQLValue]] = []
        do {
            try inserter.flush()
            returned = inserter.returned
        } catch let error as DatabaseError where error.isFaultOfRow && inserted.count > 1 && !inserter.insertsSingly {
            // The statement had no effect.
            for row in inserted {
                inserter.append(values(of: row))
                try located(row) { try inserter.flush() }
                returned += inserter.returned
            }
        } catch {
            guard inserter.insertedRows < inserted.count else { throw error }
            try located(inserted[inserter.insertedRows]) { throw error }
        }
        guard isChecked else { return }
        for (index, row) in inserted.enumerated() {
            try noteInserted(row, key: key(of: row, returned: index < returned.count ? returned[index] : []))
        }
    }

    /// Returns the key of an inserted row.
    /// - Parameter returned: The key that the database has returned; empty if the row contains the key.
    private func key(of row: ImportRow, returned: [SQLValue]) -> [SQLValue] {
        resource.key.indices.compactMap { index in
            if let position = keyPositions[index], let value = row.values[position] { return value }
            return index < returned.count ? resource.keyFields[index].shown(returned[index]) : nil
        }
    }

    // MARK: Checks

    private func noteInserted(_ row: ImportRow, key: [SQLValue]) throws {
        unchecked.append((row, key))
        uncheckedSize += row.size
        if unchecked.count == Self.maximumUnchecked || uncheckedSize >= Self.maximumSize { try checkRows() }
    }

    private func checkRows() throws {
        guard !unchecked.isEmpty else { return }
        defer {
            unchecked.removeAll(keepingCapacity: true)
            uncheckedSize = 0
        }
        guard resource.hasKey else {
            throw CatalogueError("\(resource.name) has no key, so the conditions of new rows cannot be checked")
        }
        let result = try transaction.query(
            transaction.planner.count(
                of: resource, keys: unchecked.map(\.key), where: references,
                satisfying: resource.writes.create?.check ?? .everything))
        defer { result.close() }
        guard try result.next(), result.value(at: 0) != .integer(Int64(unchecked.count)) else { return }
        result.close()
        for (row, key) in unchecked {
            let outcome = ChangeOutcome(keys: [key], count: 1, isNew: true)
            try located(row) {
                try transaction.checkReferences(of: resource, change(row))
                try transaction.checkReferences(of: resource, change(row), outcome)
                try transaction.checkRows(of: resource, change(row), outcome)
            }
        }
    }

    /// Runs a closure, and adds the line of a row to its error.
    private func located<Value>(_ row: ImportRow, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ServiceError {
            throw error.located(line: row.line)
        } catch let error as DatabaseError where error.isFaultOfRow {
            let fault = try transaction.clientError(error, of: change(row))
            guard let fault = fault as? ServiceError else { throw fault }
            throw fault.located(line: row.line)
        }
    }
}

extension DatabaseError {
    /// True if the values of a row cause the error.
    fileprivate var isFaultOfRow: Bool {
        code == .uniqueViolation || code == .foreignKeyViolation || code == .constraintViolation
    }
}

extension ResourceService {
    /// Returns the value that the service sets for a field.
    fileprivate func value(of operand: Operand, for field: Field, of resource: Resource) throws -> SQLValue {
        switch operand {
        case .value(let value): return field.bound(value)
        case .parameter(let name):
            let parameter = PlanParameter(
                name: name, field: field, resource: resource.name, isList: false, form: .value)
            guard case .value(let value)? = try arguments(of: [parameter])[parameter.argumentName] else {
                throw ParameterError(name, .missing)
            }
            return value
        }
    }
}

extension Catalogue {
    /// Returns the condition that the rows to which a row refers exist for the caller. It contains only references
    /// that fields determine, and that the database does not check, because the caller does not see all rows.
    fileprivate func existenceOfReferences(of resource: Resource, in fields: [Field]) -> Filter {
        let written = Set(fields.map(\.column))
        return .all(
            (resource.relations + resource.concealed.relations).compactMap { relation -> Filter? in
                guard case .one = relation.size, relation.joins.isEmpty, let target = self[relation.target],
                    view != .whole || !target.condition.isEverything
                else { return nil }
                let columns = relation.columns.map(\.from)
                guard columns.contains(where: written.contains) else { return nil }
                let nulls = columns.compactMap(resource.storedField(ofColumn:)).filter(\.isNullable)
                return .any(
                    nulls.map { Filter.isNull($0.name, true) } + [.related(relation.name, exists: true, .everything)])
            })
    }
}

extension Planner {
    /// Returns the statement that counts the rows that have one of several keys and satisfy a condition.
    fileprivate func count(
        of resource: Resource, keys: [[SQLValue]], where condition: Filter, satisfying rule: Filter
    ) throws -> ChangePlan.Statement {
        var scope = StatementScope()
        var source = try RowSource(resource, self, &scope)
        let names = resource.key
        let isRow: Filter =
            names.count == 1
            ? .compare(names[0], .in, values: keys.flatMap(\.self))
            : .any(keys.map { key in .all(zip(names, key).map { .compare($0, .equal, values: [$1]) }) })
        try restrict(&source, to: isRow.and(condition), &scope)
        try source.require(rule, &scope)
        return statement(source.select("COUNT(*)"), scope)
    }
}
