import ArgumentParser
import DuetOperationGenerator
import DuetServer

/// The root command.
@main
struct Duet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duet",
        abstract: "Serve the tables of a database over REST and GraphQL.",
        discussion: """
            The URL of a database is sqlite:PATH or mariadb://user:password@host:port/database (?socket=PATH for a \
            Unix socket). The help of an option also names its environment variable. The command line takes \
            precedence.
            """,
        version: DuetServer.version,
        subcommands: [
            ServeCommand.self, IntrospectCommand.self, ValidateCommand.self, DiffCommand.self, AccessCommand.self,
            PrepareCommand.self, SampleCommand.self, ImportCommand.self, SchemaCommand.self, OpenAPICommand.self,
            CheckCommand.self,
            PersistCommand.self, GenerateCommand.self, CompareCommand.self,
        ])
}
