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
                let (count, statements, start) = try await database.write(
                    deadline: deadline, origin: origin, isRolledBack: isRolledBack
                ) { connection in
                    let start = DispatchTime.now().uptimeNanoseconds
                    let count = try RowImport(body, write, resource, self, connection).run()
                    return (count, connection.statementCount, start)
                }
                let cost = Answer.Cost(
                    statements: statements, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
                return ImportAnswer(
                    count: count, cost: cost,
                    tags: EntityTags(
                        changing: [], lists: try planner.changedLists(of: .insert(into: resource.name))))
            } catch let error as DatabaseError where error.isTransient && repetitions < Self.maximumImports {
                repetitions += 1
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
    /// The positions of the key in the values; nil if the input does not contain the whole key.
    private let keyPositions: [Int]?
    /// The rows that the inserter has not inserted.
    private var pending: [ImportRow] = []
    /// The rows that are inserted, but not checked.
    private var unchecked: [(row: ImportRow, key: [SQLValue])] = []

    /// The maximum number of rows that are checked together.
    private static let maximumUnchecked = 100

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
        inserter = RowInserter(
            connection, into: TableReference.insertTarget(resource.table),
            columns: written.map {
                .init(
                    quoted: SQLIdentifier.quoted($0.column), expression: service.planner.stored("?", as: $0.type),
                    isAutomatic: $0.databaseValue == .automatic)
            })
        references = service.catalogue.existenceOfReferences(of: resource, in: written)
        isChecked =
            !resource.condition.isEverything || !references.isEverything || rules?.check.isEverything == false
        checksReferences = service.catalogue.hasLimitedReferences(of: resource)
        let positions = resource.key.compactMap { name in write.input.firstIndex { $0.field.name == name } }
        keyPositions = positions.count == resource.key.count ? positions : nil
    }

    /// Inserts all rows.
    /// - Returns: The number of rows.
    func run() throws -> Int {
        var count = 0
        while let row = try rows.next() {
            count += 1
            if let hook {
                let change = change(row)
                try located(row) {
                    try hook.check(change, in: transaction)
                    _ = try hook.perform(change, in: transaction)
                }
                continue
            }
            if checksReferences {
                // A reference to a hidden row must be an error of the same row as a reference to a missing row. The row
                // can refer to a row before it.
                try insertPending()
                try located(row) { try transaction.checkReferences(of: resource, change(row)) }
            }
            if isChecked, !hasKey(row) {
                try insertReturningKey(row)
            } else {
                if inserter.excludes(values(of: row)) { try insertPending() }
                append(row)
                if inserter.isFull { try insertPending() }
            }
        }
        try insertPending()
        try checkRows()
        return count
    }

    private func hasKey(_ row: ImportRow) -> Bool {
        keyPositions.map { $0.allSatisfy { row.values[$0].isPresent } } ?? false
    }

    private func change(_ row: ImportRow) -> Change {
        var change = Change.insert(rows.row(row.values), into: resource.name)
        change.appliesRules = true
        return change
    }

    // MARK: Inserts

    private func append(_ row: ImportRow) {
        inserter.append(values(of: row))
        pending.append(row)
    }

    /// Returns the values of a row for the columns of the inserter.
    private func values(of row: ImportRow) -> [SQLValue?] {
        var values = row.values
        if bindsFields { values = zip(fields, values).map { field, value in value.map { field.bound($0) } } }
        for value in setValues { values.append(value) }
        return values
    }

    private func insertPending() throws {
        let inserted = pending
        pending.removeAll(keepingCapacity: true)
        do {
            try inserter.flush()
        } catch let error as DatabaseError where error.isFaultOfRow && inserted.count > 1 {
            // The statement had no effect.
            for row in inserted {
                append(row)
                try located(row) { try inserter.flush() }
            }
            pending.removeAll(keepingCapacity: true)
        } catch {
            guard let row = inserted.first else { throw error }
            try located(row) { throw error }
        }
        guard isChecked, let keyPositions else { return }
        for row in inserted { try noteInserted(row, key: keyPositions.compactMap { row.values[$0] }) }
    }

    private func insertReturningKey(_ row: ImportRow) throws {
        try insertPending()
        try noteInserted(row, key: try located(row) { try transaction.execute(change(row)).key })
    }

    // MARK: Checks

    private func noteInserted(_ row: ImportRow, key: [SQLValue]) throws {
        unchecked.append((row, key))
        if unchecked.count == Self.maximumUnchecked { try checkRows() }
    }

    private func checkRows() throws {
        guard !unchecked.isEmpty else { return }
        defer { unchecked.removeAll(keepingCapacity: true) }
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
