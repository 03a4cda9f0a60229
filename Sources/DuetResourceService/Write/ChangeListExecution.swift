import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore

/// The execution of a ``ChangeList`` in one transaction. All that does not need the database is planned before the
/// transaction begins, so that a request that cannot be answered writes nothing.
struct ChangeListExecution: Sendable {
    let steps: [PlannedStep]
    let service: ResourceService
    private let idempotencyKey: IdempotencyKey?

    /// The result of a step.
    struct StepResult: Sendable {
        let outcome: ChangeOutcome
        /// The representations after the change.
        let answers: [Answer]
        /// The keys of the entities whose data the changed rows contained before the change and contain after it.
        let entities: [Subject.EntityKey]
        /// The names of the entity types that are cache tags of the lists that may contain the changed rows.
        let lists: [String]
        /// The cache tags of a change that an earlier request has performed; nil for a change of this request.
        var replayedTags: EntityTags?

        var tags: EntityTags {
            if let replayedTags { return replayedTags }
            var tags = EntityTags(changing: entities, lists: lists)
            tags.limitSize()
            return tags
        }
    }

    init(_ list: ChangeList, _ service: ResourceService) throws {
        self.service = service
        idempotencyKey = list.isRolledBack ? nil : list.idempotencyKey
        steps = try list.steps.enumerated().map { index, step in
            do {
                return try PlannedStep(step, service)
            } catch {
                throw ChangeStepError(index: index, error: error)
            }
        }
    }

    /// Runs all steps.
    /// - Parameter begin: A closure that is called before each step, with the index of the step.
    func run(on connection: Connection, begin: (Int) -> Void) throws -> [StepResult] {
        guard let key = idempotencyKey else { return try perform(on: connection, begin) }
        if let record = try service.idempotencyKeys.begin(key, on: connection) {
            return try replay(record, of: key, on: connection)
        }
        let results = try perform(on: connection, begin)
        try service.idempotencyKeys.end(key, record(results, of: key, on: connection), on: connection)
        return results
    }

    private func perform(on connection: Connection, _ begin: (Int) -> Void) throws -> [StepResult] {
        let transaction = ChangeTransaction(connection, service)
        try lockRows(transaction, begin)
        let performance = ChangePerformance(transaction)
        let execution = service.execution(on: connection, namesEntities: false)
        return try steps.enumerated().map { index, step in
            begin(index)
            return try step.run(performance, execution)
        }
    }

    /// Locks the rows of the preconditions before any other statement. A single change locks its row with its first
    /// statement, unless the condition of the row reads other tables.
    private func lockRows(_ transaction: ChangeTransaction, _ begin: (Int) -> Void) throws {
        for (index, step) in steps.enumerated() {
            guard let (resource, key) = step.comparedRow, steps.count > 1 || !resource.condition.isEverything else {
                continue
            }
            begin(index)
            try transaction.lockRow(of: resource, key)
        }
    }
}

/// A step of a list with the plans of its representations.
struct PlannedStep: Sendable {
    let step: ChangeList.Step
    let change: Change
    private let service: ResourceService
    let resource: Resource
    private let representations: [Representation]
    /// The representation of the row without a query, whose digest is the entity tag of the row in both styles; nil if
    /// it is not needed.
    private let usual: Representation?

    private enum Representation {
        /// The statement that reads a changed row. The key of the row can be unknown before the change.
        case row(Plan.Statement)
        case question(Plan)
    }

    init(_ step: ChangeList.Step, _ service: ResourceService) throws {
        let change = step.change
        let planner = service.planner
        let resource = try planner.resource(change.resource)
        self.step = step
        self.change = change
        self.service = service
        self.resource = resource
        let hasKey = change.rowKey(of: resource) != nil || step.keyStep != nil
        usual =
            change.precondition != nil && change.appliesRules && change.parent == nil && hasKey
            ? .row(try planner.item(of: resource, .usual(of: resource))) : nil
        if change.precondition != nil, usual == nil {
            guard
                !change.representations.isEmpty,
                change.kind == .insert || change.parent != nil || change.link != nil
                    || change.rowKey(of: resource) != nil
            else {
                throw CatalogueError("a precondition of a change needs the key of a row, and a representation")
            }
        }
        // The representation of a link is read only for the precondition.
        let isUnused = change.link?.showsRow == false && change.precondition == nil
        representations = try (isUnused ? [] : change.representations).map { representation in
            switch representation {
            case .row(let selection): .row(try planner.item(of: resource, selection))
            case .question(let question): .question(try planner.plan(question))
            }
        }
    }

    /// The row whose state a precondition compares; nil if there is none. The row of an earlier step is locked already.
    var comparedRow: (resource: Resource, key: [SQLValue])? {
        guard change.precondition != nil, change.appliesRules, change.parent == nil, step.keyStep == nil else {
            return nil
        }
        return change.rowKey(of: resource).map { (resource, $0) }
    }

    /// Performs the change, and reads its representations.
    func run(
        _ performance: ChangePerformance, _ execution: PlanExecution
    ) throws -> ChangeListExecution.StepResult {
        if step.hasUnknownKey { return try known(performance).run(performance, execution) }
        performance.beginStep()
        let outcome = try performance.perform(change) { isExisting in
            try change.precondition?.check(isExisting ? try current(execution) : [])
        }
        performance.rows[step.name] = outcome.keys.first.map { (change.resource, $0) }
        return ChangeListExecution.StepResult(
            outcome: outcome, answers: try answers(outcome, performance, execution), entities: performance.entities,
            lists: performance.lists)
    }

    /// Reads the representations after the change.
    /// - Parameters:
    ///   - removed: The indices of the keys whose rows the same transaction has removed. Their representation is null.
    ///   - hasParent: False if the same transaction has removed the row whose relation a representation shows.
    func answers(
        _ outcome: ChangeOutcome, _ performance: ChangePerformance, _ execution: PlanExecution,
        removed: [Int] = [], hasParent: Bool = true
    ) throws -> [Answer] {
        var answers: [Answer] = []
        guard change.link?.showsRow ?? (change.kind != .delete) else { return answers }
        for representation in representations {
            switch representation {
            case .row(let statement):
                for (index, key) in outcome.keys.enumerated() {
                    answers.append(
                        removed.contains(index)
                            ? .removed : try performance.counted(execution.answer(row(statement, key), .json)))
                }
            case .question where !hasParent: answers.append(.removed)
            case .question(let plan): answers.append(try performance.counted(execution.answer(plan, .json)))
            }
        }
        return answers
    }

    /// Returns the step with the keys of the rows of earlier steps.
    func known(_ performance: ChangePerformance) throws -> PlannedStep {
        func key(from name: String) throws -> [SQLValue] {
            guard let key = performance.rows[name]?.key else {
                throw CatalogueError("there is no earlier step \(name) with a row")
            }
            return key
        }
        var change = change
        if let name = step.relatedKeyStep { change.link?.relatedKey = try key(from: name) }
        guard let name = step.keyStep else {
            return try PlannedStep(ChangeList.Step(step.name, change), service)
        }
        let key = try key(from: name)
        if change.link != nil {
            change.link?.key = key
        } else if change.parent != nil {
            change.parent?.key = key
        } else {
            change.key = key
        }
        change.representations = change.representations.map { representation in
            guard case .question(var question) = representation else { return representation }
            question.setKey(key)
            return .question(question)
        }
        return try PlannedStep(ChangeList.Step(step.name, change), service)
    }

    /// Returns the plan of the changed row with a key.
    private func row(_ statement: Plan.Statement, _ key: [SQLValue]) -> Plan {
        Plan(statement: statement, subject: Subject(resource, key))
    }

    /// Returns the representations before the change with which the precondition is compared; empty if the row does not
    /// exist.
    private func current(_ execution: PlanExecution) throws -> [ByteBuffer] {
        do {
            return try [usual, representations.first].compactMap(\.self).compactMap { representation in
                switch representation {
                case .row(let statement):
                    try change.rowKey(of: resource).map { try execution.answer(row(statement, $0), .json).body }
                case .question(let plan): try execution.answer(plan, .json).body
                }
            }
        } catch let error as ServiceError where error.isMissingSubject {
            return []
        }
    }
}

/// Performs changes with their related changes in one transaction. Only the connection's thread uses an instance.
final class ChangePerformance {
    let transaction: ChangeTransaction
    let service: ResourceService
    let planner: Planner
    /// The rows of the previous steps, by the names of the steps.
    var rows: [String: (resource: String, key: [SQLValue])] = [:]
    /// The entities that the current step has changed.
    var entities: [Subject.EntityKey] = []
    /// The number of bytes of the answers so far.
    private var answerSize = 0
    /// The cache tags of the lists that may contain the rows of the current step.
    var lists: [String] = []

    init(_ transaction: ChangeTransaction) {
        self.transaction = transaction
        service = transaction.service
        planner = transaction.planner
    }

    /// Adds an answer to the size of all answers of the transaction.
    /// - Throws: `DatabaseError` with the code `too-large`.
    func counted(_ answer: Answer) throws -> Answer {
        answerSize += answer.body.readableBytes
        guard answerSize <= service.maximumAnswerSize else {
            throw DatabaseError(.tooLarge, "the representations exceed the size limit")
        }
        return answer
    }

    func beginStep() {
        entities = []
        lists = []
    }

    /// Performs a change and its related changes.
    /// - Parameters:
    ///   - path: The path of the changed row in the body.
    ///   - check: A closure that is called when the row is locked, before anything is written. The argument is false
    ///     if the row does not exist.
    func perform(
        _ change: Change, at path: [String] = [], check: (Bool) throws -> Void = { _ in }
    ) throws -> ChangeOutcome {
        do {
            return try performUnlocated(change, check)
        } catch let error as ServiceError where change.appliesRules {
            throw error.located(at: path)
        }
    }

    private func performUnlocated(_ change: Change, _ check: (Bool) throws -> Void) throws -> ChangeOutcome {
        if let link = change.link { return try performLink(link, change, check) }
        let resource = try planner.resource(change.resource)
        if change.isList, !change.related.isEmpty {
            if change.precondition != nil { try check(lock(change, resource) != nil) }
            return try performEach(change)
        }
        let hook = service.hooks[change.resource]
        entities += try planner.relatedEntities(of: change)
        lists += try planner.changedLists(of: change)
        let change = try transaction.selectingRows(of: change)
        let existing =
            try change.keys?.flatMap { try service.entities(of: resource, $0, transaction.connection) }
            ?? lock(change, resource)
        entities += existing ?? []
        try transaction.checkRules(of: resource, change)
        var flat = change
        flat.related = []
        try hook?.check(flat, in: transaction)
        try check(existing != nil)
        for (index, related) in change.related.enumerated() where flat.rows.indices.contains(index) {
            for related in related {
                let relation = try resource.requiredRelation(related.relation)
                guard !relation.isToMany else { continue }
                flat.rows[index] = flat.rows[index].merging(
                    try reference(related, relation, from: change, resource))
            }
        }
        let outcome = try write(flat, hook, resource, isComplete: change.related.isEmpty)
        guard change.kind != .delete else { return outcome }
        for (index, related) in change.related.enumerated() {
            let changes = try related.filter { try resource.requiredRelation($0.relation).isToMany }
            guard !changes.isEmpty else { continue }
            guard outcome.keys.indices.contains(index) else {
                throw CatalogueError("\(resource.name) has no key, so its rows cannot have related rows")
            }
            for related in changes.sorted(by: { $0.rank < $1.rank }) {
                try performToMany(related, of: outcome.keys[index], resource)
            }
        }
        if !change.related.isEmpty, hook == nil { try transaction.checkRows(of: resource, flat, outcome) }
        if let parent = change.parent {
            entities += try service.entities(
                of: try planner.resource(parent.resource), parent.key, transaction.connection)
        }
        if change.parent == nil || change.appliesRules {
            for key in outcome.keys { entities += try service.entities(of: resource, key, transaction.connection) }
        }
        return outcome
    }

    /// Performs the rows of a list, which have related rows, one by one.
    private func performEach(_ change: Change) throws -> ChangeOutcome {
        var keys: [[SQLValue]] = []
        for (index, row) in change.rows.enumerated() {
            var single = change
            single.rows = [row]
            single.isList = false
            single.related = [change.related[index]].filter { !$0.isEmpty }
            keys += try perform(single, at: [String(index)]).keys
        }
        return ChangeOutcome(keys: keys, count: change.rows.count, isNew: true)
    }

    /// Performs the statements of a change.
    /// - Parameter isComplete: False if related changes follow, after which the rows are checked.
    private func write(
        _ change: Change, _ hook: (any ChangeHook)?, _ resource: Resource, isComplete: Bool
    ) throws -> ChangeOutcome {
        do {
            return try hook?.perform(change, in: transaction)
                ?? transaction.perform(change, checksRows: isComplete)
        } catch {
            throw try transaction.clientError(error, of: change)
        }
    }

    // MARK: Related rows

    /// Performs the change of the row to which a row refers.
    /// - Returns: The values of the fields that refer to the related row.
    private func reference(
        _ related: RelatedChange, _ relation: Relation, from change: Change, _ resource: Resource
    ) throws -> RowValues {
        let target = try planner.catalogue.target(of: relation)
        switch related.action {
        case .clear:
            var values = RowValues()
            for pair in relation.columns { values[try resource.requiredField(ofColumn: pair.from).name] = .null }
            return values
        case .refer(let step):
            guard let row = rows[step], row.resource == target.name else {
                throw CatalogueError("there is no earlier step \(step) with a row of \(target.name)")
            }
            return try values(of: relation, from: resource, to: target, row.key)
        case .perform(var inner) where inner.kind == .update:
            guard let key = change.rowKey(of: resource),
                let relatedKey = try relatedKey(of: relation, from: resource, key, to: target)
            else {
                let error = ServiceError.FieldError(
                    field: relation.name, message: "cannot be changed, because there is no related row")
                var located = ServiceError(invalid: [error])
                located.fields = [error.with(path: related.path)]
                throw located
            }
            inner.key = relatedKey
            _ = try perform(inner, at: related.path)
            return RowValues()
        case .perform(let inner):
            return try values(
                of: relation, from: resource, to: target, try perform(inner, at: related.path).key)
        }
    }

    /// Returns the values of the fields with which a row refers to the row with a key.
    private func values(
        of relation: Relation, from resource: Resource, to target: Resource, _ key: [SQLValue]
    ) throws -> RowValues {
        var values = RowValues()
        for pair in relation.columns {
            values[try resource.requiredField(ofColumn: pair.from).name] = try target.value(
                ofColumn: pair.to, in: key)
        }
        return values
    }

    /// Returns the key of the row to which a row refers; nil if there is none that the caller sees.
    private func relatedKey(
        of relation: Relation, from resource: Resource, _ key: [SQLValue], to target: Resource
    ) throws -> [SQLValue]? {
        let fields = try target.keyFields.map { field in
            guard let pair = relation.columns.first(where: { $0.to == field.column }) else {
                throw CatalogueError("\(resource.name).\(relation.name) does not refer to the key of \(target.name)")
            }
            return try resource.requiredField(ofColumn: pair.from)
        }
        let values = try service.values(of: fields, resource, key, transaction.connection, isLocking: true)
        // An error about a row that the caller does not see would show its key.
        guard let values, !values.contains(.null), try transaction.exists(planner.presence(of: target, values)) else {
            return nil
        }
        return values
    }

    /// Performs the change of a row that refers to a parent row.
    private func performToMany(_ related: RelatedChange, of parent: [SQLValue], _ resource: Resource) throws {
        guard case .perform(var change) = related.action else {
            throw CatalogueError("\(related.relation) has many rows, so it cannot be a reference")
        }
        let relation = try resource.requiredRelation(related.relation)
        let target = try planner.catalogue.target(of: relation)
        var references = RowValues()
        for pair in relation.columns {
            references[try target.requiredField(ofColumn: pair.to).name] = try resource.value(
                ofColumn: pair.from, in: parent)
        }
        if change.kind == .insert {
            change.rows = change.rows.map { $0.merging(references) }
        } else {
            guard let key = references.merging(related.key).values(of: target.key) else {
                throw CatalogueError("a change of \(target.name) needs the whole key")
            }
            change.key = key
            // A row of another parent does not exist for this change.
            change.condition = change.condition.and(
                .all(references.elements.map { .compare($0, .equal, [.value($1)]) }))
        }
        _ = try perform(change, at: related.path)
    }

    // MARK: Locks

    /// Locks the parent row, or the row of the change.
    /// - Returns: The keys of the entities whose data the row contains; nil if the change has no such row.
    private func lock(_ change: Change, _ resource: Resource) throws -> [Subject.EntityKey]? {
        if let parent = change.parent {
            return try lock(try planner.resource(parent.resource), parent.key)
        }
        guard let key = change.rowKey(of: resource) else { return nil }
        // The rows of an upsert or of a replacement need not exist.
        if change.kind == .upsert || change.kind == .replace {
            let keys = change.rows.compactMap { $0.values(of: resource.key) }
            let existing = try keys.filter { try transaction.lock(resource, $0, where: change.condition) }
            guard !existing.isEmpty else { return nil }
            return try existing.flatMap { try service.entities(of: resource, $0, transaction.connection) }
        }
        return try lock(resource, key, where: change.condition)
    }

    func lock(
        _ resource: Resource, _ key: [SQLValue], where condition: Filter = .everything
    ) throws -> [Subject.EntityKey] {
        guard try transaction.lock(resource, key, where: condition) else { throw ServiceError.missing(resource, key) }
        return try service.entities(of: resource, key, transaction.connection)
    }
}

extension Change {
    /// Returns the key of the row that the change updates, upserts or deletes; nil if it adds rows, or changes all rows
    /// that match the condition.
    fileprivate func rowKey(of resource: Resource) -> [SQLValue]? {
        kind == .upsert ? rows.first?.values(of: resource.key) : key
    }
}

extension Question {
    /// Replaces the key of the row that the question concerns.
    fileprivate mutating func setKey(_ key: [SQLValue]) {
        switch subject {
        case .list: break
        case .item(let resource, _, let condition): subject = .item(resource: resource, key: key, condition: condition)
        case .related(let resource, _, let relation, let window):
            subject = .related(resource: resource, key: key, relation: relation, window)
        case .relatedItem(let resource, _, let relation, let filter):
            subject = .relatedItem(resource: resource, key: key, relation: relation, filter)
        }
    }
}

extension Resource {
    /// Returns the field of a column of the resource's table, even if clients do not see it.
    /// - Throws: ``CatalogueError`` if there is none.
    func requiredField(ofColumn column: String) throws(CatalogueError) -> Field {
        guard let field = ownField(ofColumn: column) else {
            throw CatalogueError("\(name) has no field of the column \(column)")
        }
        return field
    }

    /// Returns the value of a column of the key.
    func value(ofColumn column: String, in key: [SQLValue]) throws(CatalogueError) -> SQLValue {
        guard let index = keyFields.firstIndex(where: { $0.column == column }), key.indices.contains(index) else {
            throw CatalogueError("\(name) has no column \(column) in its key")
        }
        return key[index]
    }
}

extension ServiceError {
    /// Returns the error with the paths of the members in the body.
    /// - Parameter path: The path of the row.
    fileprivate func located(at path: [String]) -> ServiceError {
        var error = self
        error.fields = fields.map { $0.pointer == nil ? $0.with(path: path + [$0.field]) : $0 }
        if error.pointer == nil, error.code != .validationFailed, !path.isEmpty { error.pointer = JSONPointer(path) }
        return error
    }
}
