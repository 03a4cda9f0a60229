import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOCore

/// The record of a write with an idempotency key: the results of its steps, from which the response is created again.
struct IdempotencyRecord: Sendable {
    /// The result of a step.
    struct Step: Sendable {
        /// The name of the resource of the changed rows.
        let resource: String
        let outcome: ChangeOutcome
        let tags: EntityTags
        /// The positions of the keys whose rows did not exist for the caller at the end of the transaction, because a
        /// later change of the same transaction removed or hid them.
        var removed: [Int] = []
        /// The positions of the ends of the link whose rows did not exist for the caller at the end of the transaction,
        /// because another change of the same transaction removed or hid them.
        var removedEnds: [Int] = []
        /// The bodies of the representations; nil if they are too large.
        var answers: [ByteBuffer]?
    }

    /// The digest of the API and of the permissions of the caller, on which the representations depend.
    let contract: BodyDigest
    var steps: [Step]

    /// The maximum number of bytes of all representations in a record.
    static let maximumSize = 64 << 10

    init(contract: BodyDigest, steps: [Step]) {
        self.contract = contract
        self.steps = steps
    }

    // MARK: Columns

    /// Creates the record from the columns of its row; nil if the row has no complete record of this version.
    init?(contract: SQLValue, result: SQLValue, answers: SQLValue) {
        guard case .blob(let digest) = contract, digest.count == 16, case .text(let text) = result,
            let value = try? JSONValue(parsing: Array(text.utf8)), case .array(let elements)? = value["steps"]
        else { return nil }
        let halves = [digest[..<8], digest[8...]].map { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.contract = BodyDigest(low: halves[0], high: halves[1])
        var bodies: ByteBuffer?
        if case .blob(let bytes) = answers { bodies = ByteBuffer(bytes: bytes) }
        steps = []
        for element in elements {
            guard let step = Step(element, &bodies) else { return nil }
            steps.append(step)
        }
    }

    var contractValue: SQLValue {
        .blob(
            [contract.low, contract.high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
            })
    }

    var resultValue: SQLValue {
        .text(JSONValue.object(["steps": .array(steps.map(\.document))]).compactText)
    }

    /// The bodies without separators; NULL if they are too large.
    var answersValue: SQLValue {
        var size = 0
        for step in steps {
            guard let answers = step.answers else { return .null }
            for answer in answers { size += answer.readableBytes }
        }
        guard size <= Self.maximumSize else { return .null }
        return .blob(steps.flatMap { ($0.answers ?? []).flatMap { Array($0.readableBytesView) } })
    }
}

extension IdempotencyRecord.Step {
    fileprivate init?(_ value: JSONValue, _ bodies: inout ByteBuffer?) {
        guard case .string(let resource)? = value["resource"], case .array(let keys)? = value["keys"],
            case .integer(let count)? = value["count"], case .bool(let isNew)? = value["isNew"],
            case .array(let tags)? = value["tags"], case .array(let sizes)? = value["sizes"]
        else { return nil }
        self.resource = resource
        var read: [[SQLValue]] = []
        for key in keys {
            guard case .array(let parts) = key else { return nil }
            let values = parts.compactMap(SQLValue.init(recorded:))
            guard values.count == parts.count else { return nil }
            read.append(values)
        }
        outcome = ChangeOutcome(keys: read, count: Int(count), isNew: isNew)
        self.tags = EntityTags(names: tags.compactMap { if case .string(let name) = $0 { name } else { nil } })
        func positions(_ name: String) -> [Int] {
            guard case .array(let positions)? = value[name] else { return [] }
            return positions.compactMap { if case .integer(let position) = $0 { Int(position) } else { nil } }
        }
        removed = positions("removed")
        removedEnds = positions("removedEnds")
        guard bodies != nil else { return }
        var answers: [ByteBuffer] = []
        for size in sizes {
            guard case .integer(let size) = size, size >= 0, let body = bodies?.readSlice(length: Int(size)) else {
                return nil
            }
            answers.append(body)
        }
        self.answers = answers
    }

    fileprivate var document: JSONValue {
        [
            "resource": .string(resource),
            "keys": .array(outcome.keys.map { .array($0.map(\.recorded)) }), "count": .integer(Int64(outcome.count)),
            "removed": .array(removed.map { .integer(Int64($0)) }), "isNew": .bool(outcome.isNew),
            "removedEnds": .array(removedEnds.map { .integer(Int64($0)) }),
            "tags": .array(tags.names.map { .string($0) }),
            "sizes": .array((answers ?? []).map { .integer(Int64($0.readableBytes)) }),
        ]
    }
}

extension SQLValue {
    /// The value as JSON, from which ``init(recorded:)`` creates the same value.
    fileprivate var recorded: JSONValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .text(let value): .string(value)
        case .double: ["double": .string(keyText)]
        case .date: ["date": .string(keyText)]
        case .unsigned: ["unsigned": .string(keyText)]
        case .decimal: ["decimal": .string(keyText)]
        case .blob: ["blob": .string(keyText)]
        }
    }

    fileprivate init?(recorded value: JSONValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .string(let value): self = .text(value)
        case .object(let object):
            guard let member = object.members.first, case .string(let text) = member.value else { return nil }
            let read: SQLValue? =
                switch member.key {
                case "double": Double(text).map { .double($0) }
                case "date": CalendarDate(iso: text).map { .date($0) }
                case "unsigned": UInt64(text).map { .unsigned($0) }
                case "decimal": .decimal(text)
                case "blob": Data(base64Encoded: text).map { .blob(Array($0)) }
                default: nil
                }
            guard let read else { return nil }
            self = read
        default: return nil
        }
    }
}

extension ServiceError {
    static let idempotencyKeyInUse = ServiceError(
        .idempotencyKeyInUse,
        "the first request with this idempotency key is still running; repeat the request later with the same key")
    static let idempotencyKeyReused = ServiceError(
        .idempotencyKeyReused,
        "another request had this idempotency key; repeat that request without any change, or send a new key")
    static let idempotencyRecordUnreadable = ServiceError(
        .idempotencyKeyInUse,
        "the write took effect when it was first sent, but another version of the server has recorded it; read the resource, and do not send the write with a new key"
    )
    static let idempotencyUnavailable = ServiceError(
        .idempotencyUnavailable,
        "this database has no table for idempotency keys; send the request without a key, or ask the operator to run duet prepare --database URL"
    )
}

/// The error of a write with an idempotency key whose COMMIT was not confirmed.
struct UnconfirmedWrite: ValueBearingError, CustomStringConvertible {
    let underlying: DatabaseError

    var description: String { underlying.description }
    var descriptionWithoutValues: String { underlying.descriptionWithoutValues }
}
