import DuetResourceService

/// The rights of the caller.
extension RandomWriteModel {
    func createRule(_ table: String) -> RandomRights.Rule? { rights?.rules[table]?.create }
    func updateRule(_ table: String) -> RandomRights.Rule? { rights?.rules[table]?.update }
    func deleteRule(_ table: String) -> RandomRights.Rule? { rights?.rules[table]?.delete }

    /// Returns the columns that a request can set in a new row; nil if the caller creates none.
    func createColumns(_ table: RandomTable) -> [String]? {
        rights == nil ? table.columns.map(\.name) : createRule(table.name)?.columns
    }

    /// Returns the columns that a request can set in an existing row; nil if the caller changes none.
    func updateColumns(_ table: RandomTable) -> [String]? {
        rights == nil
            ? table.columns.map(\.name).filter { !table.key.contains($0) } : updateRule(table.name)?.columns
    }

    func deletes(_ table: RandomTable) -> Bool { rights == nil || deleteRule(table.name) != nil }

    /// True if a request can determine the whole key of a new row.
    func createsWithKey(_ table: RandomTable) -> Bool {
        createColumns(table).map { columns in table.key.allSatisfy(columns.contains) } ?? false
    }

    func isVisible(_ row: Row, _ table: String) -> Bool { rights?.sees(row, of: table, in: schema) ?? true }

    /// The tables with only the rows that the caller sees.
    var visibleSchema: RandomSchema { rights == nil ? schema : schema.keeping { isVisible($0, $1) } }

    func holds(_ condition: RandomFilter?, _ row: Row, _ table: String) -> Bool {
        rights?.holds(condition, row, of: table, in: schema) ?? true
    }

    // MARK: Checks

    /// Checks the rows before a change.
    func checkRule(_ rule: RandomRights.Rule?, _ indexes: [Int], _ table: String) throws {
        let rows = schema.table(table)?.rows ?? []
        guard indexes.allSatisfy({ holds(rule?.condition, rows[$0], table) }) else {
            throw Rejection(.notPermitted, reason: "before \(table)")
        }
    }

    /// Checks that the caller may replace a row or, if it does not exist, create it.
    func checkReplacement(_ resource: Resource, _ key: [RandomValue]) throws {
        guard let table = schema.table(resource.table) else { return }
        guard let index = index(resource, key) else {
            guard createsWithKey(table) else { throw Rejection(.missing) }
            return
        }
        guard updateColumns(table) != nil else { throw Rejection(.notPermitted) }
        try checkRule(updateRule(table.name), [index], table.name)
    }

    /// Checks rows after a change.
    func checkRows(_ rule: RandomRights.Rule?, _ indexes: [Int], _ table: String) throws {
        let rows = schema.table(table)?.rows ?? []
        guard indexes.allSatisfy({ isVisible(rows[$0], table) && holds(rule?.check, rows[$0], table) }) else {
            throw Rejection(.notPermitted, reason: "after \(table)")
        }
    }

    /// Checks the row with a key after a change. If the change has removed the row, it has no representation.
    func checkRow(_ rule: RandomRights.Rule?, _ key: [RandomValue], _ name: String) throws {
        guard rights != nil, let table = schema.table(name) else { return }
        guard let index = table.rows.firstIndex(where: { schema.isEqual(table.key(of: $0), key) }) else {
            throw Rejection(.notPermitted, .missing)
        }
        try checkRows(rule, [index], name)
    }
}
