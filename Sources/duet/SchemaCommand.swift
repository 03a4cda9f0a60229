import ArgumentParser
import DuetAPIDescription
import DuetResourceService

/// `duet schema`: prints the GraphQL schema that the server serves.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the GraphQL schema that the server serves.",
        discussion: """
            The output is the document at /schema.graphql, in the schema definition language. It can be passed to \
            `duet check` and to code generators. With --role, it is the schema that the callers of this role see.
            """)

    @OptionGroup var api: APIOption
    @OptionGroup var role: RoleOption

    func run() throws {
        print(try GraphQLStyle.sdl(of: role.catalogue(of: api.description())), terminator: "")
    }
}
