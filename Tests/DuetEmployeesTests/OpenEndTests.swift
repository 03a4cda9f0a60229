import DuetEmployees
import DuetSQLDatabase
import Testing

@Suite("The open end of a period")
struct OpenEndTests {
    @Test("The open end of a period is 9999-01-01")
    func day() {
        #expect(CalendarDate.openEnd.description == "9999-01-01")
    }
}
