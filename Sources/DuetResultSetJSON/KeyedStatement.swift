package import DuetSQLDatabase

/// The statement of an ``Attachment``, and the facts about its text that the adapter needs. The first columns of the
/// result set are the key: they assign each row to a parent row.
package struct KeyedStatement: Sendable {
    /// The form of the statement's condition, and the way in which the statement is run for several keys.
    package enum KeyAccess: Sendable {
        /// The statement has a condition with the list of all keys, such as `IN (:key)`, and is run once. It selects
        /// the compared columns first.
        /// - Parameters:
        ///   - parameter: The name of the list parameter.
        ///   - returnsOtherKeys: True if the statement can return rows of other keys than the given ones, because the
        ///     database treats them as equal. The adapter omits these rows.
        case together(parameter: String, returnsOtherKeys: Bool = false)
        /// The statement has a condition such as `= :key`, with one parameter for each column of the key. It selects
        /// the compared columns first. For several keys, one statement repeats the text with `UNION ALL`, so that the
        /// order and the limit apply to each key.
        case repeated(parameters: [String])
        /// The statement has a condition such as `= :key` and is repeated as in ``repeated(parameters:)``. Instead of
        /// the compared columns, it selects the parameter ``rowParameter`` once for each column of the key. The value
        /// of the parameter is the index of the key. The index, not the key, assigns a row to its parent row. Therefore
        /// the stored key may differ from the argument, for example in letter case.
        case repeatedWithPositions(parameters: [String])
        /// The statement has a `VALUES` clause with ``keyList``. Each row of the clause contains the index of a key in
        /// the list and the columns of the key. Instead of the compared columns, the statement selects the index once
        /// for each column of the key.
        case listed
    }

    /// The name of the parameter whose value is the index of a key, for
    /// ``KeyAccess/repeatedWithPositions(parameters:)``.
    package static let rowParameter = "_row"
    /// The placeholder in a statement, for ``KeyAccess/listed``. The adapter replaces it by a list of rows, one for
    /// each key.
    package static let keyList = ":_keys"

    let sql: String
    /// The arguments without the keys.
    let arguments: Arguments
    let keyAccess: KeyAccess
    /// The SQL of the columns that the statement selects first, one for each column of the key.
    let keyColumns: [String]
    /// The indices in ``keyColumns`` of the columns that are compared with exact decimal numbers.
    let decimalKeys: Set<Int>
    /// The indices in ``keyColumns`` of the columns that are compared with numbers of 32 bits.
    let singleKeys: Set<Int>

    /// Creates a statement.
    /// - Parameters:
    ///   - sql: The text of the statement.
    ///   - arguments: The arguments without the keys.
    ///   - keyAccess: The form of the statement's condition, and the way in which the statement is run for several
    ///     keys.
    ///   - keyColumns: The SQL of the columns that the statement selects first, one for each column of the key.
    ///   - decimalKeys: The indices in `keyColumns` of the columns that are compared with exact decimal numbers. A
    ///     result set returns such a value as a text. The adapter passes it to the statement as `SQLValue.decimal`.
    ///   - singleKeys: The indices in `keyColumns` of the columns that are compared with numbers of 32 bits, `FLOAT` of
    ///     MariaDB. A result set returns the shortest decimal number. The adapter passes the number of 32 bits to the
    ///     statement.
    package init(
        _ sql: String, _ arguments: Arguments, _ keyAccess: KeyAccess, keyColumns: [String],
        decimalKeys: Set<Int> = [], singleKeys: Set<Int> = []
    ) {
        self.sql = sql
        self.arguments = arguments
        self.keyAccess = keyAccess
        self.keyColumns = keyColumns
        self.decimalKeys = decimalKeys
        self.singleKeys = singleKeys
    }

    /// Creates the statement of a query.
    init(_ query: AttachedQuery) {
        self.init(query.sql, query)
    }

    /// Creates a statement that counts the rows of each key.
    init(counting query: AttachedQuery) {
        self.init(query.count, query)
    }

    private init(_ sql: String, _ query: AttachedQuery) {
        self.init(sql, query.arguments, .together(parameter: AttachedQuery.parameter), keyColumns: query.key)
    }

    /// The names of the parameters for the keys.
    var parameters: [String] {
        switch keyAccess {
        case .together(let parameter, _): [parameter]
        case .repeated(let parameters), .repeatedWithPositions(let parameters): parameters
        case .listed: []
        }
    }

    /// The name of an argument that is also the name of a parameter for the keys; nil if there is none. The keys would
    /// replace this argument.
    var replacedArgument: String? { parameters.first { arguments[$0] != nil } }

    /// True if the first columns contain the index of the key instead of the key.
    var numbersKeys: Bool {
        switch keyAccess {
        case .together, .repeated: false
        case .repeatedWithPositions, .listed: true
        }
    }

    /// True if the statement can return rows of other keys than the given ones.
    var returnsOtherKeys: Bool {
        if case .together(_, let returnsOtherKeys) = keyAccess { returnsOtherKeys } else { false }
    }

    /// The approximate number of values that the statement needs for one parent row.
    var placeholders: Int {
        arguments.pairs.reduce(keyColumns.count) { $0 + $1.argument.keyCount }
    }

    /// Returns the keys as an argument of the statement. Exact decimal numbers are converted from texts to
    /// `SQLValue.decimal`, and numbers of 32 bits from the shortest decimal number.
    func argument(_ keys: Arguments.Argument) -> Arguments.Argument {
        guard !decimalKeys.isEmpty || !singleKeys.isEmpty else { return keys }
        func exact(_ row: [SQLValue]) -> [SQLValue] {
            row.enumerated().map { position, value in
                switch value {
                case .text(let digits) where decimalKeys.contains(position): .decimal(digits)
                case .double(let number) where singleKeys.contains(position): .double(Double(Float(number)))
                default: value
                }
            }
        }
        return switch keys {
        case .value(let value): .value(exact([value])[0])
        case .list(let values): .list(values.flatMap { exact([$0]) })
        case .rows(let rows): .rows(rows.map(exact))
        }
    }
}
