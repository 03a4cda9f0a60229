import DuetSQLDatabase
import Employees
import Testing

@Suite("The open end of a period")
struct OpenEndTests {
    @Test("The open end is the day that means \"until now\" in the employees database")
    func day() {
        #expect(CalendarDate.openEnd.description == "9999-01-01")
    }
}
