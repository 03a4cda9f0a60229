import DuetSQLDatabase

/// The personal data of an employee, without the career.
struct SamplePerson {
    let number: Int
    let gender: SampleEmployee.Gender
    let firstName: String
    let lastName: String
    let birthDate: CalendarDate

    /// Creates a random person. Three of five people are men.
    init(number: Int, _ random: inout SplitMix64) {
        self.number = number
        gender = random.chance(perThousand: 600) ? .male : .female
        let firstNames = gender == .male ? SampleNames.male : SampleNames.female
        firstName = firstNames[random.below(firstNames.count)]
        lastName = SampleNames.last[random.below(SampleNames.last.count)]
        birthDate = SampleCalendar.date(from: SampleCalendar.firstBirth, through: SampleCalendar.lastBirth, &random)
    }

    /// Returns an employee with the data of this person and with a career.
    func employee(
        hired: CalendarDate, titles: [SampleEmployee.Title], salaries: [SampleEmployee.Salary],
        assignments: [SampleEmployee.Assignment], management: SampleEmployee.Assignment? = nil
    ) -> SampleEmployee {
        SampleEmployee(
            number: number, birthDate: birthDate, firstName: firstName, lastName: lastName, gender: gender,
            hireDate: hired, titles: titles, salaries: salaries, assignments: assignments, management: management)
    }
}
