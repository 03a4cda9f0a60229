import DuetClient
import DuetJSON

/// A title of an employee.
struct TitleRow: DataDecodable, Hashable {
    static let typeName: String? = "Title"
    let title: String
    let toDate: Int64?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        title = try decoder.value("title")
        toDate = try decoder.value("toDate")
    }
}

/// An employee in a list.
struct EmployeeRow: DataDecodable, Hashable, Encodable {
    static let typeName: String? = "Employee"
    let id: String
    let firstName: String
    var lastName: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        firstName = try decoder.value("firstName")
        lastName = try decoder.value("lastName")
    }
}

/// An employee with all titles and the current titles.
struct EmployeeDetail: DataDecodable, Hashable {
    static let typeName: String? = "Employee"
    let row: EmployeeRow
    let titles: [TitleRow]
    let currentTitles: [TitleRow]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        row = try decoder.value()
        titles = try decoder.value("titles")
        currentTitles = try decoder.value("titles", alias: "currentTitles", arguments: ["current": true])
    }
}

struct EmployeeScreen: DataDecodable, Hashable {
    let employee: EmployeeDetail?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
    }
}

/// A query for one employee with titles.
struct EmployeeQuery: GraphQLQuery {
    typealias Data = EmployeeScreen
    var id: String
    var variables: JSONObject { ["id": .string(id)] }
}

struct EmployeeRowScreen: DataDecodable, Hashable, Encodable {
    var employee: EmployeeRow?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
    }
}

/// A query for one employee with the fields of ``EmployeeRow``.
struct EmployeeRowQuery: GraphQLQuery {
    typealias Data = EmployeeRowScreen
    var id: String
    var variables: JSONObject { ["id": .string(id)] }
}

struct PageInfo: DataDecodable, Hashable {
    let hasNextPage: Bool
    let endCursor: String?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        hasNextPage = try decoder.value("hasNextPage")
        endCursor = try decoder.value("endCursor")
    }
}

struct EmployeePage: DataDecodable, Hashable {
    let nodes: [EmployeeRow]
    let pageInfo: PageInfo

    init(from decoder: DynamicDecoder) throws(ModelError) {
        nodes = try decoder.value("nodes")
        pageInfo = try decoder.value("pageInfo")
    }
}

struct EmployeeList: DataDecodable, Hashable {
    let employees: EmployeePage

    init(from decoder: DynamicDecoder) throws(ModelError) {
        employees = try decoder.value(
            "employees", arguments: ["first": .variable("first", "Int!"), "after": .variable("after", "String")])
    }
}

/// A query for a page of employees.
struct EmployeesQuery: GraphQLQuery {
    typealias Data = EmployeeList
    var first = 3
    var after: String?
    var variables: JSONObject {
        var variables: JSONObject = ["first": .integer(Int64(first))]
        if let after { variables["after"] = .string(after) }
        return variables
    }
}

extension CachePolicies {
    /// The cache policies for the employees API.
    static var employees: CachePolicies {
        CachePolicies(
            keyFields: ["Employee": ["id"], "Department": ["id"]],
            lookups: [FieldLookup(field: "employee", entity: "Employee")])
    }
}
