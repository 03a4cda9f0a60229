import DuetJSON
import HTTPSemantics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ResourceService
import ResultSetJSON
import SQLDatabase

/// The resources of a catalogue over HTTP: for each request, the plan, and the response of the answer.
struct ResourceRoutes: Sendable {
    let service: ResourceService
    let settings: ServerSettings
    let face: RESTFace
    let builder: ResponseBuilder
    let revalidator: Revalidator

    init(service: ResourceService, settings: ServerSettings) {
        self.service = service
        self.settings = settings
        face = RESTFace(service)
        builder = ResponseBuilder(settings: settings)
        revalidator = Revalidator(service.database)
    }

    // MARK: Routes

    var routes: [Route] {
        service.catalogue.operations.map { operation in
            Route(operation) { try await respond(to: $0, operation) }
        }
    }

    private func respond(to exchange: Exchange, _ operation: RESTOperation) async throws -> Response {
        let (resource, shown) = (operation.resource, operation.shown)
        switch operation.kind {
        case .list:
            return try await list(exchange, hasRelations: !shown.relations.isEmpty) {
                try face.list(resource, $0, $1)
            }
        case .item:
            return try await object(exchange) {
                try face.item(resource, try key(exchange, resource), exchange.rawQuery, exchange.query)
            }
        case .create(let write): return try await create(exchange, write, resource)
        case .update(let write), .remove(let write): return try await change(exchange, write, resource)
        case .related(let relation):
            // The tag of a list that can be written to guards the write.
            let isWritable = service.catalogue.writes.contains { write in
                guard write.resource == resource.name else { return false }
                return switch write.target {
                case .newRelated(let name), .relatedItem(let name, _): name == relation.name
                case .newItem, .item, .removal: false
                }
            }
            return try await list(
                exchange, hasRelations: !shown.relations.isEmpty, tag: isWritable ? .collisionResistant : .fast
            ) { query, format in
                try service.plan(try face.related(relation, to: resource, try key(exchange, resource), query, format))
            }
        case .add(let write, let relation): return try await add(exchange, write, resource, relation)
        case .relatedItem(let relation, let fields):
            return try await object(exchange) { try service.plan(try question(exchange, resource, relation, fields)) }
        case .replace(let write, let relation, let fields):
            return try await put(exchange, write, resource, relation, fields)
        }
    }

    func key(_ exchange: Exchange, _ resource: Resource) throws -> [SQLValue] {
        try face.key(resource.key.map(exchange.parameter), of: resource)
    }

    private func question(
        _ exchange: Exchange, _ resource: Resource, _ relation: Relation, _ fields: [String]
    ) throws -> Question {
        try face.relatedItem(
            relation, to: resource, try key(exchange, resource), fields,
            try face.relatedKey(fields.map(exchange.parameter), fields, of: relation), try exchange.query())
    }

    // MARK: Reads

    /// Request → plan → answer → response, for one object.
    private func object(_ exchange: Exchange, plan makePlan: () throws -> Plan) async throws -> Response {
        var timing = ServerTiming()
        let format = try RowFormat.preferred(for: exchange.request.headers, of: .object)
        let read = revalidator.read(exchange.request, mediaType: format.mediaType)
        timing.endParse()
        if let known = read?.current { return builder.notModified(known, for: exchange.request, timing: timing) }
        let plan = try makePlan()
        timing.endPlan()
        return try await response(to: exchange, plan, format, read, &timing, tag: .collisionResistant)
    }

    /// Plan → answer → response, for a body that is sent as a whole.
    /// - Parameter tag: The hash function of the entity tag: a collision-resistant one if a write can be compared with it.
    private func response(
        to exchange: Exchange, _ plan: Plan, _ format: RowFormat, _ read: ConditionalRead?,
        _ timing: inout ServerTiming,
        tag: EntityTag.Hash
    ) async throws -> Response {
        let answer = try await service.answer(plan, format, namesEntities: settings.caching.namesEntities)
        timing.endSQL(answer.cost)
        var fields: HTTPFields = [:]
        if let next = answer.next { fields[.link] = Self.link(next, exchange) }
        if let count = answer.totalCount { fields[.totalCount] = String(count) }
        fields.add(answer.tags)
        return try builder.whole(
            answer.body, mediaType: format.mediaType, for: exchange.request, timing: timing,
            cacheControl: settings.caching.cacheControl(plan.cachePolicy), headers: fields, tag: tag,
            read: read)
    }

    /// Request → plan → answer → response, for a list: whole up to a page, piece by piece beyond.
    /// - Parameters:
    ///   - hasRelations: True if its rows may have lists in them.
    ///   - tag: The hash function of the entity tag.
    private func list(
        _ exchange: Exchange, hasRelations: Bool, tag: EntityTag.Hash = .fast,
        plan makePlan: (RESTReader.Query, RowFormat) throws -> Plan
    ) async throws -> Response {
        var timing = ServerTiming()
        let query = try exchange.query()
        let hasDetails = hasRelations && query.contains { $0.name == "details" }
        let format = try RowFormat.preferred(
            for: exchange.request.headers, of: hasDetails ? .listWithDetails : .list)
        let read = revalidator.read(exchange.request, mediaType: format.mediaType)
        timing.endParse()
        if let known = read?.current { return builder.notModified(known, for: exchange.request, timing: timing) }
        let plan = try makePlan(query, format)
        timing.endPlan()
        if plan.isUnbounded {
            // How long the statements take, and with details how many they are, is known when the last row is sent.
            let pieces = try await service.stream(plan, format)
            return builder.streamed(pieces, mediaType: format.mediaType, for: exchange.request, timing: timing)
        }
        return try await response(to: exchange, plan, format, read, &timing, tag: tag)
    }

    /// The same list from the cursor on (RFC 8288).
    private static func link(_ cursor: String, _ exchange: Exchange) -> String {
        let others = (exchange.rawQuery ?? "").split(separator: "&").filter { part in
            (try? QueryString(part).parameters.first?.name) != "after"
        }
        let target = "\(exchange.request.uri.path)?\((others + ["after=\(cursor)"]).joined(separator: "&"))"
        return "<\(target.uriReference)>; rel=\"next\""
    }

    // MARK: Writes

    /// Reads the body, makes the change, and answers the question in the same transaction.
    /// - Parameter question: The question to answer; it has been read before the body, so that nothing is written for a request that
    ///   cannot be answered.
    private func write(
        _ exchange: Exchange, _ write: Write, _ question: Question, key: [SQLValue], relatedKey: [SQLValue] = [],
        _ timing: inout ServerTiming
    ) async throws -> WriteAnswer {
        timing.endPlan()
        var values = WriteValues()
        if write.target != .removal {
            let kind: BodyKind = write.target == .item ? .mergePatch : .json
            values = try service.values(
                of: try await exchange.body(kind, limit: settings.maximumBodySize), for: write)
        }
        timing.endParse()
        var request = service.request(write, key: key, relatedKey: relatedKey, values: values, questions: [question])
        request.precondition = exchange.precondition
        let answer = try await service.write(request)
        timing.endSQL(answer.cost)
        return answer
    }

    /// The response to a write: the body of a read of the same address, and the names of the entities that it has changed, so that a
    /// cache on the way can remove them.
    private func written(
        _ answer: WriteAnswer, _ exchange: Exchange, _ timing: ServerTiming, newAt location: String? = nil
    ) throws -> Response {
        var headers: HTTPFields = [:]
        if let location {
            headers[.location] = location
            // With a query, the body and its entity tag are of another address than Location's (RFC 9110 §8.7).
            if let query = exchange.rawQuery, !query.isEmpty {
                headers[.contentLocation] = "\(location)?\(query)".uriReference
            }
        }
        if settings.caching.namesEntities { headers.add(answer.tags) }
        return try builder.whole(
            answer.answers.first?.body ?? ByteBuffer(), mediaType: RowFormat.json.mediaType, for: exchange.request,
            timing: timing, status: location == nil ? .ok : .created, headers: headers,
            tag: .collisionResistant)
    }

    private static func path(_ resource: Resource, _ key: [SQLValue], _ rest: [String] = []) -> String {
        ([resource.name] + key.map(\.keyText.pathSegment) + rest).map { "/\($0)" }.joined()
    }

    private func create(_ exchange: Exchange, _ write: Write, _ resource: Resource) async throws -> Response {
        var timing = ServerTiming()
        let question = try face.itemQuestion(resource, [], try exchange.query())
        let answer = try await self.write(exchange, write, question, key: [], &timing)
        return try written(answer, exchange, timing, newAt: Self.path(resource, answer.outcome.key))
    }

    private func change(_ exchange: Exchange, _ write: Write, _ resource: Resource) async throws -> Response {
        var timing = ServerTiming()
        let key = try key(exchange, resource)
        let question = try face.itemQuestion(resource, key, try exchange.query())
        let answer = try await self.write(exchange, write, question, key: key, &timing)
        guard write.target == .removal else { return try written(answer, exchange, timing) }
        timing.endEncode()
        var headers: HTTPFields = [.cacheControl: "no-store", .serverTiming: timing.fieldValue]
        if settings.caching.namesEntities { headers.add(answer.tags) }
        return Response(status: .noContent, headers: headers)
    }

    private func add(
        _ exchange: Exchange, _ write: Write, _ resource: Resource, _ relation: Relation
    ) async throws -> Response {
        var timing = ServerTiming()
        let key = try key(exchange, resource)
        let question = try face.related(relation, to: resource, key, try exchange.query(), .json)
        let answer = try await self.write(exchange, write, question, key: key, &timing)
        return try written(answer, exchange, timing, newAt: Self.path(resource, key, [relation.name]))
    }

    private func put(
        _ exchange: Exchange, _ write: Write, _ resource: Resource, _ relation: Relation, _ fields: [String]
    ) async throws -> Response {
        var timing = ServerTiming()
        let key = try key(exchange, resource)
        let relatedKey = try face.relatedKey(fields.map(exchange.parameter), fields, of: relation)
        let question = try question(exchange, resource, relation, fields)
        let answer = try await self.write(exchange, write, question, key: key, relatedKey: relatedKey, &timing)
        let location = Self.path(resource, key, [relation.name] + relatedKey.map(\.keyText.pathSegment))
        return try written(answer, exchange, timing, newAt: answer.outcome.isNew ? location : nil)
    }
}
