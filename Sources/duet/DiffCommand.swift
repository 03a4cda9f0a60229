import ArgumentParser
import DuetAPIDescription
import DuetJSON
import DuetSQLDatabase

/// `duet diff`: compares two descriptions, or a description with a database.
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two descriptions of an API, or a description with a database.",
        discussion: """
            Prints one difference per line. A difference is marked as breaking if requests of existing clients can fail, \
            if the type of a value in responses changes, or if such a value can become null. A removed resource, field, \
            value or write is breaking; an added one is not, unless new rows need a value of an added field. The \
            comparison with a database covers tables, columns and relations. It does not report names that you have \
            changed in the description, or changed types that fit the database.

            Roles are compared by what their callers see and change. A difference is marked with "more access" or "less \
            access". If the condition of a role is different, it is marked with "changed access", which counts as both. \
            Less access is breaking.

            Use - instead of a file to read a description from the standard input.

            Exit status: 0 without breaking differences, 1 with breaking differences, 64 for invalid options, 66 if a \
            file cannot be read, 69 if the database cannot be used. With --fail-on, the exit status is 1 for the given \
            differences instead.

            Examples:
              duet diff old.yaml new.yaml
              git show main:api.yaml | duet diff - api.yaml
              duet diff api.yaml --database sqlite:shop.db
              duet diff old.yaml new.yaml --fail-on breaking --fail-on more-access
            """)

    /// The differences for which the exit status is 1.
    enum Failure: String, ExpressibleByArgument, CaseIterable {
        case breaking
        case moreAccess = "more-access"
        case lessAccess = "less-access"
        case any

        func includes(_ difference: DescriptionDifference) -> Bool {
            switch self {
            case .breaking: difference.isBreaking
            case .moreAccess: difference.access?.givesMore == true
            case .lessAccess: difference.access?.givesLess == true
            case .any: true
            }
        }
    }

    @Argument(
        help: "Description that clients use; - for the standard input.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var old: String
    @Argument(
        help: "New description, instead of --database.", completion: .file(extensions: ["yaml", "yml", "json"]))
    var new: String?
    @OptionGroup var database: OptionalDatabase
    @Flag(help: "Print the differences as JSON.")
    var json = false
    @Option(
        help: ArgumentHelp(
            "Differences for which the exit status is 1; can be repeated. (default: breaking)",
            valueName: "kind"))
    var failOn: [Failure] = []

    func validate() throws {
        guard new == nil || database.database == nil else {
            throw ValidationError("Pass a second description or --database, not both.")
        }
        guard try new != nil || database.url() != nil else {
            throw ValidationError("Pass a second description or --database: duet diff old.yaml new.yaml")
        }
        guard old != DescriptionFile.standardInput || new != DescriptionFile.standardInput else {
            throw ValidationError("Only one of the descriptions can be the standard input.")
        }
    }

    func run() async throws {
        let differences: [DescriptionDifference]
        do {
            let old = try ForeignDatabase.description(old)
            if let new {
                differences = try ForeignDatabase.description(new).differences(from: old)
            } else {
                differences = try await self.differences(of: old)
            }
        } catch {
            throw StartFailure.reported(error)
        }
        let breaking = differences.count(where: \.isBreaking)
        let more = differences.count { $0.access?.givesMore == true }
        let less = differences.count { $0.access?.givesLess == true }
        if json {
            let report: JSONValue = [
                "breaking": .integer(Int64(breaking)), "other": .integer(Int64(differences.count - breaking)),
                "moreAccess": .integer(Int64(more)), "lessAccess": .integer(Int64(less)),
                "differences": .array(differences.map(\.json)),
            ]
            print(report.compactText)
        } else {
            for difference in differences { print(difference) }
            let count = differences.count == 1 ? "1 difference" : "\(differences.count) differences"
            let access = more + less > 0 ? "; \(more) with more access, \(less) with less access" : ""
            print(
                differences.isEmpty
                    ? "no differences" : "\(count), \(breaking == 0 ? "none" : "\(breaking)") breaking\(access)")
        }
        let failures = failOn.isEmpty ? [.breaking] : failOn
        if differences.contains(where: { difference in failures.contains { $0.includes(difference) } }) {
            throw ExitCode(1)
        }
    }

    private func differences(of description: APIDescription) async throws -> [DescriptionDifference] {
        guard let url = try database.url() else { return [] }
        do {
            return try await ForeignDatabase.with(url) { database in
                let (schema, contents) = try await ForeignDatabase.inspect(database)
                return try description.differences(to: schema, contents: contents)
            }
        } catch {
            throw StartFailure.reported(error)
        }
    }
}
