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

    var routes: [Route] { service.catalogue.resources.flatMap(routes) }

    private func writes(_ resource: Resource, _ target: (Write.Target) -> Bool) -> [Write] {
        service.catalogue.writes.filter { $0.resource == resource.name && target($0.target) }
    }

    private func routes(of resource: Resource) -> [Route] {
        var routes: [Route] = []
        let collection = "/\(resource.name)"
        let item = collection + resource.key.map { "/{\($0)}" }.joined()
        if resource.collection != .none {
            let isPaged = resource.collection == .pages
            let name = resource.name.prefix(1).uppercased() + resource.name.dropFirst()
            routes.append(
                Route(
                    .get, collection,
                    isPaged ? "\(name), a page at a time; NDJSON and CSV without first: all of them" : name,
                    parameters: RESTReader.parameters(ofList: resource)
                ) { try await list($0, hasRelations: !resource.relations.isEmpty) { try face.list(resource, $0, $1) } })
        }
        for write in writes(resource, { $0 == .newItem }) {
            routes.append(
                Route(.post, collection, write.description, parameters: RESTReader.parameters(ofItem: resource)) {
                    try await create($0, write, resource)
                })
        }
        guard resource.hasItems else { return routes }
        routes.append(
            Route(
                .get, item, "One \(resource.singular)\(resource.relations.isEmpty ? "" : ", with details if wanted")",
                parameters: RESTReader.parameters(ofItem: resource)
            ) { exchange in
                try await object(exchange) {
                    try face.item(resource, try key(exchange, resource), exchange.rawQuery, exchange.query)
                }
            })
        for write in writes(resource, { $0 == .item || $0 == .removal }) {
            routes.append(
                Route(
                    write.target == .item ? .patch : .delete, item, write.description,
                    parameters: RESTReader.parameters(ofItem: resource)
                ) { try await change($0, write, resource) })
        }
        for relation in resource.relations where relation.isToMany {
            routes += self.routes(of: relation, resource, item)
        }
        return routes
    }

    private func routes(of relation: Relation, _ resource: Resource, _ item: String) -> [Route] {
        guard let target = service.catalogue[relation.target] else { return [] }
        let path = "\(item)/\(relation.name)"
        let creates = writes(resource) { $0 == .newRelated(relation.name) }
        let puts = writes(resource) { if case .relatedItem(relation.name, _) = $0 { true } else { false } }
        let tag: EntityTag.Hash = creates.isEmpty && puts.isEmpty ? .fast : .collisionResistant
        var routes = [
            Route(
                .get, path, relation.description, parameters: RESTReader.parameters(of: relation, to: target)
            ) { exchange in
                try await list(exchange, hasRelations: !target.relations.isEmpty, tag: tag) { query, format in
                    try service.plan(
                        try face.related(relation, to: resource, try key(exchange, resource), query, format))
                }
            }
        ]
        for write in creates {
            routes.append(
                Route(.post, path, write.description, parameters: RESTReader.parameters(ofItem: target)) {
                    try await add($0, write, resource, relation)
                })
        }
        for write in puts {
            guard case .relatedItem(_, let fields) = write.target else { continue }
            let path = path + fields.map { "/{\($0)}" }.joined()
            let parameters = RESTReader.parameters(ofItem: target)
            routes += [
                Route(.get, path, "One of the \(relation.name) of one \(resource.singular)", parameters: parameters) { exchange in
                    try await object(exchange) {
                        try service.plan(try question(exchange, resource, relation, fields))
                    }
                },
                Route(.put, path, write.description, parameters: parameters) {
                    try await put($0, write, resource, relation, fields)
                },
            ]
        }
        return routes
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
