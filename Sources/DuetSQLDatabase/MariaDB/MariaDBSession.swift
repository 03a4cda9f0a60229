#if MariaDB
    internal import CDuetMariaDB

    /// The session variables on which the meaning of statements depends. A server, an account (`init_connect`) or a
    /// proxy can give each of them another value, with which a statement would return other rows or values, or fewer.
    /// Therefore a connection sets all of them, and checks them once.
    enum MariaDBSession {
        private struct Variable {
            let name: String
            /// The value as SQL.
            let value: String
            /// The condition that is true after the assignment; nil if there is no such condition.
            let check: String?

            init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
                check = "@@SESSION.\(name) <=> \(value)"
            }

            init(_ name: String, _ value: String, check: String?) {
                self.name = name
                self.value = value
                self.check = check
            }
        }

        /// The number of bytes of a value that a sort compares (`max_sort_length`). It is sufficient for texts of 255
        /// characters in all collations, which need up to 32 bytes for a character.
        static let sortedBytes = 8_192

        private static let variables = [
            // With `NO_AUTO_VALUE_ON_ZERO`, an explicit 0 for an automatic key is stored, as on SQLite.
            // With `NO_BACKSLASH_ESCAPES`, quotes are escaped only by doubling. SQLite and ``Parameters`` use this
            // syntax, too.
            Variable(
                "sql_mode",
                "'NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
            ),
            Variable("old_mode", "''"),
            Variable("time_zone", "'+00:00'"),
            Variable("tx_isolation", "'REPEATABLE-READ'"),
            Variable("autocommit", "1"),
            Variable("completion_type", "'NO_CHAIN'"),
            // ``DatabaseError`` finds names in messages.
            Variable("lc_messages", "'en_US'"),
            // Rows
            Variable("sql_select_limit", "18446744073709551615"),
            Variable("max_recursive_iterations", "4294967295"),
            Variable("system_versioning_asof", "DEFAULT", check: "@@SESSION.system_versioning_asof <=> 'DEFAULT'"),
            Variable("sql_auto_is_null", "0"),
            Variable("sql_big_selects", "1"),
            Variable("sql_safe_updates", "0"),
            Variable("standard_compliant_cte", "1"),
            // Values
            Variable("timestamp", "DEFAULT", check: nil),
            Variable("group_concat_max_len", "1048576"),
            Variable("div_precision_increment", "4"),
            Variable("default_week_format", "0"),
            Variable("lc_time_names", "'en_US'"),
            Variable("default_regex_flags", "''"),
            // Order. A sort fails if its buffer has no room for a few rows.
            Variable("max_sort_length", "\(sortedBytes)"),
            Variable(
                "sort_buffer_size", "GREATEST(@@SESSION.sort_buffer_size, 2097152)",
                check: "@@SESSION.sort_buffer_size >= 2097152"),
            // Writes
            Variable("foreign_key_checks", "1"),
            Variable("unique_checks", "1"),
            Variable("check_constraint_checks", "1"),
            Variable("sql_if_exists", "0"),
            Variable("default_storage_engine", "'InnoDB'"),
        ]

        /// The statement that sets the variables.
        /// - Parameters:
        ///   - statementTimeout: The maximum time of a statement in seconds, or 0.
        ///   - isReadOnly: True if the server must reject writes.
        static func assignment(statementTimeout: Double, isReadOnly: Bool) -> String {
            "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, max_statement_time = \(statementTimeout), "
                + "tx_read_only = \(isReadOnly ? 1 : 0), "
                + variables.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        }

        /// Makes a statement fail that locks a row which another transaction has changed since the snapshot (error
        /// 1020). Otherwise a transaction could lock the newest version of a row, but read an older one. Old servers do
        /// not have the variable.
        static func isolateSnapshots(_ handle: MariaDBConnection.Handle) throws {
            let statement = "SET SESSION innodb_snapshot_isolation = 1"
            let unknownVariable: UInt32 = 1193
            guard mysql_real_query(handle, statement, UInt(statement.utf8.count)) != 0,
                mysql_errno(handle) != unknownVariable
            else { return }
            throw DatabaseError.mariaDB(
                mysql_errno(handle), state: mysql_sqlstate(handle), message: mysql_error(handle), statement: statement)
        }

        private static let check: String = {
            let conditions =
                variables.compactMap { variable in variable.check.map { (variable.name, $0) } }
                + ["client", "connection", "results"].map { part in
                    ("character_set_\(part)", "@@SESSION.character_set_\(part) <=> 'utf8mb4'")
                }
            let names = conditions.map { "IF(\($1), NULL, '\($0)')" }.joined(separator: ", ")
            return "SELECT CONCAT_WS(', ', \(names))"
        }()

        /// Checks that the server has accepted the assignment. Some proxies ignore assignments, or distribute the
        /// statements of a session to several servers.
        /// - Throws: ``DatabaseError`` with the code `unavailable`.
        static func verify(_ handle: MariaDBConnection.Handle) throws {
            guard let names = try MariaDBConnection.texts(check, handle).first else {
                throw DatabaseError(.unavailable, "the MariaDB server does not return its session variables")
            }
            guard names.isEmpty else {
                throw DatabaseError(
                    .unavailable,
                    "the MariaDB server has other values of session variables than those that this connection has set: \(names); connect to the server itself, and not through a proxy that ignores SET"
                )
            }
        }
    }
#endif
