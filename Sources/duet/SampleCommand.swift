import ArgumentParser
import EmployeeService
import Foundation
import SQLDatabase

/// `duet sample`: fills an empty database with generated data.
struct SampleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Fill an empty database with generated data in the shape of the employees sample database.",
        discussion: """
            The same number of employees and the same seed give the same rows on every machine, and a smaller sample is \
            the beginning of a larger one. Employee 10004, the documentation's example, is in all of them.

            Everything is written in one transaction. A database whose tables hold rows already is left as it is.

            Examples:
              duet sample
              duet sample --employees 300024 --database sqlite:full.sqlite
            """)

    @Option(
        help: ArgumentHelp(
            "How many employees, 1 to 300024 (then there are about 2.8 million salaries). "
                + "(environment: DUET_EMPLOYEES; default: 10000)",
            valueName: "number"))
    var employees: Int?

    @Option(
        help: ArgumentHelp(
            "Which of the possible samples: another seed gives other people. (environment: DUET_SEED; default: 1)",
            valueName: "number"))
    var seed: UInt64?

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let environment = Environment()
        let employees = try environment.value(employees, "employees", default: 10_000)
        let seed = try environment.value(seed, "seed", default: 1)
        let generator = try SampleGenerator(employees: employees, seed: seed)
        let started = ContinuousClock.now
        let progress = ProgressBar()
        let counts = try await database.withDatabase { database in
            defer { progress.clear() }
            return try await SampleLoader(generator).load(into: database) { done, total in
                progress.show("Writing employees", done: done, of: total)
            }
        }
        let rows = EmployeeTable.allCases.map { "\((counts[$0] ?? 0).grouped) \($0.rawValue)" }.joined(separator: ", ")
        let duration = (ContinuousClock.now - started).formatted(
            .units(allowed: [.seconds], width: .wide, fractionalPart: .show(length: 1)))
        print("Wrote \(rows) to \(try database.url()) in \(duration).")
    }
}
