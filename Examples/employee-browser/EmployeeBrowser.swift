import ArgumentParser
import DuetClient
import Foundation

/// A terminal program that shows employees. Without a network, it shows the data that it has fetched before, and the
/// age of the data.
@main
struct EmployeeBrowser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "employee-browser",
        abstract: "Browse the employees of a server, with or without a connection.",
        discussion: Browser.help)

    @Argument(help: "The address of the server.")
    var server = "http://127.0.0.1:8080"

    @Option(help: "The SQLite file of the cache.")
    var cache = "employees.cache.sqlite"

    func run() async throws {
        guard let url = URL(string: server + "/graphql") else {
            throw ValidationError("\(server) is not an address. An address is, for example, http://127.0.0.1:8080.")
        }
        let store = GraphQLStore(
            cache: try SQLiteNormalizedCache(at: URL(filePath: cache)),
            policies: CachePolicies(
                keyFields: ["Employee": ["id"]], lookups: [FieldLookup(field: "employee", entity: "Employee")]))
        let client = GraphQLClient(transport: GraphQLEndpoint(url: url), store: store)
        var browser = Browser(client: client)
        Terminal.show("list, next, find NAME, show NUMBER, help or quit")
        while let line = Terminal.ask(), line != "quit" {
            Terminal.show(await browser.answer(line))
        }
    }
}

/// The input and the output of the program.
enum Terminal {
    /// Prints a text without buffering, even if the output is a pipe.
    static func show(_ text: String, terminator: String = "\n") {
        FileHandle.standardOutput.write(Data((text + terminator).utf8))
    }

    /// Prompts for a line.
    /// - Returns: `nil` at the end of the input.
    static func ask() -> String? {
        show("> ", terminator: "")
        return readLine()?.trimmingCharacters(in: .whitespaces)
    }
}
