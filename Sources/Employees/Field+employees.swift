import ResourceService
import SQLDatabase

extension Field {
    static let employeeNumber = Field(
        "employeeNumber", .integer(1...Int64(Int32.max)), column: "emp_no", description: "The employee number.",
        example: 10004)
    static let firstName = Field(
        "firstName", .text(maximumLength: 14), column: "first_name", description: "The first name.",
        example: "Chirstian")
    static let lastName = Field(
        "lastName", .text(maximumLength: 16), column: "last_name", description: "The last name.", example: "Koblick")
    static let birthDate = Field(
        "birthDate", .date, column: "birth_date", description: "The day of birth.", example: .day("1954-05-01"))
    static let gender = Field(
        "gender",
        .choice(
            Choice("Gender", "The gender as the database records it.", [.init("F", "Female."), .init("M", "Male.")])),
        column: "gender", description: "The gender, as it is recorded.", example: "M")
    static let hireDate = Field(
        "hireDate", .date, column: "hire_date", description: "The first day at work.", example: .day("1986-12-01"))
    static let departmentNumber = Field(
        "departmentNumber", .identifier(maximumLength: 4), column: "dept_no",
        description: "The department number, as in `d005`.", example: "d005")
    static let title = Field(
        "title", .text(maximumLength: 50), column: "title", description: "The title, as in `Senior Engineer`.",
        example: "Senior Engineer")
    static let salary = Field(
        "salary", .integer(1...Int64(Int32.max)), column: "salary", description: "The amount a year.", example: 74057)

    /// The first and the last day of a period.
    /// - Parameters:
    ///   - what: The meaning of the period.
    ///   - isOpenAsNull: True if the last day of a period that goes on may be NULL, too.
    static func period(_ what: String, isOpenAsNull: Bool = false) -> [Field] {
        let isOpen = isOpenAsNull ? "9999-01-01 or null" : "9999-01-01"
        return [
            Field(
                "fromDate", .date, column: "from_date", description: "The first day that \(what).",
                example: .day("1995-12-01")),
            Field(
                "toDate", .date, column: "to_date", isNullable: isOpenAsNull,
                description: "The last day that \(what); \(isOpen) if it goes on.", example: .day("9999-01-01")),
        ]
    }
}

extension SQLValue {
    fileprivate static func day(_ text: String) -> SQLValue? { CalendarDate(iso: text).map { .date($0) } }
}
