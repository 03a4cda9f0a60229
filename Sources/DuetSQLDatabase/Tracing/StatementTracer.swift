#if Tracing
    import Tracing
#endif

/// Creates the spans of the statements of a database, with the tracer of the program. The package has the dependency on
/// swift-distributed-tracing only if the trait `Tracing` is enabled.
struct StatementTracer: Sendable {
    #if Tracing
        fileprivate let tracer: any Tracer
        /// The attributes of all spans.
        fileprivate let attributes: SpanAttributes
    #endif

    /// Uses the tracer of the `InstrumentationSystem`. Later changes of the system have no effect, so that transactions
    /// without a tracer need no lookup.
    /// - Returns: nil if the system has no tracer.
    init?(_ url: DatabaseURL, _ dialect: Dialect) {
        #if Tracing
            let tracer = InstrumentationSystem.tracer
            guard !(tracer is NoOpTracer) else { return nil }
            self.tracer = tracer
            attributes = Self.attributes(of: url, dialect)
        #else
            return nil
        #endif
    }

    /// The spans of a transaction that the current task requests; nil outside a span, because the statements of
    /// background work would be many traces of one span each.
    var spansOfCurrentTask: StatementSpans? {
        #if Tracing
            ServiceContext.current.map { StatementSpans(self, $0) }
        #else
            nil
        #endif
    }
}

#if Tracing
    extension StatementTracer {
        private static func attributes(of url: DatabaseURL, _ dialect: Dialect) -> SpanAttributes {
            var attributes = SpanAttributes([:])
            attributes["db.system.name"] = dialect.name
            if case .mariaDB(let location) = url.location {
                attributes["db.namespace"] = location.database
                if let socket = location.socket {
                    attributes["server.address"] = socket
                } else {
                    attributes["server.address"] = location.host
                    attributes["server.port"] = location.port
                }
            }
            return attributes
        }
    }

    /// The name and the attributes of all spans of a statement, according to the semantic conventions of OpenTelemetry
    /// for SQL (opentelemetry.io/docs/specs/semconv/db/sql).
    struct StatementSpanContent {
        let sql: String
        /// The name of the spans.
        let summary: String
        let attributes: SpanAttributes

        fileprivate init(_ statement: any PreparedStatement, _ tracer: StatementTracer) {
            sql = statement.sql
            summary = StatementText.summary(of: sql)
            var attributes = tracer.attributes
            attributes["db.query.summary"] = summary
            // The conventions permit the text of a parameterized statement, and otherwise only a text without
            // literals.
            attributes["db.query.text"] = statement.parameterCount > 0 ? sql : StatementText.withoutLiterals(sql)
            self.attributes = attributes
        }
    }

    /// The spans of the statements of one transaction. A span is created when its statement has ended.
    final class StatementSpans {
        private struct Statement {
            let content: StatementSpanContent
            let start: Timestamp
            let end: Timestamp
            let error: (any Error)?
        }

        private typealias Timestamp = DefaultTracerClock.Timestamp

        private let tracer: StatementTracer
        private let parent: ServiceContext
        /// The statements whose spans have not been created yet; nil to create each span immediately.
        private var held: [Statement]?

        fileprivate init(_ tracer: StatementTracer, _ parent: ServiceContext) {
            self.tracer = tracer
            self.parent = parent
        }

        /// Creates no span until ``createHeld()`` is called.
        func hold() { held = [] }

        /// Creates the spans of the statements that have ended since ``hold()``.
        func createHeld() {
            for statement in held ?? [] { create(statement) }
            held = nil
        }

        /// Adds a statement that has just ended.
        /// - Parameter entry: The cached text of the statement, which stores the content of its spans; nil if the text
        ///   is not cached.
        func add(
            _ statement: any PreparedStatement, of entry: StatementCache.Entry?, nanoseconds: UInt64,
            error: (any Error)?
        ) {
            let end = DefaultTracerClock.now
            let ended = Statement(
                content: content(of: statement, entry),
                start: Timestamp(nanosecondsSinceEpoch: end.nanosecondsSinceEpoch &- nanoseconds), end: end,
                error: error)
            if held == nil { create(ended) } else { held?.append(ended) }
        }

        private func content(
            of statement: any PreparedStatement, _ entry: StatementCache.Entry?
        ) -> StatementSpanContent {
            // The text of an entry depends on the lengths of its lists.
            if let stored = entry?.spanContent, stored.sql == statement.sql { return stored }
            let content = StatementSpanContent(statement, tracer)
            entry?.spanContent = content
            return content
        }

        private func create(_ statement: Statement) {
            let content = statement.content
            let span = tracer.tracer.startSpan(
                content.summary, context: parent, ofKind: .client, at: statement.start)
            if span.isRecording {
                span.attributes = content.attributes
                if let error = statement.error {
                    let error = error as? DatabaseError
                    span.attributes["error.type"] = error?.code.rawValue ?? DatabaseError.Code.cancelled.rawValue
                    span.attributes["db.response.status_code"] = error?.backendCode
                    // The message of the database can contain values, so the status has no message.
                    span.setStatus(SpanStatus(code: .error))
                }
            }
            span.end(at: statement.end)
        }
    }
#else
    final class StatementSpans {
        func hold() {}
        func createHeld() {}
        func add(
            _ statement: any PreparedStatement, of entry: StatementCache.Entry?, nanoseconds: UInt64,
            error: (any Error)?
        ) {}
    }
#endif
