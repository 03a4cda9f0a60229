import DuetClient
import Foundation

/// An employee in a list.
struct EmployeeName: DataDecodable {
    static let typeName: String? = "Employee"
    let id: String
    let firstName: String
    let lastName: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        firstName = try decoder.value("firstName")
        lastName = try decoder.value("lastName")
    }

    var line: String { "\(id)  \(firstName) \(lastName)" }
}

/// An employee with titles and salaries. The latest title and the latest salary come first.
struct EmployeeDetail: DataDecodable {
    static let typeName: String? = "Employee"
    let name: EmployeeName
    let titles: [Title]
    let salaries: [Salary]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        name = try decoder.value()
        titles = try decoder.value("titles")
        salaries = try decoder.value("salaries")
    }

    var text: String {
        let titles = titles.map { "  \($0.from.year)  \($0.title)" }
        let salaries = salaries.map { "  \($0.from.year)  \($0.salary)" }
        return ([name.line] + titles + salaries).joined(separator: "\n")
    }
}

struct Title: DataDecodable {
    let title: String
    let from: Day

    init(from decoder: DynamicDecoder) throws(ModelError) {
        title = try decoder.value("title")
        from = try decoder.value("fromDate")
    }
}

struct Salary: DataDecodable {
    let salary: Int
    let from: Day

    init(from decoder: DynamicDecoder) throws(ModelError) {
        salary = try decoder.value("salary")
        from = try decoder.value("fromDate")
    }
}

/// The custom scalar `Date` of the service: the first moment of a day, in milliseconds since 1970.
struct Day: ScalarDecodable {
    static let placeholders = (Day(milliseconds: 0), Day(milliseconds: 1))
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    init?(json: JSONValue) {
        guard case .integer(let milliseconds) = json else { return nil }
        self.milliseconds = milliseconds
    }

    /// The year. A day of the service begins at midnight in New York, unless the server is configured with a different
    /// time zone.
    var year: Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
        return calendar.component(.year, from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
