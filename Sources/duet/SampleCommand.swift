import ArgumentParser
import DuetEmployees
import DuetSQLDatabase
import Foundation

/// `duet sample`: fills an empty database with generated data.
struct SampleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Fill an empty database with generated data in the shape of the employees sample database.",
        discussion: """
            Equal numbers of employees and equal seeds generate equal rows on every machine. A larger sample starts \
            with the rows of a smaller sample. Every sample contains employee 10004, the example in the documentation.

            The command writes all rows in one transaction. It does not change a database that already contains rows, \
            or tables that duet has not created.

            Examples:
              duet sample
              duet sample --employees 300024 --database sqlite:full.sqlite
            """)

    static let employees = Setting(
        "employees", "Number of employees", default: 10_000, in: 1...SampleGenerator.maximumEmployees)
    static let seed = Setting(
        "seed", "Seed of the random data; different seeds generate different employees", default: 1, in: 0...UInt64.max
    )

    @Option(Self.employees) var employees: Int?
    @Option(Self.seed) var seed: UInt64?
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let url = try database.url()
        let generator = try SampleGenerator(
            employees: Self.employees.value(employees), seed: Self.seed.value(seed))
        let started = ContinuousClock.now
        let progress = ProgressBar()
        let counts = try await DatabaseOptions.withDatabase(url) { database in
            defer { progress.clear() }
            return try await SampleLoader(generator).load(into: database) { done, total in
                progress.show("Writing employees", done: done, of: total)
            }
        }
        let rows = EmployeeTable.allCases.map { "\((counts[$0] ?? 0).grouped) \($0.rawValue)" }.joined(separator: ", ")
        let duration = (ContinuousClock.now - started).formatted(
            .units(allowed: [.seconds], width: .wide, fractionalPart: .show(length: 1)))
        print("Wrote \(rows) to \(url) in \(duration).")
    }
}
