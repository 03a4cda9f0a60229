import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handlers of the REST routes of a catalogue.
///
/// A read passes four stages: parse → plan → answer → respond. A write is planned before its body is parsed. This file
/// measures the time of the stages.
struct ResourceRoutes: Sendable {
    let service: ResourceService
    let settings: ServerSettings
    let style: RESTStyle
    let builder: ResponseBuilder
    let revalidator: Revalidator
    let streams: LiveStreams
    let observe: ServerObserver

    init(service: ResourceService, _ environment: RouteEnvironment) {
        self.service = service
        settings = environment.settings
        style = RESTStyle(service)
        builder = environment.builder
        revalidator = environment.revalidators.rest
        streams = environment.streams
        observe = environment.observe
    }

    /// Returns the service for the caller of a request.
    func service(for routed: RoutedRequest) -> ResourceService { routed.caller?.restrict(service) ?? service }

    /// Returns the handler of an operation.
    func handler(of operation: RESTOperation) -> RoutedRequest.Handler {
        guard let write = operation.write else { return { try await read(operation, $0) } }
        guard write.origin == .derived else { return { try await self.write(write, operation, $0) } }
        return { routed in
            do {
                if write.link != nil { return try await changeLink(write, operation, routed) }
                return write.isMany
                    ? try await changeMany(write, operation, routed) : try await self.write(write, operation, routed)
            } catch let error as ServiceError {
                throw error.withPointers()
            }
        }
    }

    // MARK: Reads

    private func read(_ operation: RESTOperation, _ routed: RoutedRequest) async throws -> Response {
        var timing = ServerTiming()
        let request = routed.request
        let wait = try LiveWait(routed)

        // Parse. The query for one row is parsed only if its plan is not cached.
        let query = operation.isList ? try wait?.parameters() ?? routed.query() : nil
        let hasDetails = query?.contains { $0.name == "details" } == true && !operation.shown.relations.isEmpty
        let form = try Representation.preferred(
            for: request.headers, of: operation.isList ? hasDetails ? .listWithDetails : .list : .object)
        if let wait {
            guard case .rows(let format) = form else { throw LiveWait.eventsProblem }
            return try await self.wait(wait, operation, routed, format)
        }
        guard case .rows(let format) = form else { return try await watch(operation, routed) }
        let conditional = revalidator.read(routed, of: service.catalogue.view, mediaType: format.mediaType)
        timing.endParse()
        if let known = conditional?.current {
            timing.endSQL(Answer.Cost())
            return timing.finish(builder.notModified(known, for: request))
        }

        // Plan.
        let plan = try style.plan(operation, routed.rawQuery, format, segment: routed.segment) {
            try query ?? routed.query()
        }
        timing.endPlan()

        // Answer and respond. A stream has no SQL timing, because the duration of its statements is known only after
        // the last row.
        let service = service(for: routed)
        if plan.isUnbounded {
            let pieces = try await service.stream(plan, format)
            return timing.finish(builder.streamed(pieces, mediaType: format.mediaType, for: request))
        }
        let answer = try await service.answer(plan, format, namesEntities: settings.caching.namesEntities)
        timing.endSQL(answer.cost)
        await ResponseBuilder.leaveEventLoop(toEncode: answer.body)
        var fields = fields(of: answer, routed, query: routed.rawQuery)
        fields.add(answer.tags)
        return timing.finish(
            try builder.whole(
                answer.body, mediaType: format.mediaType, for: routed,
                cacheControl: settings.caching.cacheControl(plan.cachePolicy), headers: fields,
                tag: operation.guardsWrites ? .digest : .content,
                read: conditional?.storing(plan.cachePolicy)))
    }

    /// Returns the fields with the next page, the number of all rows and the number of unreadable values.
    func fields(of answer: Answer, _ routed: RoutedRequest, query: String?) -> HTTPFields {
        var fields: HTTPFields = [:]
        if let next = answer.next { fields[.link] = Self.link(next, routed, query) }
        if let count = answer.totalCount { fields[.totalCount] = String(count) }
        if answer.mismatches > 0 { fields[.mismatches] = String(answer.mismatches) }
        return fields
    }

    /// Returns the value of the `Link` header field (RFC 8288) for the next page, which begins after the cursor.
    private static func link(_ cursor: String, _ routed: RoutedRequest, _ query: String?) -> String {
        let others = (query ?? "").split(separator: "&").filter { part in
            (try? QueryString(part).parameters.first?.name) != "after"
        }
        let target = "\(routed.request.uri.path)?\((others + ["after=\(cursor)"]).joined(separator: "&"))"
        return "<\(target.uriReference)>; rel=\"next\""
    }

    // MARK: Writes

    private func write(
        _ write: Write, _ operation: RESTOperation, _ routed: RoutedRequest
    ) async throws -> Response {
        if let response = try await importRows(write, routed) { return response }
        var timing = ServerTiming()
        let preferences = write.origin == .derived ? routed.preferences : .none
        var idempotency = try IdempotencyRequest(routed, preferences)

        // Plan the answer before the body is read, so that nothing is written for a request that cannot be answered.
        let path = try style.path(operation, routed.segment)
        var change = try style.change(write, operation, path, try routed.query())
        change.precondition = routed.precondition
        change.isRolledBack = preferences.isRolledBack
        timing.endPlan()

        // Parse.
        var received = JSONValue.null
        if write.kind != .delete {
            let kind: BodyKind = write.kind == .update ? .mergePatch : write.acceptsImports ? .newRow : .json
            received = try await routed.body(kind, limit: settings.maximumBodySize, &idempotency)
            try style.read(received, for: write, into: &change)
            if !change.related.isEmpty { try routed.requirePlainJSON() }
        }
        timing.endParse()

        // Answer: perform the change, and read the representation in the same transaction.
        let answer = try await service(for: routed).write(change, key: idempotency?.key)
        timing.endSQL(answer.cost)

        // Respond.
        var fields: HTTPFields = [:]
        if answer.outcome.isNew, !change.isList {
            let location = Self.path(of: answer.outcome, operation, path.key, path)
            fields[.location] = location
            // With a query, the body and its entity tag belong to a different URL than Location (RFC 9110 §8.7).
            if let query = routed.rawQuery, !query.isEmpty {
                fields[.contentLocation] = "\(location)?\(query)".uriReference
            }
        }
        fields.add(preferences, isReplayed: answer.isReplayed, settings.caching.namesEntities ? answer.tags : nil)
        let shown = change.isList ? Self.list(of: answer.answers) : answer.answers.first?.body
        guard !preferences.isMinimal, let body = shown else {
            fields[.contentLocation] = nil
            fields[.cacheControl] = "no-store"
            return timing.finish(
                Response(status: answer.outcome.isNew ? .created : .noContent, headers: fields))
        }
        return timing.finish(
            try builder.whole(
                body, mediaType: RowFormat.json.mediaType, for: routed,
                status: answer.outcome.isNew ? .created : .ok, headers: fields,
                tag: Self.isTagged(write, change, received, body) ? .digest : nil))
    }

    /// Returns the path of a new row. For a new related row without a path, returns the path of its list.
    /// - Parameter parentKey: The key of the row in the path.
    static func path(
        of outcome: ChangeOutcome, _ operation: RESTOperation, _ parentKey: [SQLValue], _ path: RESTStyle.Path
    ) -> String {
        if operation.showsNewRow, operation.shown.hasItems, !outcome.key.isEmpty {
            return "/\(operation.shown.name)/\(KeySegment.text(outcome.key.map(\.keyText)))"
        }
        let key = operation.relation == nil ? outcome.key : parentKey
        var segments = [operation.resource.name, KeySegment.text(key.map(\.keyText))]
        if let relation = operation.relation { segments.append(relation.name) }
        if !path.relatedKey.isEmpty { segments.append(KeySegment.text(path.relatedKey.map(\.keyText))) }
        return segments.map { "/\($0)" }.joined()
    }
}
