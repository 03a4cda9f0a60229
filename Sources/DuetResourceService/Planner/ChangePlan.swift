import DuetSQLDatabase

/// The statements of a ``Change``.
enum ChangePlan: Sendable {
    /// One statement for each new row. Rows with values for the same fields have the same statement.
    case insert([Insert])
    /// The statement, nil if no field has a new value; and the key of the row after the update, nil if the change has
    /// no key.
    case update(Statement?, key: [SQLValue]?)
    /// The statement.
    case delete(Statement)
    /// The statements for each row.
    case upsert([Upsert])

    /// A statement with its arguments.
    struct Statement: Sendable {
        let sql: String
        let arguments: Arguments
        /// The parameters whose arguments are bound when the plan is executed.
        let parameters: [PlanParameter]
    }

    /// The insert of a row.
    struct Insert: Sendable {
        let statement: Statement
        /// The key; nil if the statement returns it, because the database sets a part of it.
        let key: [SQLValue]?
        /// The fields that the statement returns.
        let returned: [Field]
    }

    /// The update or insert of a row: the statement that finds and locks the row; the update, which runs if it exists;
    /// and the insert, which runs if it does not.
    ///
    /// A single statement could not report whether it has inserted a row. In addition, `ON DUPLICATE KEY UPDATE` of
    /// MariaDB has no condition, and changes the row that conflicts in any unique index, which can be another row.
    struct Upsert: Sendable {
        let presence: Statement
        /// Nil if the row has no values in addition to the key.
        let update: Statement?
        let insert: Insert
    }
}
