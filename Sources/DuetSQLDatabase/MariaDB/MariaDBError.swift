#if MariaDB
    internal import CDuetMariaDB

    extension DatabaseError {
        /// Returns the error for a MariaDB error number (mariadb.com/kb/en/mariadb-error-codes).
        static func mariaDB(
            _ number: UInt32, state: UnsafePointer<CChar>?, message: UnsafePointer<CChar>?, statement: String? = nil
        ) -> DatabaseError {
            let state = state.map { String(cString: $0) } ?? "HY000"
            let text = message.map { String(cString: $0) } ?? "unknown error"
            // A trigger can choose the number of its error.
            let kind = state.hasPrefix("45") ? Code.constraintViolation : kind(of: number, text)
            return DatabaseError(kind, text, backendCode: "\(state)/\(number)", statement: statement)
        }

        private static func kind(of number: UInt32, _ message: String) -> Code {
            switch number {
            // 1047: a node of a Galera cluster that is not ready.
            case 1040, 1042, 1044, 1045, 1047, 1049, 1129, 1130, 1203, 1226, 1698, 2002, 2003, 2004, 2005, 2026:
                .unavailable
            case 1053, 1927, 2006, 2013, 2055, 4031: .connectionLost
            case 1317: .cancelled
            case 1969, 3024: .timeout
            // 1020: another transaction has changed the row since the snapshot.
            case 1020, 1205, 1213: .busy
            case 1062, 1586, 1859: .uniqueViolation
            case 1216, 1217, 1451, 1452: .foreignKeyViolation
            case 1048, 1264, 1265, 1292, 1364, 1366, 1406, 1644, 1906, 3819, 4025: .constraintViolation
            // 1690: the result of a computation is out of range.
            case 1690 where message.contains(DatabaseError.invalidValueMark): .invalidValue
            case 1690: .invalidNumber
            case 1036, 1290, 1792, 1836: .readOnly
            // Numbers below 1000 are errors of the server's file layer, mysys.
            case 20, 1021, 1114: .full
            case 2, 1016, 1023, 1024: .ioError
            case 1, 3, 1026: [28, 122].contains(systemError(in: message)) ? .full : .ioError
            case 1030: kindOfEngineError(systemError(in: message))
            case 1146: .missingTable
            case 1054, 1356: .missingColumn
            case 1064, 1305: .syntax
            default: .failed
            }
        }

        /// Returns the system's error number from a message such as
        /// `Error writing file 'x' (errno: 28 "No space left on device")` or
        /// `Got error 28 "No space left on device" from storage engine InnoDB`. ENOSPC is 28, and EDQUOT is 122.
        private static func systemError(in message: String) -> Int? {
            message.firstMatch(of: /(?i:errno:|error) (\d+)/).flatMap { Int($0.1) }
        }

        /// Returns the error code for a number of a storage engine. A number below 120 is the system's `errno`. Numbers
        /// from 120 are defined by the storage engines (my_base.h): 135 and 136 mean that a data file or an index file
        /// is full.
        private static func kindOfEngineError(_ number: Int?) -> Code {
            switch number {
            case 28, 135, 136: .full
            case .some(..<120): .ioError
            default: .failed
            }
        }
    }
#endif
