import ArgumentParser
import DuetAPIDescription
import DuetComparison
import DuetResourceService
import DuetSQLDatabase
import Foundation

/// A database for a comparison, with its description.
struct DescribedDatabase {
    let url: DatabaseURL
    let api: APIDescription

    /// - Parameters:
    ///   - api: The file of the description; nil to create a description from the tables.
    ///   - source: The option or variable that contains the URL, for error messages.
    ///   - writes: True if a description from the tables permits writes.
    init(_ text: String, api: String?, source: String, writes: Bool = false) async throws {
        url = try DatabaseOptions.url(text, from: source)
        do {
            if let api {
                self.api = try ForeignDatabase.description(api)
            } else {
                self.api = try await ForeignDatabase.introspect(url, writes: writes).api
            }
        } catch {
            throw StartFailure.reported(error)
        }
    }

    /// The description without writes. A server with this description opens the database read-only.
    var readOnlyAPI: APIDescription {
        get throws {
            // The rules of roles refer to the writes.
            guard api.roles.isEmpty, api.catalogue.hasDerivedWrites else { return api }
            var readOnly = api
            let resources = api.catalogue.resources.map { resource in
                var resource = resource
                resource.writes = WriteRules()
                return resource
            }
            readOnly.catalogue = try Catalogue(resources, description: api.catalogue.description)
            return readOnly
        }
    }

    /// Returns the tasks that are generated from the description, and the fields that the tasks omit because they
    /// cannot be read.
    func tasks() async throws -> (scenarios: [Scenario], leftOut: [ComparisonFailure]) {
        do {
            let tasks = try await ForeignDatabase.with(url) { database in
                try await CatalogueTasks(
                    ResourceService(
                        api.catalogue, database: database,
                        encoding: try EncodingOptions(source: "formats").encoding(of: api)))
            }
            guard let tasks else {
                throw StartFailure.report("no table with a key contains rows, so there is nothing to compare")
            }
            return (try Scenario.tasks(in: tasks.json), tasks.leftOut)
        } catch {
            throw StartFailure.reported(error)
        }
    }
}
