import DuetClient

/// The query for a page of employees. The employees can be filtered by name.
struct EmployeesQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let page: Page

        init(from decoder: DynamicDecoder) throws(ModelError) {
            page = try decoder.value(
                "employees",
                arguments: [
                    "first": 10, "after": .variable("after", "String"),
                    "filter": ["name": .variable("name", "String")],
                ])
        }
    }

    struct Page: DataDecodable {
        static let typeName: String? = "EmployeeConnection"
        let employees: [EmployeeName]
        private let info: Info
        /// The argument `after` for the next page; nil on the last page.
        var next: String? { info.hasNextPage ? info.endCursor : nil }

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employees = try decoder.value("nodes")
            info = try decoder.value("pageInfo")
        }
    }

    private struct Info: DataDecodable {
        static let typeName: String? = "PageInfo"
        let hasNextPage: Bool
        let endCursor: String?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            hasNextPage = try decoder.value("hasNextPage")
            endCursor = try decoder.value("endCursor")
        }
    }

    /// A first or last name, in which `*` matches any characters.
    var name = "*"
    /// The cursor at the end of the previous page; nil for the first page.
    var after: String?
    var variables: JSONObject { ["name": name.inputValue, "after": after.inputValue] }
}

/// The query for an employee with titles and salaries.
struct EmployeeQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employee: EmployeeDetail?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
        }
    }

    var id: String
    var variables: JSONObject { ["id": id.inputValue] }
}

/// The query for those fields of an employee that a list shows.
struct EmployeeNameQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employee: EmployeeName?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
        }
    }

    var id: String
    var variables: JSONObject { ["id": id.inputValue] }
}
