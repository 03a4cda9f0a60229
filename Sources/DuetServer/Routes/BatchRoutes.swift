import DuetGraphQL
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handler of `POST /batch`: several writes in one transaction, all or nothing.
struct BatchRoutes: Sendable {
    /// The maximum number of requests of a batch.
    static let maximumRequests = 100

    private let routes: ResourceRoutes
    /// The operations that a batch can contain, by method.
    private let operations: [String: [RESTOperation]]

    init(_ routes: ResourceRoutes, _ catalogue: Catalogue) {
        self.routes = routes
        operations = Dictionary(grouping: catalogue.operations.filter(\.isBatchable), by: \.method)
    }

    /// Performs the requests of the body.
    func respond(_ routed: RoutedRequest) async throws -> Response {
        var timing = ServerTiming()
        try routed.requireNoQuery()
        let preferences = routed.preferences
        var idempotency = try IdempotencyRequest(routed, preferences)
        let body = try await routed.body(.json, limit: routes.settings.maximumBodySize, &idempotency)
        timing.endParse()
        let requests = try BatchReader(routes.style, operations, routed).requests(of: body)
        var list = ChangeList(requests.map(\.step))
        list.steps[0].change.isRolledBack = preferences.isRolledBack
        list.idempotencyKey = idempotency?.key
        timing.endPlan()
        let answers: [ChangeAnswer]
        do {
            answers = try await routes.service(for: routed).write(list)
        } catch let failure as ChangeStepError {
            throw RequestProblem(failure.error).about(requests[failure.index].label(at: failure.index))
        }
        if let cost = answers.first?.cost { timing.endSQL(cost) }
        var fields: HTTPFields = [:]
        var tags = EntityTags()
        for answer in answers { tags.formUnion(answer.tags) }
        tags.limitSize()
        fields.add(
            preferences, isReplayed: answers.contains(where: \.isReplayed),
            routes.settings.caching.namesEntities ? tags : nil)
        guard !preferences.isMinimal else {
            fields[.cacheControl] = "no-store"
            return timing.finish(Response(status: .noContent, headers: fields))
        }
        return timing.finish(
            try routes.builder.whole(
                Self.body(zip(requests, answers), for: routed), mediaType: "application/json", for: routed,
                headers: fields, tag: nil))
    }

    /// Returns the body with the response to each request.
    private static func body(
        _ answered: Zip2Sequence<[BatchRequest], [ChangeAnswer]>, for routed: RoutedRequest
    ) -> ByteBuffer {
        var writer = JSONWriter(capacity: 1_024)
        writer.write(raw: #"{"responses":["#)
        for (index, (request, answer)) in answered.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            let outcome = answer.outcome
            let bodies = answer.answers.map(\.body)
            // The body of a list of new rows is an array, whatever the number of rows.
            let isList = request.step.change.isList
            var headers = JSONObject()
            let isLink = request.operation.isLink
            let needsKey = request.operation.relation != nil && !request.operation.showsNewRow
            if outcome.isNew, !isList, isLink || bodies.count == 1, let key = needsKey ? request.key : [] {
                headers["Location"] = .string(
                    ResourceRoutes.path(of: outcome, request.operation, key, request.path))
            }
            if bodies.count == 1, !isList, bodies[0] != Answer.removed.body, request.step.change.kind != .upsert,
                request.operation.write.map({
                    ResourceRoutes.isTagged($0, request.step.change, request.body, bodies[0])
                }) == true
            {
                let tag = BodyTag(BodyDigest(of: bodies[0])).tag(for: routed.caller)
                headers["ETag"] = .string(tag.fieldValue(coding: .identity))
            }
            let isBulk = request.operation.isBulkWrite
            let hasBody = !bodies.isEmpty || isList || isBulk
            let status = outcome.isNew && (isLink || hasBody) ? 201 : hasBody ? 200 : 204
            let members: [(String, JSONValue)] = [
                ("id", request.id.map { .string($0) } ?? .null), ("status", .integer(Int64(status))),
                ("headers", .object(headers)),
            ]
            writer.write(byte: UInt8(ascii: "{"))
            for (name, value) in members {
                writer.write(name)
                writer.write(byte: UInt8(ascii: ":"))
                writer.write(value)
                writer.write(byte: UInt8(ascii: ","))
            }
            writer.write(raw: #""body":"#)
            if isBulk {
                writer.write(ResourceRoutes.count(of: answer, request.operation))
            } else if isList {
                writer.write(raw: "[")
                for (index, body) in bodies.enumerated() {
                    if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                    writer.write(raw: body.readableBytesView)
                }
                writer.write(raw: "]")
            } else if let body = bodies.first {
                writer.write(raw: body.readableBytesView)
            } else {
                writer.writeNull()
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
        writer.write(raw: "]}")
        return writer.buffer
    }
}

/// A request of a batch.
struct BatchRequest: Sendable {
    let id: String?
    let operation: RESTOperation
    let path: RESTStyle.Path
    let step: ChangeList.Step
    /// The received body.
    let body: JSONValue
    /// The key of the row in the path; nil if a key in the path is that of an earlier request.
    var key: [SQLValue]? {
        step.keyStep == nil && step.relatedKeyStep == nil && !path.key.isEmpty ? path.key : nil
    }

    /// Returns the value of the member `request` of a problem.
    func label(at index: Int) -> JSONValue { id.map { .string($0) } ?? .integer(Int64(index)) }
}

/// Reads the requests of a batch.
struct BatchReader {
    private let style: RESTStyle
    private let operations: [String: [RESTOperation]]
    private let routed: RoutedRequest

    init(_ style: RESTStyle, _ operations: [String: [RESTOperation]], _ routed: RoutedRequest) {
        self.style = style
        self.operations = operations
        self.routed = routed
    }

    /// Returns the requests of a body.
    /// - Throws: ``RequestProblem`` for the first invalid request.
    func requests(of body: JSONValue) throws -> [BatchRequest] {
        guard case .object(let object) = body, case .array(let elements)? = object["requests"],
            object.members.count == 1
        else { throw Self.invalid(#"the body must be an object with one member, "requests", which is an array"#) }
        guard (1...BatchRoutes.maximumRequests).contains(elements.count) else {
            throw Self.invalid(
                "a batch has 1 to \(BatchRoutes.maximumRequests) requests, not \(elements.count); divide it")
        }
        var earlier = EarlierSteps()
        var names: Set<String> = []
        return try elements.enumerated().map { index, element in
            var label = JSONValue.integer(Int64(index))
            do {
                guard case .object(let object) = element else { throw Self.invalid("a request must be an object") }
                let id = try Self.identifier(object)
                if let id {
                    label = .string(id)
                    guard names.insert(id).inserted else { throw Self.invalid("two requests have the id \(id)") }
                }
                let read = try request(object, id, index, earlier)
                if let id { earlier.add(id, read.step.change) }
                return read
            } catch {
                throw RequestProblem(error).about(label)
            }
        }
    }

    private static func identifier(_ object: JSONObject) throws -> String? {
        guard let value = object["id"], value != .null else { return nil }
        guard case .string(let id) = value, (1...64).contains(id.utf8.count), id.utf8.allSatisfy(isNameByte) else {
            throw invalid("an id consists of 1 to 64 ASCII letters, digits, hyphens and underscores")
        }
        return id
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func request(
        _ object: JSONObject, _ id: String?, _ index: Int, _ earlier: EarlierSteps
    ) throws -> BatchRequest {
        let known = ["id", "method", "path", "headers", "body"]
        if let member = object.members.first(where: { !known.contains($0.key) }) {
            throw Self.invalid(
                "a request has no member \(member.key); the members are \(known.joined(separator: ", "))")
        }
        guard case .string(let method)? = object["method"], let permitted = operations[method] else {
            throw Self.invalid("method must be one of \(operations.keys.sorted().joined(separator: ", "))")
        }
        guard case .string(let target)? = object["path"] else { throw Self.invalid("path must be a string") }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard segments.first == "",
            let operation = permitted.first(where: { $0.matches(segments.dropFirst()) }), let write = operation.write
        else {
            throw Self.invalid(
                "\(method) \(target) is not a write that a batch can contain; GET / lists the paths of the API")
        }
        let unknownKey = try keyStep(segments.dropFirst(2).first, of: operation.resource, operation, earlier)
        let unknownRelatedKey =
            operation.isLink ? try keyStep(segments.last, of: operation.shown, operation, earlier) : nil
        let (key, relatedKey) = operation.keyParameters
        let path = try style.path(operation, hasKey: unknownKey == nil, hasRelatedKey: unknownRelatedKey == nil) {
            parameters in
            switch parameters {
            case key where segments.count > 2: segments[2]
            case relatedKey where segments.count > 4: segments[4]
            default: ""
            }
        }
        var query: RESTStyle.Query = []
        if parts.count > 1 { query = try QueryString(parts[1]).parameters.map { ($0.name, $0.value) } }
        if let value = query.map(\.value).first(where: { earlier.resources[$0.inBraces] != nil }) {
            throw Self.invalid("\(value) is not a key in the query of a path; only a segment of the path can be a key")
        }
        var change = try style.change(write, operation, path, query)
        change.precondition = routed.precondition(in: try Self.fields(object))
        let body = object["body"] ?? .null
        if operation.isBulkWrite, change.precondition != nil { throw ResourceRoutes.preconditionOfMany }
        if operation.isLink {
            guard body == .null else { throw Self.invalid(ResourceRoutes.linkBody) }
            guard unknownKey == nil && unknownRelatedKey == nil || change.precondition == nil else {
                throw Self.invalid("a link of a row of the same batch has no preconditions")
            }
        } else if write.kind == .delete {
            guard body == .null else { throw Self.invalid("a DELETE has no body") }
        } else {
            try style.read(body, for: write, into: &change, after: earlier)
        }
        var step = ChangeList.Step(id ?? " \(index)", change, keyStep: unknownKey)
        step.relatedKeyStep = unknownRelatedKey
        return BatchRequest(id: id, operation: operation, path: path, step: step, body: body)
    }

    /// Returns the header fields of a request.
    private static func fields(_ object: JSONObject) throws -> HTTPFields {
        guard let value = object["headers"], value != .null else { return [:] }
        guard case .object(let headers) = value else { throw invalid("headers must be an object") }
        var fields: HTTPFields = [:]
        for header in headers.members {
            guard let name = HTTPField.Name(header.key), [.ifMatch, .ifNoneMatch].contains(name),
                case .string(let text) = header.value
            else { throw invalid("headers can have If-Match and If-None-Match, which are strings") }
            fields[name] = text
        }
        return fields
    }

    /// Returns the identifier of the request whose row a segment of the path identifies; nil if the segment is a key.
    private func keyStep(
        _ segment: String?, of resource: Resource, _ operation: RESTOperation, _ earlier: EarlierSteps
    ) throws -> String? {
        guard let segment, segment.hasPrefix("{"), segment.hasSuffix("}") else { return nil }
        let name = String(segment.dropFirst().dropLast())
        guard operation.method != "PUT" || operation.isLink, earlier.resources[name] == resource.name else {
            throw Self.invalid(
                "{\(name)} must be the id of an earlier request that creates or changes one row of \(resource.name)"
            )
        }
        return name
    }

    private static func invalid(_ detail: String) -> RequestProblem { RequestProblem(.invalidBatch, detail) }
}

extension String {
    /// The text between braces; empty for any other text.
    fileprivate var inBraces: String { hasPrefix("{") && hasSuffix("}") ? String(dropFirst().dropLast()) : "" }
}

extension RESTOperation {
    /// True if a batch can contain the operation.
    fileprivate var isBatchable: Bool { write?.origin == .derived }

    /// Returns true if a path identifies the rows of the operation.
    /// - Parameter segments: The segments of the path.
    fileprivate func matches(_ segments: ArraySlice<String>) -> Bool {
        guard segments.first == resource.name else { return false }
        let names = segments.dropFirst(2).first
        return switch rows {
        case .list: segments.count == 1
        case .item: segments.count == 2
        case .related(let relation): segments.count == 3 && names == relation.name
        case .relatedItem(let relation, _): segments.count == 4 && names == relation.name
        }
    }
}

extension RequestProblem {
    /// Returns the problem with the request of the batch that failed.
    fileprivate func about(_ request: JSONValue) -> RequestProblem {
        var problem = self
        problem.members.append(("request", request))
        return problem
    }
}
