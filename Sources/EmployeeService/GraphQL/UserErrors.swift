import DuetGraphQL

/// Why a mutation changed nothing, as its payload tells it.
struct UserErrors {
    /// An object of a type that implements `UserError`.
    struct Item {
        let typeName: String
        let message: String
        var field: [String]?
        var key: String?
    }

    let items: [Item]

    /// The change was made.
    static let none = UserErrors(items: [])

    private init(items: [Item]) {
        self.items = items
    }

    /// - Returns: no items for an error that is no user's.
    init(_ error: ServiceError, of mutation: String) {
        /// The member of `input` that names an employee.
        let employee = mutation == "updateEmployee" || mutation == "deleteEmployee" ? "id" : "employeeId"
        switch error.code {
        case .validationFailed:
            items = error.fields.map {
                Item(typeName: "InvalidInputError", message: "\($0.field) \($0.message)", field: ["input", $0.field])
            }
        case .invalidParameter:
            let field = error.parameter == "departmentNumber" ? "departmentId" : employee
            items = [Item(typeName: "InvalidInputError", message: error.detail, field: ["input", field])]
        case .unknownEmployee:
            items = [Item(typeName: "NotFoundError", message: error.detail, field: ["input", employee])]
        case .unknownDepartment:
            items = [Item(typeName: "NotFoundError", message: error.detail, field: ["input", "departmentId"])]
        case .conflict:
            items = [Item(typeName: "ConflictError", message: error.detail, key: error.key)]
        default: items = []
        }
    }
}
