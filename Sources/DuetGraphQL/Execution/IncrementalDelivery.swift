internal import DuetJSON
internal import NIOCore

/// Keeps account of what is pending and what can be done now, and writes the parts of a response.
struct IncrementalDelivery {
    /// Something a client waits for: one `@defer` or `@stream` at one path.
    private struct Delivery {
        let path: ResponsePath?
        let label: String?
        /// The `@defer` around it that must be complete before it is announced.
        let parent: Int?
        /// How many records it still waits for.
        var outstanding = 0
        var isAnnounced = false
        var isComplete = false
        var errors: [GraphQLError]?
    }

    private struct Key: Hashable {
        let usage: ObjectIdentifier
        let path: [PathElement]
    }

    private var deliveries: [Delivery] = []
    private var places: [Key: Int] = [:]
    /// Records that wait for a delivery around theirs.
    private var waiting: [(record: IncrementalDataRecord, deliveries: [Int])] = []
    private var running = 0
    /// What can be executed now.
    private var ready: [DeferredJob] = []

    /// Whether nothing more will come.
    var isFinished: Bool { running == 0 && ready.isEmpty && waiting.isEmpty }

    // MARK: - Records

    /// Adds what was put off.
    mutating func add(_ records: [IncrementalDataRecord]) {
        for record in records {
            switch record.content {
            case .executionGroup(let fields, _):
                let own = fields.deferUsages.map { delivery(of: $0, record) }
                for place in own { deliveries[place].outstanding += 1 }
                waiting.append((record, own))
            case .streamedItems(_, _, let field, _):
                deliveries.append(Delivery(path: record.path, label: field.stream?.label, parent: nil))
                deliveries[deliveries.count - 1].outstanding = 1
                waiting.append((record, [deliveries.count - 1]))
            }
        }
    }

    private mutating func delivery(of usage: DeferUsage, _ record: IncrementalDataRecord) -> Int {
        let path = record.path?.object(of: usage.planPosition)
        let key = Key(usage: ObjectIdentifier(usage), path: path?.elements ?? [])
        if let known = places[key] { return known }
        // Of the usages around it, one without fields of its own is not delivered.
        let parent = usage.ancestors.lazy.compactMap { [places] ancestor in
            places[
                Key(
                    usage: ObjectIdentifier(ancestor),
                    path: record.path?.object(of: ancestor.planPosition)?.elements ?? [])]
        }.first
        places[key] = deliveries.count
        deliveries.append(Delivery(path: path, label: usage.label, parent: parent))
        return deliveries.count - 1
    }

    /// Announces what is pending now, and makes jobs of what can be executed.
    private mutating func release() -> [Int] {
        var announced: [Int] = []
        var left: [(record: IncrementalDataRecord, deliveries: [Int])] = []
        var jobs: [ObjectIdentifier: Int] = [:]
        for (record, own) in waiting {
            if own.allSatisfy({ isLost($0) }) { continue }
            let isReleased = own.contains { place in
                deliveries[place].parent.map { deliveries[$0].isComplete && deliveries[$0].errors == nil } ?? true
            }
            guard isReleased else {
                left.append((record, own))
                continue
            }
            for place in own where !deliveries[place].isAnnounced && !isLost(place) {
                deliveries[place].isAnnounced = true
                announced.append(place)
            }
            if case .executionGroup(let fields, _) = record.content, let job = jobs[ObjectIdentifier(fields)] {
                ready[job].records.append(record)
                ready[job].deliveries.append(own)
            } else {
                if case .executionGroup(let fields, _) = record.content { jobs[ObjectIdentifier(fields)] = ready.count }
                ready.append(DeferredJob(records: [record], deliveries: [own]))
            }
        }
        waiting = left
        return announced.sorted()
    }

    private func isLost(_ place: Int) -> Bool {
        var place: Int? = place
        while let current = place {
            if deliveries[current].errors != nil { return true }
            place = deliveries[current].parent
        }
        return false
    }

    /// The jobs to be done now.
    mutating func takeJobs() -> [DeferredJob] {
        defer { ready = [] }
        running += ready.count
        return ready
    }

    // MARK: - Parts

    /// `,"pending":[…],"hasNext":true`
    mutating func writePending(_ writer: inout ResponseWriter) {
        let announced = release()
        if !announced.isEmpty {
            writer.json.write(raw: "\"pending\":[")
            for (index, place) in announced.enumerated() {
                writer.json.write(raw: index == 0 ? "{\"id\":\"" : ",{\"id\":\"")
                writer.json.write(place)
                writer.json.write(raw: "\",\"path\":")
                writer.write(deliveries[place].path?.elements ?? [])
                if let label = deliveries[place].label {
                    writer.json.write(raw: ",\"label\":")
                    writer.json.write(label)
                }
                writer.json.write(raw: "}")
            }
            writer.json.write(raw: "],")
        }
    }

    /// The part of a response that says what became of a job.
    mutating func part(for outcome: DeferredJob.Outcome) -> ByteBuffer {
        running -= 1
        var completed: [Int] = []
        var written: [(id: Int, part: DeferredJob.Outcome.Part)] = []
        for part in outcome.parts {
            if part.json == nil {
                for place in part.deliveries where deliveries[place].errors == nil && !deliveries[place].isComplete {
                    deliveries[place].errors = part.errors.map(\.graphQLError)
                    deliveries[place].isComplete = true
                    if deliveries[place].isAnnounced { completed.append(place) }
                }
                continue
            }
            let own = part.deliveries.filter { deliveries[$0].isAnnounced && !isLost($0) }
            // The nearest of the deliveries makes the shortest way to the data.
            let nearest = own.max {
                (deliveries[$0].path?.depth ?? 0, -$0) < (deliveries[$1].path?.depth ?? 0, -$1)
            }
            if let nearest { written.append((nearest, part)) }
            if let rest = part.rest {
                waiting.append((rest, part.deliveries))
                continue
            }
            for place in part.deliveries {
                deliveries[place].outstanding -= 1
            }
        }
        add(outcome.records)
        for part in outcome.parts where part.rest == nil {
            for place in part.deliveries
            where deliveries[place].outstanding == 0 && !deliveries[place].isComplete {
                deliveries[place].isComplete = true
                if deliveries[place].isAnnounced { completed.append(place) }
            }
        }
        var writer = ResponseWriter()
        writer.json.write(raw: "{")
        writePending(&writer)
        write(written, to: &writer)
        write(completed: completed, to: &writer)
        writer.json.write(raw: "\"hasNext\":")
        writer.json.write(!isFinished)
        writer.json.write(raw: "}")
        return writer.json.buffer
    }

    private func write(_ parts: [(id: Int, part: DeferredJob.Outcome.Part)], to writer: inout ResponseWriter) {
        guard !parts.isEmpty else { return }
        writer.json.write(raw: "\"incremental\":[")
        for (index, (id, part)) in parts.enumerated() {
            writer.json.write(raw: index == 0 ? "{\"id\":\"" : ",{\"id\":\"")
            writer.json.write(id)
            writer.json.write(raw: "\"")
            let subPath = (part.record.path?.elements ?? []).dropFirst(deliveries[id].path?.depth ?? 0)
            if !subPath.isEmpty {
                writer.json.write(raw: ",\"subPath\":")
                writer.write(Array(subPath))
            }
            if case .executionGroup = part.record.content {
                writer.json.write(raw: ",\"data\":")
            } else {
                writer.json.write(raw: ",\"items\":")
            }
            if let json = part.json { writer.json.write(raw: json.readableBytesView) }
            if !part.errors.isEmpty {
                writer.json.write(raw: ",\"errors\":")
                writer.write(part.errors.map(\.graphQLError))
            }
            writer.json.write(raw: "}")
        }
        writer.json.write(raw: "],")
    }

    private func write(completed: [Int], to writer: inout ResponseWriter) {
        guard !completed.isEmpty else { return }
        writer.json.write(raw: "\"completed\":[")
        for (index, place) in completed.enumerated() {
            writer.json.write(raw: index == 0 ? "{\"id\":\"" : ",{\"id\":\"")
            writer.json.write(place)
            writer.json.write(raw: "\"")
            if let errors = deliveries[place].errors {
                writer.json.write(raw: ",\"errors\":")
                writer.write(errors)
            }
            writer.json.write(raw: "}")
        }
        writer.json.write(raw: "],")
    }
}
