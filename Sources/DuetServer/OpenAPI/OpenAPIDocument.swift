import DuetGraphQL
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
package import DuetResultSetJSON
import DuetSQLDatabase
import HTTPTypes
package import NIOCore
import Synchronization

/// The OpenAPI document of a server. It is created from the table of routes at the first request.
///
/// For a thousand tables, the creation takes about a second. Therefore it runs in a separate task and does not block
/// an event loop.
package final class OpenAPIDocument: Sendable {
    /// A format of the document.
    package enum Format: Sendable { case json, yaml }

    private let table: RouteTable
    private let printer: OpenAPIPrinter
    private let dates: DateEncoding
    private let compressionLevel: Int32
    private let tasks = Mutex<[Format: Task<CompressedBody, any Error>]>([:])

    /// Creates the document.
    /// - Parameters:
    ///   - table: The routes.
    ///   - dates: The format of dates in responses.
    ///   - compressionLevel: zlib's level for the stored document, 1 to 9.
    package init(
        _ table: RouteTable, dates: DateEncoding, compressionLevel: Int32 = ServerSettings().compressionLevel
    ) {
        self.table = table
        self.dates = dates
        self.compressionLevel = compressionLevel
        printer = OpenAPIPrinter(table.catalogue, dates: dates)
    }

    /// Returns the compressed document for responses. The first call for a format creates it.
    func compressed(_ format: Format) async throws -> CompressedBody {
        let task = tasks.withLock { tasks in
            let task =
                tasks[format]
                ?? Task.detached { [self] in
                    // The deferred call runs after all intermediate values have been freed.
                    defer { FreeMemory.giveBack() }
                    let writer = try CompressedBody.Writer(level: compressionLevel)
                    try write(format, to: writer.write)
                    return try writer.finish()
                }
            tasks[format] = task
            return task
        }
        return try await task.value
    }

    /// Creates the text of the document.
    package func text(_ format: Format) throws -> ByteBuffer {
        var text = ByteBuffer()
        try write(format) { text.writeImmutableBuffer($0) }
        return text
    }

    // MARK: Document

    private func write(_ format: Format, to receive: @escaping (ByteBuffer) throws -> Void) throws {
        switch format {
        case .json: try write(to: OpenAPIJSON(to: receive))
        case .yaml: try write(to: OpenAPIYAML(to: receive))
        }
    }

    /// Writes the document to an output. Each operation is described only when it is written, because the descriptions
    /// of all operations of a large schema would need several times the memory of the text.
    private func write<Output: OpenAPITextOutput>(to output: consuming Output) throws {
        let identifiers = identifiers
        let catalogue = table.catalogue
        let problems = ProblemResponses(ServiceError.Code.all(of: catalogue))
        let paths = table.routes.enumerated().grouped(by: \.element.path).lazy.map { _, routes in
            routes.compactMap { index, route in
                identifiers[index].flatMap { self.operation(of: route, $0) }.map { operation in
                    var operation = operation
                    if catalogue.isOfRole, route.audience == .callers || route.audience == .visitors {
                        operation.problems += ServiceError.Code.access
                    }
                    return problems.completed(operation)
                }
            }
        }
        let ownTags = (catalogue.hasDerivedWrites ? [RouteContract.Tag.batch] : []) + RouteContract.Tag.all
        let tags = ownTags.map { tag in
            var object = JSONObject(["name": .string(tag.name)])
            object["description"] = tag.description.map { .string($0) }
            return JSONValue.object(object)
        }
        var output = output
        try OpenAPIPrinter.write(
            info: info, tags: printer.tags + tags, paths: paths,
            pathParameters: [Self.requestID] + (catalogue.isOfRole ? [Self.role] : []),
            security: catalogue.isOfRole ? [[:], ["token": []]] : [],
            components: [
                ("headers", JSONObject(pairs(printer.headers) + pairs(Self.headers(catalogue)))),
                ("schemas", JSONObject(pairs(printer.schemas) + pairs(Self.schemas(catalogue)))),
                ("examples", Self.problemExamples(catalogue)),
            ] + (catalogue.isOfRole ? [("securitySchemes", Self.securitySchemes)] : []), to: &output)
        try output.finish()
    }

    /// The identifiers of the operations by the index of the route. They are unique (OpenAPI 3.1, section 4.8.10).
    private var identifiers: [Int: String] {
        var identifiers: [Int: String] = [:]
        var taken: Set<String> = []
        func take(_ name: String, for index: Int) {
            var identifier = name
            var number = 1
            while !taken.insert(identifier).inserted {
                number += 1
                identifier = "\(name)\(number)"
            }
            identifiers[index] = identifier
        }
        var related: [(Int, RESTOperation)] = []
        for (index, route) in table.routes.enumerated() {
            if let contract = route.contract {
                take(contract.identifier, for: index)
            } else if case .resource(let operation) = route.endpoint {
                // Operations on related rows are processed last, because only they have an alternative identifier.
                if operation.relation != nil {
                    related.append((index, operation))
                } else {
                    take(printer.identifier(of: operation), for: index)
                }
            }
        }
        for (index, operation) in related {
            let usual = printer.identifier(of: operation)
            take(taken.contains(usual) ? printer.alternativeIdentifier(of: operation) : usual, for: index)
        }
        return identifiers
    }

    private func pairs(_ object: JSONObject) -> [(String, JSONValue)] { object.members.map { ($0.key, $0.value) } }

    private var info: JSONValue {
        [
            "title": "Duet", "version": .string(DuetServer.version), "summary": .string(table.catalogue.description),
            "description": .string(Self.description(of: table.catalogue, dates)),
        ]
    }

    private func operation(of route: Route, _ identifier: String) -> OpenAPIOperation? {
        if case .resource(let operation) = route.endpoint {
            var described = printer.describe(operation)
            described.identifier = identifier
            guard operation.isCollection, let api = Self.queryParameters["api"] else { return described }
            described.parameters.append(api)
            described.responses[0].content["text/html"] = ["schema": .textSchema]
            return described
        }
        guard let contract = route.contract else { return nil }
        var parameters = route.parameters.compactMap { Self.queryParameters[$0] }
        if contract.responses.contains(.notModified) { parameters.append(.ifNoneMatch) }
        return OpenAPIOperation(
            route.method.rawValue, route.path, identifier, tag: contract.tag, route.summary,
            description: contract.description, pathParameters: pathParameters(of: route), parameters: parameters,
            body: contract.body, responses: contract.responses, problems: contract.problems)
    }

    /// Returns the parameters in the path of one of the server's own routes. The key of a resource has the same
    /// description as in the paths of the resource.
    private func pathParameters(of route: Route) -> [OpenAPIOperation.Parameter] {
        if case .representation(_, let operation) = route.endpoint { return printer.pathParameters(of: operation) }
        return route.path.matches(of: /\{(\w+)\}/).compactMap { Self.pathParameter(String($0.1)) }
    }
}

/// An output that writes the text of an OpenAPI document in pieces.
protocol OpenAPITextOutput: OpenAPIOutput {
    /// Creates an output.
    /// - Parameter receive: Receives the text in pieces.
    init(to receive: @escaping (ByteBuffer) throws -> Void)
    /// Ends the document and sends the last piece.
    mutating func finish() throws
}

extension OpenAPITextOutput {
    /// The number of bytes from which the text is sent.
    static var pieceSize: Int { 1 << 16 }
    /// Returns the storage for the text of a part. It compresses the text, because the parameters of a thousand tables
    /// have 18 MB.
    static func partStorage() throws -> CompressedBody.Writer { try CompressedBody.Writer(level: 1) }
}

extension OpenAPIDocument {
    /// Returns the description of the whole API. The description consists of the sections in the folder `Resources`
    /// that apply to the catalogue. Their examples contain names from the catalogue.
    static func description(of catalogue: Catalogue, _ dates: DateEncoding) -> String {
        let examples = ExampleRequests(catalogue)
        let relations = examples.relations
        let (comparison, range) = (examples.comparison, examples.range ?? examples.comparison)
        let names = [
            "relation1": relations.first, "relation2": relations.last, "field": comparison?.field,
            "value": comparison?.value, "orderedField": range?.field, "orderedValue": range?.value,
        ]
        var text = String(decoding: PackageResources.openapi_md, as: UTF8.self)
        for (name, value) in names { text = text.replacing("{\(name)}", with: value ?? name) }
        var sections = [text]
        if catalogue.resources.contains(where: { $0.hasItems && $0.key.count > 1 || $0.hasTextKey }) {
            sections.append(String(decoding: PackageResources.openapi_keys_md, as: UTF8.self))
        }
        let writesISO = if case .string = dates.json(CalendarDate(daysSinceEpoch: 0)) { true } else { false }
        let form = writesISO ? PackageResources.openapi_iso_md : PackageResources.openapi_milliseconds_md
        sections.append(String(decoding: form, as: UTF8.self))
        if !catalogue.writes.isEmpty {
            sections.append(String(decoding: PackageResources.openapi_writes_md, as: UTF8.self))
        }
        return sections.joined(separator: "\n")
    }
}

extension Resource {
    /// True if each row has its own path, and the key of the row begins with a text.
    fileprivate var hasTextKey: Bool {
        guard hasItems, let name = key.first, case .text? = field(name)?.type else { return false }
        return true
    }
}
