import ArgumentParser

/// The command line.
@main
struct Duet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duet",
        abstract: "One database, two API styles: the employees sample over REST and GraphQL.",
        discussion: """
            A database is given as a URL: sqlite:PATH, or mariadb://user:password@host:port/database (?socket=PATH for a \
            Unix socket). Every option can also be set in the environment, as DUET_ and its name (DUET_PORT, \
            DUET_DATABASE); what stands on the command line comes first.
            """,
        subcommands: [
            ServeCommand.self, SampleCommand.self, ImportCommand.self, SchemaCommand.self, OpenAPICommand.self,
            CheckCommand.self, PersistCommand.self, CompareCommand.self,
        ])
}
