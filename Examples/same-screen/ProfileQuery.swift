import DuetClient

/// The query for a large screen: an employee with departments, colleagues and managers, and all departments.
struct ProfileQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employee: Profile?
        let departments: [Department]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
            departments = try decoder.value("departments")
        }
    }

    var id: String
    var variables: JSONObject { ["id": id.inputValue] }
}

struct Profile: DataDecodable {
    let person: Person
    let departments: [Assignment<DepartmentWithColleagues>]
    let manager: Colleague?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        person = try decoder.value()
        departments = try decoder.value("departments")
        manager = try decoder.value("manager")
    }
}

struct Person: DataDecodable {
    static let typeName: String? = "Employee"
    let id: String
    let employeeNumber: Int
    let firstName: String
    let lastName: String
    let gender: String
    let birthDate: Int64
    let hireDate: Int64
    let titles: [Title]
    let salaries: [Salary]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        employeeNumber = try decoder.value("employeeNumber")
        firstName = try decoder.value("firstName")
        lastName = try decoder.value("lastName")
        gender = try decoder.value("gender")
        birthDate = try decoder.value("birthDate")
        hireDate = try decoder.value("hireDate")
        titles = try decoder.value("titles", arguments: .latest(3, by: "FROM_DATE"))
        salaries = try decoder.value("salaries", arguments: .latest(3, by: "FROM_DATE"))
    }

    struct Title: DataDecodable {
        let title: String
        let period: Period

        init(from decoder: DynamicDecoder) throws(ModelError) {
            title = try decoder.value("title")
            period = try decoder.value()
        }
    }

    struct Salary: DataDecodable {
        let salary: Int
        let period: Period

        init(from decoder: DynamicDecoder) throws(ModelError) {
            salary = try decoder.value("salary")
            period = try decoder.value()
        }
    }
}

struct Colleague: DataDecodable {
    static let typeName: String? = "Employee"
    let person: Person
    let departments: [Assignment<DepartmentName>]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        person = try decoder.value()
        departments = try decoder.value("departments", arguments: ["current": true])
    }
}

struct Assignment<Department: DataDecodable>: DataDecodable {
    let period: Period
    let department: Department

    init(from decoder: DynamicDecoder) throws(ModelError) {
        period = try decoder.value()
        department = try decoder.value("department")
    }
}

struct DepartmentName: DataDecodable {
    static let typeName: String? = "Department"
    let id: String
    let number: String
    let name: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        number = try decoder.value("departmentNumber")
        name = try decoder.value("departmentName")
    }
}

struct Department: DataDecodable {
    static let typeName: String? = "Department"
    let name: DepartmentName
    let managers: [Manager]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        name = try decoder.value()
        managers = try decoder.value("managers", arguments: ["current": true])
    }
}

struct Manager: DataDecodable {
    let period: Period
    let employee: Person

    init(from decoder: DynamicDecoder) throws(ModelError) {
        period = try decoder.value()
        employee = try decoder.value("employee")
    }
}

struct DepartmentWithColleagues: DataDecodable {
    static let typeName: String? = "Department"
    let department: Department
    let employees: Employees

    init(from decoder: DynamicDecoder) throws(ModelError) {
        department = try decoder.value()
        employees = try decoder.value("employees", arguments: .latest(3, by: "HIRE_DATE"))
    }

    struct Employees: DataDecodable {
        let totalCount: Int
        let nodes: [Colleague]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            totalCount = try decoder.value("totalCount")
            nodes = try decoder.value("nodes")
        }
    }
}

struct Period: DataDecodable {
    let fromDate: Int64
    let toDate: Int64?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        fromDate = try decoder.value("fromDate")
        toDate = try decoder.value("toDate")
    }
}

extension Arguments {
    /// Returns the arguments that select the latest rows, ordered by a field.
    static func latest(_ count: Int64, by field: String) -> Arguments {
        [
            "first": .integer(count),
            "orderBy": [["field": .enumeration(field), "direction": .enumeration("DESCENDING")]],
        ]
    }
}
