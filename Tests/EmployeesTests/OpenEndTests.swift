import DuetSQLDatabase
import Employees
import Testing

@Suite("The open end of a period")
struct OpenEndTests {
    @Test("It is the day by which the employees database says until now")
    func day() {
        #expect(CalendarDate.openEnd.description == "9999-01-01")
    }
}
