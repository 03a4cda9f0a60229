import ArgumentParser
import DuetAPIDescription
import DuetHTTPSemantics
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation

/// `duet access`: prints the permissions of roles, or the effect of a role on a request. It never makes a change.
struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Print what the roles of a description may read and change, or explain a request.",
        discussion: """
            Without a request, the command prints the fields and rows of each resource that each role sees, the \
            changes that it can make, and the lines of the description with the rules.

            With a request, the command explains what a caller with the role and the claims gets: the rule for each \
            resource that the request reads or changes, the conditions with the values of the claims, and what is \
            refused and why. A request is a method and a path, or a GraphQL document. Nothing is read from a database, \
            unless --database is set; the command then also prints the answer. It never makes a change.

            Use - instead of a file to read the description from the standard input.

            Exit status: 0 if the request is allowed, 1 if it or a part of it is refused, 64 for invalid options, 66 if \
            the file cannot be read, 69 if the database cannot be used.

            Examples:
              duet access api.yaml
              duet access api.yaml --role customer --format markdown
              duet access api.yaml --role customer --claims '{"customer":7}' 'GET /orders/7?details=lines'
              duet access api.yaml --role visitor '{ products { nodes { name } } }'
              duet access api.yaml --role clerk --body '{"state":"paid"}' 'PATCH /orders/7'
            """)

    /// The formats of the output.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        /// Text for a terminal.
        case table
        case markdown
        case json
    }

    @Argument(
        help: "Description of the API in YAML or JSON; - for the standard input.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var description: String
    @Argument(
        help: ArgumentHelp(
            "Request to explain, such as 'GET /orders/7', or a GraphQL document. (default: print the permissions)"))
    var request: String?
    @Option(help: ArgumentHelp("Role of the caller. (default: all roles)", valueName: "name"))
    var role: String?
    @Option(
        help: ArgumentHelp("Claims of the caller's token, as a JSON object. (default: no claims)", valueName: "json"))
    var claims: String?
    @Option(
        help: ArgumentHelp("Variables of the GraphQL document, as a JSON object. (default: none)", valueName: "json"))
    var variables: String?
    @Option(
        help: ArgumentHelp(
            "Body of a REST request that makes a change, as JSON. (default: the body is unknown)", valueName: "json"))
    var body: String?
    @Option(help: "Format of the output: table is text for a terminal.")
    var format = Format.table
    @OptionGroup var database: OptionalDatabase

    func validate() throws {
        if let request {
            guard role != nil else {
                throw ValidationError("Pass the role of the caller: duet access api.yaml --role NAME '\(request)'")
            }
            guard format != .markdown else {
                throw ValidationError("--format markdown is for the permissions of roles; use table or json")
            }
            let isGraphQL = if case .graphQL = try Self.request(request) { true } else { false }
            guard isGraphQL || variables == nil else {
                throw ValidationError("--variables requires a GraphQL document")
            }
            guard !isGraphQL || body == nil else {
                throw ValidationError("--body is for a REST request; pass the input of a mutation in its document")
            }
        } else {
            for (name, value) in [
                ("claims", claims), ("variables", variables), ("body", body), ("database", database.database),
            ]
            where value != nil {
                throw ValidationError("--\(name) requires a request, such as 'GET /orders/7'")
            }
        }
        _ = try Self.object(claims, "claims")
        _ = try Self.object(variables, "variables")
        _ = try requestBody
    }

    func run() async throws {
        let api: APIDescription
        do {
            api = try ForeignDatabase.description(description)
        } catch {
            throw StartFailure.reported(error)
        }
        guard !api.roles.isEmpty else {
            let name = DescriptionFile.name(of: description)
            guard role == nil else { throw ValidationError("--role: \(name) has no roles") }
            return print("\(name) has no roles; every caller sees all resources")
        }
        do {
            guard let request, let role else { return try printOverview(of: api) }
            try await explain(
                try Self.request(
                    request, variables: try Self.object(variables, "variables"), body: try requestBody), request, api,
                try api.knownRole(role))
        } catch let error as UnknownRole {
            throw ValidationError("--role: \(error)")
        } catch {
            throw StartFailure.reported(error)
        }
    }

    private func printOverview(of api: APIDescription) throws {
        let overview = try AccessOverview(of: api, role: role)
        switch format {
        case .table: print(overview.text(width: Terminal.width), terminator: "")
        case .markdown: print(overview.markdown, terminator: "")
        case .json: print(overview.json.compactText)
        }
    }

    private func explain(
        _ request: AccessRequest, _ text: String, _ api: APIDescription, _ role: ResolvedRole
    ) async throws {
        let claims = try Self.object(claims, "claims")
        @Sendable func makeExplanation(
            _ api: APIDescription, _ database: Database, isAnswered: Bool
        ) async throws -> AccessExplanation {
            let service = ResourceService(
                api.catalogue, database: database, encoding: try EncodingOptions(source: "timeZone").encoding(of: api))
            let explainer = try AccessExplainer(service, role: role.role, claims: claims)
            let access = try await explainer.access(of: request)
            let answer = isAnswered && !access.isWrite ? try await explainer.answer(to: request) : nil
            return AccessExplanation(of: access, to: text, role, claims: claims, answer: answer)
        }
        let explanation: AccessExplanation
        if let url = try database.url() {
            explanation = try await ForeignDatabase.with(url) { database in
                try await makeExplanation(
                    try await ForeignDatabase.api(api, of: database).api, database, isAnswered: true)
            }
        } else {
            // Questions and plans need no connection. No connection to this database is opened.
            let database = Database(DatabaseURL(location: .sqliteInMemory))
            explanation = try await makeExplanation(api, database, isAnswered: false)
            await database.close()
        }
        switch format {
        case .table, .markdown:
            print(explanation.text, terminator: "")
            if explanation.isWrite, try database.url() != nil {
                print("\nduet access makes no changes, so there is no answer")
            }
        case .json: print(explanation.json.compactText)
        }
        guard explanation.isAllowed else { throw ExitCode(1) }
    }

    // MARK: Arguments

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Reads a request: a method and a target, or a GraphQL document.
    /// - Throws: `ValidationError` for a target that is not a path, or whose query cannot be decoded.
    private static func request(
        _ text: String, variables: JSONObject = JSONObject(), body: JSONValue? = nil
    ) throws -> AccessRequest {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = text.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let method = parts.first, methods.contains(method) else {
            guard !text.hasPrefix("/"), !text.isEmpty else {
                throw ValidationError(
                    "Begin the request with its method, as in 'GET /orders', or pass a GraphQL document.")
            }
            return .graphQL(document: text, variables: variables)
        }
        guard parts.count == 2, parts[1].hasPrefix("/"), !parts[1].contains(" ") else {
            throw ValidationError("The request must be a method and a path, as in 'GET /orders/7?details=lines'.")
        }
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        do {
            let query = try QueryString(target.count > 1 ? target[1] : nil).parameters.map { ($0.name, $0.value) }
            return .rest(method: method, path: target[0], query: query, body: body)
        } catch {
            throw ValidationError("The query of the request cannot be decoded: \(error)")
        }
    }

    /// The value of the option `--body`; nil without the option.
    private var requestBody: JSONValue? {
        get throws {
            guard let body else { return nil }
            do {
                return try JSONValue(parsing: body.utf8)
            } catch {
                throw ValidationError("--body must be JSON, such as {\"state\":\"paid\"}: \(error)")
            }
        }
    }

    /// Reads an option whose value is a JSON object; empty without the option.
    /// - Throws: `ValidationError`.
    private static func object(_ text: String?, _ name: String) throws -> JSONObject {
        guard let text else { return JSONObject() }
        do {
            guard case .object(let object) = try JSONValue(parsing: text.utf8) else {
                throw ValidationError("--\(name) must be a JSON object, such as {\"customer\":7}")
            }
            return object
        } catch let error as JSONError {
            throw ValidationError("--\(name) must be a JSON object, such as {\"customer\":7}: \(error)")
        }
    }
}

/// The terminal of the standard output.
enum Terminal {
    /// The width in characters; 100 if the output is not a terminal.
    static var width: Int {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else {
            return 100
        }
        return Int(size.ws_col)
    }
}

/// The option `--role` of commands that print the API as the callers of a role see it.
struct RoleOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Role whose callers see the API. (default: the whole API, as without roles)", valueName: "name"))
    var role: String?

    /// Returns the catalogue of the role, or the whole catalogue without the option.
    /// - Throws: `ValidationError` for an unknown role.
    func catalogue(of api: APIDescription) throws -> Catalogue {
        guard let role else { return api.catalogue }
        do {
            return try api.catalogue.restricted(to: try api.knownRole(role).role)
        } catch let error as UnknownRole {
            throw ValidationError("--role: \(error)")
        }
    }
}
