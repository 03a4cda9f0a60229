import DuetServer

extension TestServer {
    /// Returns every operation of the server, with values for the parameters of its path.
    func operations() throws -> [(method: String, path: String)] {
        try RouteTable.employees.operations.map { method, path in
            let filled = path.replacing("{employeeNumber}", with: "20001").replacing("{departmentNumber}", with: "d005")
                .replacing("{code}", with: "conflict").replacing("{requestID}", with: "one")
                .replacing("/explorer/{version}", with: PageFiles.all.path).replacing("{folder}", with: "explorer")
                .replacing("{name}", with: "main.js")
            guard !filled.contains("{") else { throw UnknownParameter(path: path) }
            return (method, filled)
        }
    }

    struct UnknownParameter: Error { let path: String }
}
