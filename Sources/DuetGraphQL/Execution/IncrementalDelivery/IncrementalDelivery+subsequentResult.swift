internal import DuetJSON
internal import NIOCore

// The results according to the incremental delivery draft: `pending`, `incremental`, `completed`, `hasNext`.

extension IncrementalDelivery {
    /// Returns the JSON of a subsequent result for the outcome of an execution.
    mutating func subsequentResult(for outcome: IncrementalExecution.Outcome) -> ByteBuffer {
        runningExecutions -= 1
        var completed: [Int] = []
        var incremental: [IncrementalEntry] = []
        for record in outcome.completedRecords {
            if record.json == nil {
                for index in record.deliveryGroups where groups[index].errors == nil && !groups[index].isComplete {
                    groups[index].errors = record.errors.map(\.graphQLError)
                    groups[index].isComplete = true
                    if groups[index].isPublished { completed.append(index) }
                }
                continue
            }
            let candidates = record.deliveryGroups.filter { groups[$0].isPublished && !hasFailed($0) }
            // The group with the longest path yields the shortest `subPath`.
            let nearest = candidates.max {
                (groups[$0].path?.depth ?? 0, -$0) < (groups[$1].path?.depth ?? 0, -$1)
            }
            if let nearest { incremental.append((nearest, record)) }
            if let remainder = record.remainder {
                add(remainder: remainder, groups: record.deliveryGroups)
                continue
            }
            for index in record.deliveryGroups { groups[index].incompleteRecords -= 1 }
        }
        add(outcome.newRecords)
        for record in outcome.completedRecords where record.remainder == nil {
            for index in record.deliveryGroups
            where groups[index].incompleteRecords == 0 && !groups[index].isComplete {
                groups[index].isComplete = true
                if groups[index].isPublished { completed.append(index) }
            }
        }
        var writer = ResponseWriter()
        writer.json.write(raw: "{")
        writePending(&writer)
        write(incremental, to: &writer)
        write(completed: completed, to: &writer)
        writer.json.write(raw: "\"hasNext\":")
        writer.json.write(!isFinished)
        writer.json.write(raw: "}")
        return writer.json.buffer
    }

    /// Writes `"pending":[…],` with the newly pending delivery groups. It writes nothing if there are none.
    mutating func writePending(_ writer: inout ResponseWriter) {
        let published = releaseRecords()
        guard !published.isEmpty else { return }
        writer.json.write(raw: "\"pending\":[")
        for (position, index) in published.enumerated() {
            write(id: index, isFirst: position == 0, to: &writer)
            writer.json.write(raw: "\",\"path\":")
            writer.write(groups[index].path?.elements ?? [])
            if let label = groups[index].label {
                writer.json.write(raw: ",\"label\":")
                writer.json.write(label)
            }
            writer.json.write(raw: "}")
        }
        writer.json.write(raw: "],")
    }

    /// A completed record, and the index of its delivery group. The index is the `id` in the result.
    private typealias IncrementalEntry = (id: Int, record: IncrementalExecution.CompletedRecord)

    private func write(_ results: [IncrementalEntry], to writer: inout ResponseWriter) {
        guard !results.isEmpty else { return }
        writer.json.write(raw: "\"incremental\":[")
        for (position, (id, completed)) in results.enumerated() {
            write(id: id, isFirst: position == 0, to: &writer)
            writer.json.write(raw: "\"")
            let subPath = (completed.record.path?.elements ?? []).dropFirst(groups[id].path?.depth ?? 0)
            if !subPath.isEmpty {
                writer.json.write(raw: ",\"subPath\":")
                writer.write(Array(subPath))
            }
            if case .executionGroup = completed.record.content {
                writer.json.write(raw: ",\"data\":")
            } else {
                writer.json.write(raw: ",\"items\":")
            }
            if let json = completed.json { writer.json.write(raw: json.readableBytesView) }
            if !completed.errors.isEmpty {
                writer.json.write(raw: ",\"errors\":")
                writer.write(completed.errors.map(\.graphQLError))
            }
            writer.json.write(raw: "}")
        }
        writer.json.write(raw: "],")
    }

    private func write(completed: [Int], to writer: inout ResponseWriter) {
        guard !completed.isEmpty else { return }
        writer.json.write(raw: "\"completed\":[")
        for (position, index) in completed.enumerated() {
            write(id: index, isFirst: position == 0, to: &writer)
            writer.json.write(raw: "\"")
            if let errors = groups[index].errors {
                writer.json.write(raw: ",\"errors\":")
                writer.write(errors)
            }
            writer.json.write(raw: "}")
        }
        writer.json.write(raw: "],")
    }

    /// Begins an entry of a list: writes the brace and the `id`, without the closing quotation mark of the `id`.
    private func write(id: Int, isFirst: Bool, to writer: inout ResponseWriter) {
        writer.json.write(raw: isFirst ? "{\"id\":\"" : ",{\"id\":\"")
        writer.json.write(id)
    }
}
