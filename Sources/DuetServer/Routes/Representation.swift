import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResultSetJSON
import HTTPTypes

extension RowFormat {
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }
}

/// The form in which a client receives the answer to a read.
enum Representation: Sendable, Hashable {
    /// One answer.
    case rows(RowFormat)
    /// The current answer, and another one each time the answer has changed, as server-sent events.
    case events

    private var mediaType: String {
        switch self {
        case .rows(let format): format.mediaType
        case .events: EventStreamWriter.contentType
        }
    }

    private typealias Negotiation = MediaTypeNegotiation<Representation>

    private static let list: Negotiation = offering([.json, .ndjson, .csv])
    private static let listWithDetails: Negotiation = offering([.json, .ndjson])
    private static let object: Negotiation = offering([.json])
    private static let listOrEvents: Negotiation = offering([.json, .ndjson, .csv], .events)
    private static let listWithDetailsOrEvents: Negotiation = offering([.json, .ndjson], .events)
    private static let objectOrEvents: Negotiation = offering([.json], .events)

    private static func offering(_ formats: [RowFormat], _ other: Representation...) -> Negotiation {
        Negotiation((formats.map { .rows($0) } + other).map { ($0.mediaType, $0) })
    }

    /// Returns true if `Accept` names the media type of events. A range such as `text/*` does not select events,
    /// because their response does not end.
    private static func namesEvents(_ fields: HTTPFields) -> Bool {
        fields.contains { field in
            guard field.name == .accept, field.value.utf8.count >= EventStreamWriter.contentType.utf8.count else {
                return false
            }
            return field.withUnsafeBytesOfValue { bytes in
                var elements = WeightedElements(bytes)
                while let element = elements.next() {
                    if element.isNamed("text/event-stream") { return true }
                }
                return false
            }
        }
    }

    /// The kind of a response's content, which determines the formats that can represent it.
    enum Content {
        case object
        case list
        /// A list with attached relations, which CSV cannot represent.
        case listWithDetails
    }

    /// Returns the form that the request prefers among the forms that can represent the content.
    /// - Throws: ``RequestProblem`` with status 406.
    static func preferred(for fields: HTTPFields, of content: Content) throws -> Representation {
        let negotiation =
            switch (content, namesEvents(fields)) {
            case (.object, false): object
            case (.list, false): list
            case (.listWithDetails, false): listWithDetails
            case (.object, true): objectOrEvents
            case (.list, true): listOrEvents
            case (.listWithDetails, true): listWithDetailsOrEvents
            }
        if let form = negotiation.preferred(for: fields) { return form }
        let allowed = negotiation.mediaTypes
        let offer = "the supported media types are \(allowed.joined(separator: ", "))"
        let wantsCSV = content == .listWithDetails && list.preferred(for: fields) == .rows(.csv)
        throw RequestProblem(
            .notAcceptable,
            wantsCSV ? "CSV does not support details; \(offer), or text/csv without details" : offer,
            members: [("allowed", .array(allowed.map { .string($0) }))])
    }
}
