import DuetGraphQL

extension SelectionPlanner {
    /// A field's coerced arguments, with the service's checks.
    struct Arguments {
        private let values: ObjectValue
        private let path: String

        init(_ values: ObjectValue, path: String) {
            self.values = values
            self.path = path
        }

        func bool(_ name: String) throws -> Bool? {
            if case .bool(let value)? = values[name] { return value }
            return nil
        }

        func text(_ name: String) -> String? {
            if case .string(let value)? = values[name] { return value }
            return nil
        }

        func object(_ name: String) -> ObjectValue? {
            if case .object(let value)? = values[name] { return value }
            return nil
        }

        /// - Throws: ``ServiceError`` for a number of rows that is not allowed.
        func pageSize(_ name: String) throws -> Int? {
            guard case .int(let size)? = values[name] else { return nil }
            guard (1...Int64(EmployeeService.maximumPageSize)).contains(size) else {
                throw ServiceError(
                    .invalidParameter,
                    "\(name) of \(path) is a whole number from 1 to \(EmployeeService.maximumPageSize)", parameter: name
                )
            }
            return Int(size)
        }
    }
}
