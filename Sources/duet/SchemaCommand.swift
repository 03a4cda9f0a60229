import APIDescription
import ArgumentParser
import DuetResourceService

/// `duet schema`: prints the GraphQL schema that the server serves.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the GraphQL schema that the server serves.",
        discussion: """
            The output is the schema definition language, as at /schema.graphql. It is input for `duet check` and for \
            code generators.
            """)

    @OptionGroup var api: APIOption

    func run() throws {
        print(GraphQLStyle.sdl(of: try api.description().catalogue), terminator: "")
    }
}
