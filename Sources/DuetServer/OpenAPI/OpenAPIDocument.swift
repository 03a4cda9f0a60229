import DuetHTTPSemantics
import DuetJSON
import DuetJSONWriter
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
package import NIOCore
import Synchronization

/// The OpenAPI document of a server. It is created from the catalogue and the routes at the first request.
///
/// For hundreds of tables, the creation takes seconds. Therefore it runs in a separate task and does not block an event
/// loop.
package final class OpenAPIDocument: Sendable {
    private let routes: [Route]
    let catalogue: Catalogue
    private let printer: OpenAPIPrinter
    private let dates: DateEncoding
    private let yamlTask = Mutex<Task<ByteBuffer, any Error>?>(nil)
    private let jsonTask = Mutex<Task<ByteBuffer, any Error>?>(nil)

    init(_ routes: [Route], _ catalogue: Catalogue, dates: DateEncoding) {
        self.routes = routes
        self.catalogue = catalogue
        self.dates = dates
        printer = OpenAPIPrinter(catalogue, dates: dates)
    }

    /// The document as YAML.
    package var yaml: ByteBuffer {
        get async throws {
            try await Self.value(of: yamlTask) { [self] in ByteBuffer(string: try JSONValue.object(document).yaml()) }
        }
    }

    /// The document as JSON.
    package var json: ByteBuffer {
        get async throws {
            try await Self.value(of: jsonTask) { [self] in
                var writer = JSONWriter(capacity: 1 << 18)
                writer.write(.object(document))
                return writer.buffer
            }
        }
    }

    /// Returns the result of a task. The first caller starts the task.
    private static func value(
        of task: borrowing Mutex<Task<ByteBuffer, any Error>?>, _ print: @escaping @Sendable () throws -> ByteBuffer
    ) async throws -> ByteBuffer {
        let started = task.withLock { task in
            let started =
                task
                ?? Task.detached {
                    // The deferred call runs after all intermediate values have been freed.
                    defer { FreeMemory.giveBack() }
                    return try print()
                }
            task = started
            return started
        }
        return try await started.value
    }

    // MARK: Document

    private var document: JSONObject {
        let described = operations
        // If the path of one of the server's own routes contains the key of a resource, the key has the same
        // description as in the REST paths.
        let keys = Dictionary(
            described.flatMap(\.pathParameters).map { ($0.value["name"], $0) }, uniquingKeysWith: { first, _ in first })
        let operations = described.map { operation in
            var operation = operation
            if operation.pathParameters.isEmpty {
                operation.pathParameters = operation.path.matches(of: /\{(\w+)\}/).compactMap { match in
                    Self.pathParameter(String(match.1), in: operation.path, catalogue)
                        ?? keys[.string(String(match.1))]
                }
            }
            return completed(operation)
        }
        let tags = RouteContract.Tag.all.map { tag in
            var object = JSONObject(["name": .string(tag.name)])
            object["description"] = tag.description.map { .string($0) }
            return JSONValue.object(object)
        }
        return OpenAPIPrinter.document(
            info: info, tags: printer.tags + tags, operations: operations, pathParameters: [Self.requestID],
            components: [
                ("headers", JSONObject(pairs(printer.headers) + pairs(Self.headers))),
                ("schemas", JSONObject(pairs(printer.schemas) + pairs(Self.schemas(catalogue)))),
                ("examples", Self.problemExamples(catalogue)),
            ])
    }

    /// The operations of the routes. Their identifiers are unique (OpenAPI 3.1, section 4.8.10).
    private var operations: [OpenAPIOperation] {
        var taken: Set<String> = []
        var operations: [Int: OpenAPIOperation] = [:]
        // Operations on related rows are processed last, because only they have an alternative identifier.
        let ordered = routes.enumerated().sorted {
            ($0.element.isRelated ? 1 : 0, $0.offset) < ($1.element.isRelated ? 1 : 0, $1.offset)
        }
        for (index, route) in ordered {
            guard var operation = operation(of: route) else { continue }
            if taken.contains(operation.identifier), case .resource(let described)? = route.contract {
                operation.identifier = printer.alternativeIdentifier(of: described)
            }
            let name = operation.identifier
            var number = 1
            while !taken.insert(operation.identifier).inserted {
                number += 1
                operation.identifier = "\(name)\(number)"
            }
            operations[index] = operation
        }
        return routes.indices.compactMap { operations[$0] }
    }

    private func pairs(_ object: JSONObject) -> [(String, JSONValue)] { object.members.map { ($0.key, $0.value) } }

    private var info: JSONValue {
        [
            "title": "Duet", "version": .string(DuetServer.version), "summary": .string(catalogue.description),
            "description": .string(Self.description(of: catalogue, dates)),
        ]
    }

    private func operation(of route: Route) -> OpenAPIOperation? {
        switch route.contract {
        case nil: return nil
        case .resource(let operation):
            var described = printer.describe(operation)
            guard route.parameters.contains("api"), let api = Self.queryParameters["api"] else { return described }
            described.parameters.append(api)
            described.responses[0].content["text/html"] = ["schema": .textSchema]
            return described
        case .own(let own):
            var parameters = route.parameters.compactMap { Self.queryParameters[$0] }
            if own.responses.contains(.notModified) { parameters.append(.ifNoneMatch) }
            return OpenAPIOperation(
                route.method.rawValue, route.path, own.identifier, tag: own.tag, route.summary,
                description: own.description, parameters: parameters, body: own.body, responses: own.responses,
                problems: own.problems.map(\.serviceCode))
        }
    }
}

extension Route {
    /// True if the operation reads or changes the related rows of a row.
    fileprivate var isRelated: Bool {
        guard case .resource(let operation)? = contract else { return false }
        switch operation.rows {
        case .related, .relatedItem: return true
        case .list, .item: return false
        }
    }
}
