import DuetEmployees
import DuetSQLDatabase
import Testing

@Suite("Sample data")
struct SampleGeneratorTests {
    @Test("Samples with the same size and seed are equal")
    func deterministic() throws {
        let one = try SampleGenerator(employees: 300, seed: 7)
        let other = try SampleGenerator(employees: 300, seed: 7)
        #expect(Array(one) == Array(other))
    }

    @Test("Samples with different seeds have different employees, except 10004")
    func seeds() throws {
        let one = try Array(SampleGenerator(employees: 100, seed: 1))
        let other = try Array(SampleGenerator(employees: 100, seed: 2))
        #expect(zip(one, other).filter { $0 == $1 }.map(\.0.number) == [10_004])
    }

    @Test("A sample is a prefix of every larger sample", arguments: [4, 10, 500])
    func prefix(size: Int) throws {
        let small = try Array(SampleGenerator(employees: size, seed: 1))
        let large = try SampleGenerator(employees: SampleGenerator.maximumEmployees, seed: 1)
        #expect(small == Array(large.prefix(size)))
    }

    @Test(
        "A sample numbers employees from 10001 and always contains 10004",
        arguments: [
            (1, [10_004]), (2, [10_001, 10_004]), (3, [10_001, 10_002, 10_004]),
            (4, [10_001, 10_002, 10_003, 10_004]), (5, [10_001, 10_002, 10_003, 10_004, 10_005]),
        ])
    func numbers(size: Int, numbers: [Int]) throws {
        #expect(try SampleGenerator(employees: size, seed: 3).map(\.number) == numbers)
    }

    @Test("The largest sample ends with the last employee number of the original database")
    func fullSize() throws {
        let generator = try SampleGenerator(employees: SampleGenerator.maximumEmployees, seed: 1)
        #expect(generator.employee(numbered: 310_024).number == 310_024)
        #expect(generator.underestimatedCount == 300_024)
    }

    @Test("The size of a sample is between 1 and 300,024", arguments: [0, -1, 300_025, .max])
    func bounds(size: Int) throws {
        let error = #expect(throws: LoadError.self) { try SampleGenerator(employees: size, seed: 1) }
        #expect(error?.code == .sampleSize)
        #expect(error?.message.contains("1 to 300,024") == true)
    }

    @Test("For any seed, a sample contains the employee 10004 of the published example", arguments: [1, 2, UInt64.max])
    func publishedExample(seed: UInt64) throws {
        let employee = try #require(try SampleGenerator(employees: 1, seed: seed).first { _ in true })
        #expect(employee.number == 10_004)
        #expect(employee.firstName == "Chirstian")
        #expect(employee.lastName == "Koblick")
        #expect(employee.gender == .male)
        #expect(employee.birthDate.description == "1954-05-01")
        #expect(employee.hireDate.description == "1986-12-01")
        #expect(
            employee.titles.map { "\($0.title) \($0.from) \($0.to)" } == [
                "Engineer 1986-12-01 1995-12-01", "Senior Engineer 1995-12-01 9999-01-01",
            ])
        #expect(
            employee.assignments.map { "\($0.departmentNumber) \($0.from) \($0.to)" } == ["d004 1986-12-01 9999-01-01"])
        #expect(employee.management == nil)
        #expect(
            employee.salaries.map { "\($0.salary) \($0.from) \($0.to)" } == [
                "40054 1986-12-01 1987-12-01", "42283 1987-12-01 1988-11-30", "42542 1988-11-30 1989-11-30",
                "46065 1989-11-30 1990-11-30", "48271 1990-11-30 1991-11-30", "50594 1991-11-30 1992-11-29",
                "52119 1992-11-29 1993-11-29", "54693 1993-11-29 1994-11-29", "58326 1994-11-29 1995-11-29",
                "60770 1995-11-29 1996-11-28", "62566 1996-11-28 1997-11-28", "64340 1997-11-28 1998-11-28",
                "67096 1998-11-28 1999-11-28", "69722 1999-11-28 2000-11-27", "70698 2000-11-27 2001-11-27",
                "74057 2001-11-27 9999-01-01",
            ])
    }
}
