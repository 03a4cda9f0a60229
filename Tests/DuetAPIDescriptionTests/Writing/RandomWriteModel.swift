import DuetResourceService
import TestSupport

/// The tables in memory, and the effects of writes on them.
struct RandomWriteModel {
    var schema: RandomSchema
    let catalogue: Catalogue
    let backend: TestBackend
    /// The rights of the caller; nil if it may make all changes. Then ``catalogue`` has only what the caller sees.
    let rights: RandomRights?
    /// The next automatic key of each table on MariaDB, which does not use the keys of removed rows again.
    private var automaticKeys: [String: Int] = [:]
    /// The keys of the rows of the steps so far, by their indexes.
    private var stepKeys: [Int: [RandomValue]] = [:]
    /// Reasons for which a database can reject changes that the model has performed. For example, some constraints are
    /// checked for each row on one database and at the end of the statement on another one.
    private(set) var possibleFailures: Set<RandomOutcome.Failure> = []
    /// True if the removal of a row has an effect on a row or a field that the caller does not see.
    private(set) var extendsToHiddenParts = false

    typealias Row = [String: RandomValue]

    /// The database rejects a change, for one of the reasons.
    struct Rejection: Error {
        let failures: Set<RandomOutcome.Failure>
        /// The rules that are violated, with the names of the tables.
        let reasons: Set<String>

        init(_ failures: RandomOutcome.Failure..., reason: String = "") {
            self.failures = Set(failures)
            reasons = [reason]
        }

        init(_ violations: [(failure: RandomOutcome.Failure, reason: String)]) {
            failures = Set(violations.map(\.failure))
            reasons = Set(violations.map(\.reason))
        }
    }

    init(schema: RandomSchema, catalogue: Catalogue, backend: TestBackend, rights: RandomRights? = nil) {
        self.schema = schema
        self.catalogue = catalogue
        self.backend = backend
        self.rights = rights
    }

    /// The outcomes that are possible for a request.
    struct Prediction {
        var failures: Set<RandomOutcome.Failure> = []
        /// The step that fails.
        var step: Int?
        /// The results, and the state after the request.
        var success: (results: [String], model: RandomWriteModel)?
        /// True if the removal of a row has an effect on a row or a field that the caller does not see.
        var extendsToHiddenParts = false
        /// The rules that are violated. If there are several, the order of the checks determines the response.
        var reasons: Set<String> = []

        var description: String {
            "\(failures)\(step.map { " in the step \($0)" } ?? "") or \(success.map { "\($0.results)" } ?? "nothing else")"
        }

        func permits(_ outcome: RandomOutcome) -> Bool {
            switch outcome {
            case .done(let results): results == success?.results
            case .failed(let failure, let step, _):
                failures.contains(failure) && (success != nil || step == nil || self.step == nil || step == self.step)
            }
        }
    }

    /// Returns the possible outcomes of a request.
    func prediction(of request: RandomRequest) -> Prediction {
        if let failure = importFailure(request) { return failure }
        // All inputs are checked before the transaction begins.
        for (index, change) in request.changes.enumerated() where isInvalid(change) {
            return Prediction(failures: [.invalid], step: request.form == .transaction ? index : nil)
        }
        var model = self
        for table in schema.tables where table.isAutomatic {
            model.automaticKeys[table.name] = (table.rows.map { $0.firstKey(of: table) }.max() ?? 0) + 1
        }
        var results: [String] = []
        for (index, change) in request.changes.enumerated() {
            do {
                results.append(try model.apply(change, at: index, before: self))
            } catch let rejection as Rejection {
                return Prediction(
                    failures: rejection.failures.union(model.possibleFailures),
                    // An earlier step can have failed, too.
                    step: request.form == .transaction && model.possibleFailures.isEmpty ? index : nil,
                    extendsToHiddenParts: model.extendsToHiddenParts,
                    reasons: rejection.reasons.union(model.possibleFailures.map { "\($0)" }))
            } catch {
                return Prediction()
            }
        }
        let failures = model.possibleFailures
        model.possibleFailures = []
        model.stepKeys = [:]
        if request.isImport, case .createAll(let nodes)? = request.changes.first?.kind {
            results = ["\(nodes.count)"]
        }
        let extendsToHiddenParts = model.extendsToHiddenParts
        model.extendsToHiddenParts = false
        return Prediction(
            failures: failures, success: (results, model), extendsToHiddenParts: extendsToHiddenParts)
    }

    /// Returns the failure of an import; nil if it succeeds. Its rows are checked and stored in parts, so the reported
    /// error is not necessarily that of the first row with an error.
    private func importFailure(_ request: RandomRequest) -> Prediction? {
        guard request.isImport, let change = request.changes.first, case .createAll(let nodes) = change.kind else {
            return nil
        }
        var (failures, reasons) = (Set<RandomOutcome.Failure>(), Set<String>())
        var model = self
        for (index, node) in nodes.enumerated() {
            let single = RandomChange(kind: .create(node), resource: change.resource)
            let prediction = model.prediction(of: RandomRequest(form: .single, changes: [single]))
            failures.formUnion(prediction.failures)
            reasons.formUnion(prediction.reasons.map { "line \(index): \($0)" })
            if let success = prediction.success { model = success.model }
        }
        // The rules are checked after several rows, so the rows after one that is not permitted can have errors, too.
        if failures.contains(.notPermitted) { failures.formUnion([.conflict, .invalid]) }
        return failures.isEmpty ? nil : Prediction(failures: failures, reasons: reasons)
    }

    // MARK: Changes

    private mutating func apply(
        _ change: RandomChange, at step: Int, before original: RandomWriteModel
    ) throws -> String {
        let resource = change.resource
        switch change.kind {
        case .create(let node):
            let key = try insert(node, resource)
            stepKeys[step] = key
            return try object(resource, key)
        case .createAll(let nodes):
            let keys = try nodes.map { try insert($0, resource) }
            return "[\(try keys.map { try object(resource, $0) }.joined(separator: ","))]"
        case .update(let node):
            guard let index = index(resource, change.key) else { throw Rejection(.missing) }
            try checkRule(updateRule(resource.table), [index], resource.table)
            try check(change, before: original)
            try update(node, resource, change.key)
            stepKeys[step] = change.key
            return try object(resource, change.key)
        case .replace(let values):
            try checkReplacement(resource, change.key)
            try check(change, before: original)
            try replace(values, resource, change.key)
            stepKeys[step] = change.key
            return try object(resource, change.key)
        case .delete:
            guard let index = index(resource, change.key) else { throw Rejection(.missing) }
            try checkRule(deleteRule(resource.table), [index], resource.table)
            try check(change, before: original)
            try delete([index], resource.table)
            return "null"
        case .updateAll(let filter, let values, let maximum):
            let indexes = try indexes(resource, filter, maximum)
            try checkRule(updateRule(resource.table), indexes, resource.table)
            if !indexes.isEmpty { try update(columns(values, resource), resource, at: indexes) }
            try checkRows(updateRule(resource.table), indexes, resource.table)
            return "\(indexes.count)"
        case .deleteAll(let filter, let maximum):
            let indexes = try indexes(resource, filter, maximum)
            try checkRule(deleteRule(resource.table), indexes, resource.table)
            try delete(indexes, resource.table)
            return "\(indexes.count)"
        }
    }

    private func check(_ change: RandomChange, before original: RandomWriteModel) throws {
        let row = try? object(change.resource, change.key)
        let isTrue =
            switch change.precondition {
            case .none: true
            case .current: row != nil && row == (try? original.object(change.resource, change.key))
            case .stale: false
            case .existing: row != nil
            case .absent: row == nil
            }
        guard isTrue else { throw Rejection(.precondition) }
    }

    /// Returns the positions of the rows that match a filter.
    private func indexes(_ resource: Resource, _ filter: RandomFilter, _ maximum: Int?) throws -> [Int] {
        let visible = RandomModel(schema: visibleSchema, catalogue: catalogue)
        let rows = schema.table(resource.table)?.rows ?? []
        let indexes = rows.indices.filter { index in
            isVisible(rows[index], resource.table) && visible.holds(filter, rows[index], resource) == true
        }
        guard indexes.count <= maximum ?? 100 else { throw Rejection(.conflict) }
        return indexes
    }

    // MARK: Rows

    /// Adds a row with its related rows.
    /// - Parameter fixed: The columns that refer to the parent row.
    /// - Returns: The key.
    private mutating func insert(
        _ node: RandomNode, _ resource: Resource, fixed: Row = [:]
    ) throws -> [RandomValue] {
        var given = columns(node.values, resource).merging(fixed) { $1 }
        try applyToOne(node, resource, nil, &given)
        let key = try insert(given, resource)
        for (relation, changes) in node.toMany {
            guard let target = catalogue[relation.target] else { continue }
            for child in changes.create {
                _ = try insert(child, target, fixed: references(relation, from: resource, key))
            }
        }
        try checkRow(createRule(resource.table), key, resource.table)
        return key
    }

    private mutating func insert(_ given: Row, _ resource: Resource) throws -> [RandomValue] {
        guard let table = schema.table(resource.table) else { throw Rejection() }
        let set = createRule(table.name)?.set ?? [:]
        var row = Row(
            uniqueKeysWithValues: table.columns.map {
                ($0.name, set[$0.name] ?? given[$0.name] ?? $0.defaultValue ?? .null)
            })
        if table.isAutomatic, let column = table.key.first {
            // SQLite uses the number after the greatest key.
            let next =
                switch backend {
                case .sqlite: (table.rows.map { $0.firstKey(of: table) }.max() ?? 0) + 1
                case .mariaDB: automaticKeys[table.name] ?? 1
                }
            if given[column] == nil { row[column] = .integer(next) }
            automaticKeys[table.name] = max(next, row.firstKey(of: table) + 1)
        }
        let violations = violations(row, table, given, except: [], isNew: true)
        guard violations.isEmpty else { throw Rejection(violations) }
        schema.change(table.name) { $0.append(row) }
        return table.key(of: row)
    }

    /// Changes a row and its related rows.
    private mutating func update(_ node: RandomNode, _ resource: Resource, _ key: [RandomValue]) throws {
        var given = columns(node.values, resource)
        try applyToOne(node, resource, key, &given)
        guard let index = index(resource, key) else { throw Rejection(.missing) }
        try update(given, resource, at: [index])
        func changes(_ body: (Resource, Row, RandomNode.ToMany) throws -> Void) rethrows {
            for (relation, changes) in node.toMany {
                guard let target = catalogue[relation.target] else { continue }
                try body(target, references(relation, from: resource, key), changes)
            }
        }
        try changes { target, references, changes in
            for key in changes.delete {
                let index = try child(target, references, key).index
                try checkRule(deleteRule(target.table), [index], target.table)
                try delete([index], target.table)
            }
        }
        try changes { target, references, changes in
            for (key, node) in changes.update {
                let child = try child(target, references, key)
                try checkRule(updateRule(target.table), [child.index], target.table)
                try update(node, target, child.key)
            }
        }
        try changes { target, references, changes in
            for node in changes.create { _ = try insert(node, target, fixed: references) }
        }
        try checkRow(updateRule(resource.table), key, resource.table)
    }

    /// Returns the row of a to-many relation that has a key.
    private func child(
        _ target: Resource, _ references: Row, _ key: [RandomMember]
    ) throws -> (index: Int, key: [RandomValue]) {
        let values = references.merging(columns(key, target)) { $1 }
        let key = target.key.map { values[target.field($0)?.column ?? ""] ?? .null }
        guard let index = index(target, key), let row = schema.table(target.table)?.rows[index],
            references.allSatisfy({ schema.compare($1, row[$0] ?? .null) == 0 })
        else { throw Rejection(.missing) }
        return (index, key)
    }

    /// Changes the rows to which a row refers, and adds the columns that refer to them.
    /// - Parameter key: The key of an existing row.
    private mutating func applyToOne(
        _ node: RandomNode, _ resource: Resource, _ key: [RandomValue]?, _ given: inout Row
    ) throws {
        for (relation, action) in node.toOne {
            guard let target = catalogue[relation.target] else { continue }
            let targetKey: [RandomValue]
            switch action {
            case .clear:
                for pair in relation.columns { given[pair.from] = .null }
                continue
            case .step(let step): targetKey = stepKeys[step] ?? []
            case .row(let inner):
                if let key {
                    let row = index(resource, key).flatMap { schema.table(resource.table)?.rows[$0] } ?? [:]
                    let related = target.key.map { name in
                        let pair = relation.columns.first { $0.to == target.field(name)?.column }
                        return row[pair?.from ?? ""] ?? .null
                    }
                    guard !related.contains(.null), let index = index(target, related) else {
                        throw Rejection(.invalid)
                    }
                    try checkRule(updateRule(target.table), [index], target.table)
                    try update(inner, target, related)
                    continue
                }
                targetKey = try insert(inner, target)
            }
            for pair in relation.columns {
                let position = target.key.firstIndex { target.field($0)?.column == pair.to } ?? 0
                given[pair.from] = targetKey[position]
            }
        }
    }

    /// Returns the columns of related rows that refer to a row.
    private func references(_ relation: Relation, from resource: Resource, _ key: [RandomValue]) -> Row {
        var row = Row()
        for pair in relation.columns {
            guard let position = resource.key.firstIndex(where: { resource.field($0)?.column == pair.from }) else {
                continue
            }
            row[pair.to] = key[position]
        }
        return row
    }

    private mutating func replace(_ values: [RandomMember], _ resource: Resource, _ key: [RandomValue]) throws {
        guard let table = schema.table(resource.table) else { return }
        var given = columns(values, resource)
        for (name, value) in zip(resource.key, key) { given[resource.field(name)?.column ?? ""] = value }
        guard let index = index(resource, key) else {
            let permitted = createColumns(table)
            let missing = table.columns.contains { column in
                permitted?.contains(column.name) == true && given[column.name] == nil && isRequired(column, table)
            }
            guard !missing, given.keys.allSatisfy({ permitted?.contains($0) == true }) else {
                throw Rejection(.invalid)
            }
            let key = try insert(given, resource)
            try checkRow(createRule(table.name), key, table.name)
            return
        }
        let permitted = updateColumns(table) ?? []
        var values = Row()
        for column in table.columns where permitted.contains(column.name) {
            guard given[column.name] != nil || !isRequired(column, table) else { throw Rejection(.invalid) }
            values[column.name] = given[column.name] ?? column.defaultValue ?? .null
        }
        try update(values, resource, at: [index])
        try checkRow(updateRule(table.name), key, table.name)
    }

    private mutating func update(_ given: Row, _ resource: Resource, at indexes: [Int]) throws {
        guard let table = schema.table(resource.table), !given.isEmpty else { return }
        var changed = table
        let set = updateRule(table.name)?.set ?? [:]
        for index in indexes { changed.rows[index].merge(given.merging(set) { $1 }) { $1 } }
        let violations = indexes.flatMap { index in
            self.violations(changed.rows[index], changed, given, except: [index], isNew: false)
        }
        guard violations.isEmpty else { throw Rejection(violations) }
        schema.change(table.name) { $0 = changed.rows }
    }

    /// Returns the rules of the database that a new or changed row violates.
    private mutating func violations(
        _ row: Row, _ table: RandomTable, _ given: Row, except indexes: Set<Int>, isNew: Bool
    ) -> [(failure: RandomOutcome.Failure, reason: String)] {
        var violations = conflicts(row, table, except: indexes).map { (RandomOutcome.Failure.conflict, "\($0)") }
        violations += missingReferences(row, table, given, isNew: isNew).map { (.invalid, "\($0)") }
        // A column that the caller does not see.
        let missing = table.columns.filter { !$0.isNullable && row[$0.name] == .null }
        return (violations + missing.map { (.invalid, $0.name) }).map { ($0.0, "\(table.name): \($0.1)") }
    }

    /// Returns the columns of the key and of the unique values that another row has, too.
    private func conflicts(_ row: Row, _ table: RandomTable, except indexes: Set<Int>) -> [[String]] {
        ([table.key] + table.unique).filter { columns in
            let values = columns.map { row[$0] ?? .null }
            guard !values.contains(.null) else { return false }
            return table.rows.indices.contains { index in
                !indexes.contains(index) && schema.isEqual(values, columns.map { table.rows[index][$0] ?? .null })
            }
        }
    }

    /// Returns the columns that refer to a missing row.
    /// - Parameter given: The values that the request sets. They cannot refer to hidden rows.
    private mutating func missingReferences(
        _ row: Row, _ table: RandomTable, _ given: Row, isNew: Bool
    ) -> [[String]] {
        var missing: [[String]] = []
        let set = (isNew ? createRule(table.name) : updateRule(table.name))?.set ?? [:]
        for reference in table.references {
            let isGiven = reference.columns.contains { given[$0] != nil }
            guard isNew || isGiven || reference.columns.contains(where: { set[$0] != nil }) else { continue }
            let values = reference.columns.map { row[$0] ?? .null }
            guard !values.contains(.null) else { continue }
            if reference.table == table.name, schema.isEqual(table.key(of: row), values) {
                // SQLite rejects a row that refers to itself if the case of the text differs.
                if table.key(of: row) != values { possibleFailures.insert(.invalid) }
                continue
            }
            let others = reference.table == table.name ? table.rows : schema.table(reference.table)?.rows ?? []
            let found = others.first { other in
                schema.isEqual(reference.referenced.map { other[$0] ?? .null }, values)
            }
            if let found, !isGiven || isVisible(found, reference.table) { continue }
            missing.append(reference.columns)
        }
        return missing
    }

    /// Removes rows, and changes the rows that refer to them.
    private mutating func delete(_ indexes: [Int], _ table: String) throws {
        let before = schema
        var removed: [String: Set<Int>] = [table: Set(indexes)]
        var next = indexes.map { (table, $0) }
        var rejecting: [(table: String, index: Int)] = []
        var isPermitted = true
        var cleared: [(table: String, index: Int)] = []
        while let (name, index) = next.popLast() {
            guard let parent = before.table(name) else { continue }
            let key = parent.key(of: parent.rows[index])
            for other in before.tables {
                for reference in other.references where reference.table == name {
                    for (position, row) in other.rows.enumerated() {
                        let values = reference.columns.map { row[$0] ?? .null }
                        guard !values.contains(.null), before.isEqual(values, key) else { continue }
                        let resource = catalogue.resources.first { $0.table == other.name }
                        let showsColumns = reference.columns.allSatisfy { name in
                            resource?.fields.contains { $0.column == name } == true
                        }
                        if !showsColumns || !isVisible(row, other.name) { extendsToHiddenParts = true }
                        switch reference.onDelete {
                        case .reject: rejecting.append((other.name, position))
                        case .cascade:
                            let rule = deleteRule(other.name)
                            if rights != nil {
                                isPermitted =
                                    isPermitted && isVisible(row, other.name) && rule != nil
                                    && holds(rule?.condition, row, other.name)
                            }
                            if removed[other.name, default: []].insert(position).inserted {
                                next.append((other.name, position))
                            }
                        case .setNull:
                            let rule = updateRule(other.name)
                            if rights != nil {
                                isPermitted =
                                    isPermitted && isVisible(row, other.name) && rule != nil
                                    && holds(rule?.condition, row, other.name)
                                    && reference.columns.allSatisfy { rule?.columns.contains($0) == true }
                                cleared.append((other.name, position))
                            }
                            schema.change(other.name) { rows in
                                for column in reference.columns { rows[position][column] = .null }
                            }
                        }
                    }
                }
            }
        }
        // The rights are checked with the rows before the change.
        guard isPermitted else { throw Rejection(.conflict, reason: "rights \(table)") }
        if !rejecting.isEmpty {
            guard rejecting.allSatisfy({ removed[$0.table]?.contains($0.index) == true }) else {
                throw Rejection(.conflict, reason: "references to \(table)")
            }
            // The rows that refer to removed rows are removed, too, but not necessarily first.
            possibleFailures.insert(.conflict)
        }
        let changed = cleared.filter { removed[$0.table]?.contains($0.index) != true }.map { place in
            (place.table, schema.table(place.table)?.rows[place.index] ?? [:])
        }
        for (name, positions) in removed {
            schema.change(name) { rows in
                rows = rows.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
            }
        }
        for (table, row) in changed {
            guard isVisible(row, table), holds(updateRule(table)?.check, row, table) else { throw Rejection(.conflict) }
        }
    }
}
