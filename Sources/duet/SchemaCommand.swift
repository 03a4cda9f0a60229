import ArgumentParser
import EmployeeService

/// `duet schema`: prints the GraphQL schema that the server serves.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the GraphQL schema that the server serves.",
        discussion: """
            It is printed in the schema definition language, as it is served at /schema.graphql: for `duet check`, and for \
            tools that generate code from it.
            """)

    func run() throws {
        print(GraphQLFace.sdl, terminator: "")
    }
}
