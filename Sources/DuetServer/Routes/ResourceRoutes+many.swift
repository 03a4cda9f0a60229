import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Lists of new rows, replacements, and changes of all rows that match a filter.
extension ResourceRoutes {
    /// Changes or removes the rows that match the filter in the query.
    func changeMany(_ write: Write, _ operation: RESTOperation, _ routed: RoutedRequest) async throws -> Response {
        var timing = ServerTiming()
        let preferences = routed.preferences
        var idempotency = try IdempotencyRequest(routed, preferences)
        guard routed.precondition == nil else { throw Self.preconditionOfMany }
        let path = try style.path(operation, routed.segment)
        var change = try style.change(write, operation, path, try routed.query())
        change.isRolledBack = preferences.isRolledBack
        timing.endPlan()
        if write.kind != .delete {
            let body = try await routed.body(.mergePatch, limit: settings.maximumBodySize, &idempotency)
            try style.read(body, for: write, into: &change)
        }
        timing.endParse()
        let answer = try await service(for: routed).write(change, key: idempotency?.key)
        timing.endSQL(answer.cost)
        var fields: HTTPFields = [:]
        fields.add(preferences, isReplayed: answer.isReplayed, settings.caching.namesEntities ? answer.tags : nil)
        guard !preferences.isMinimal else {
            fields[.cacheControl] = "no-store"
            return timing.finish(Response(status: .noContent, headers: fields))
        }
        return timing.finish(
            try builder.whole(
                ByteBuffer(string: Self.count(of: answer, operation).compactText), mediaType: RowFormat.json.mediaType,
                for: routed,
                headers: fields, tag: nil))
    }

    /// The error for a precondition of a change of all rows that match a filter.
    static var preconditionOfMany: RequestProblem {
        RequestProblem(
            .preconditionFailed,
            "a change of all rows that match a filter cannot have a precondition; remove If-Match and If-None-Match")
    }

    /// Returns the body with the number of the rows that a change has changed or removed.
    static func count(of answer: ChangeAnswer, _ operation: RESTOperation) -> JSONValue {
        let member = operation.write?.kind == .delete ? "deleted" : "updated"
        return .object(JSONObject([(member, .integer(Int64(answer.outcome.count)))]))
    }

    /// Returns the JSON array of the representations of new rows.
    static func list(of rows: [Answer]) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(rows.reduce(2) { $0 + $1.body.readableBytes + 1 })
        body.writeStaticString("[")
        for (index, row) in rows.enumerated() {
            if index > 0 { body.writeStaticString(",") }
            body.writeImmutableBuffer(row.body)
        }
        body.writeStaticString("]")
        return body
    }

    /// Returns true if the response to a write has an entity tag. The response to a replacement has one only if the
    /// stored row equals the received body (RFC 9110 §9.3.4).
    /// - Parameter body: The representation of the row after the write.
    static func isTagged(_ write: Write, _ change: Change, _ received: JSONValue, _ body: ByteBuffer) -> Bool {
        guard write.kind == .replace else { return !change.isList }
        guard case .object(let given) = received,
            case .object(let stored)? = try? JSONValue(parsing: body.readableBytesView)
        else { return false }
        let key = write.keyArguments.map(\.name)
        // The path contains the key, and an absent member has the same meaning as null.
        let isStored = given.members.allSatisfy { stored[$0.key] == $0.value }
        return isStored
            && stored.members.allSatisfy {
                given[$0.key] != nil || $0.value == .null || key.contains($0.key)
            }
    }
}
