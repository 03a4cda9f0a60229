import DuetClient

extension ArticleCode {
    struct EmployeeDetail: DataDecodable {
        static let typeName: String? = "Employee"
        let employee: Employee
        let currentTitles: [Title]
        let firstTitles: [Title]
        let gender: Gender

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value()
            currentTitles = try decoder.value("titles", alias: "currentTitles", arguments: ["current": true])
            firstTitles = try decoder.value("titles", arguments: ["first": 3])
            gender = try decoder.value("gender")
        }
    }

    enum Gender: String, CaseIterable, ScalarDecodable {
        case male = "M"
        case female = "F"
    }

    struct Title: DataDecodable {
        let title: String
        let fromDate: Day

        init(from decoder: DynamicDecoder) throws(ModelError) {
            title = try decoder.value("title")
            fromDate = try decoder.value("fromDate")
        }
    }

    struct Day: ScalarDecodable {
        static let placeholders = (Day(milliseconds: 0), Day(milliseconds: 1))
        let milliseconds: Int64

        init(milliseconds: Int64) { self.milliseconds = milliseconds }

        init?(json: JSONValue) {
            guard case .integer(let milliseconds) = json else { return nil }
            self.milliseconds = milliseconds
        }
    }

    struct Superior: DataDecodable {
        static let typeName: String? = "Employee"
        let lastName: String
        let manager: [Superior]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            lastName = try decoder.value("lastName")
            let manager: Superior? = try decoder.value("manager", maximumDepth: 3)
            self.manager = manager.map { [$0] } ?? []
        }
    }

    static func printDocument(_ print: (String) -> Void) throws {
        print(try EmployeeQuery.document().text)
    }
}
