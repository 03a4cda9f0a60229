import APIDescription
import ArgumentParser
import Comparison
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Foundation

/// A database of a comparison with its description.
struct DescribedDatabase {
    let url: DatabaseURL
    let api: APIDescription

    /// - Parameters:
    ///   - api: The file of the description; without one, the tables are described.
    ///   - source: The option or variable that the URL comes from, for errors.
    init(_ text: String, api: String?, source: String) async throws {
        url = try DatabaseOptions.url(text, from: source)
        do {
            if let api {
                self.api = try ForeignDatabase.description(api)
            } else {
                self.api = try await ForeignDatabase.introspect(url).api
            }
        } catch {
            throw StartFailure.reported(error)
        }
    }

    /// The tasks that the description is good for.
    func tasks() async throws -> [Scenario] {
        do {
            let tasks = try await ForeignDatabase.with(url) { database in
                try await CatalogueTasks(
                    ResourceService(
                        api.catalogue, database: database,
                        encoding: try EncodingOptions(source: "formats").encoding(of: api)))?.json
            }
            guard let tasks else {
                throw StartFailure.report("no table with a key has rows, so there is nothing to compare")
            }
            return try Scenario.tasks(in: Array(tasks.compactText.utf8))
        } catch {
            throw StartFailure.reported(error)
        }
    }
}
