extension CostReason {
    /// A part of the bytes of a style, such as the bodies of its responses.
    private struct Part {
        /// The subject of a sentence: `its request`.
        let name: String
        let isPlural: Bool
        /// The number of bytes by which this part is smaller in the cheaper style; negative if the part is larger.
        let gain: Int
        /// A note about the part. It is printed after the list of clauses.
        var facts = ""

        /// Returns a clause about this part. If several clauses form a list, only the first clause contains the verb.
        func clause(isFirst: Bool) -> String {
            "\(name)\(isFirst ? (isPlural ? " are" : " is") : "") \(abs(gain).of("byte"))"
        }
    }

    /// The reason for a difference in bytes; nil if there is none. It names the parts that are smaller in the cheaper
    /// style, and the parts that are larger.
    var bytes: String? {
        // Omit parts whose difference is less than a quarter of the total difference.
        let least = Double(many.travelled - few.travelled) / 4
        let parts = (few.requests == many.requests ? ofAsManyRequests : ofFewerRequests)
            .filter { $0.gain != 0 && Double(abs($0.gain)) >= least }
        guard let gains = Self.text(parts.filter { $0.gain > 0 }, "shorter") else { return nil }
        return "because \(gains)" + (Self.text(parts.filter { $0.gain < 0 }, "longer").map { ", although \($0)" } ?? "")
    }

    /// Returns `its request is 26 bytes and the body of its response 22 bytes shorter`; nil if there are no parts.
    private static func text(_ parts: [Part], _ comparative: String) -> String? {
        guard !parts.isEmpty else { return nil }
        let clauses = parts.enumerated().map { index, part in part.clause(isFirst: index == 0) }
        return "\(clauses.inWords) \(comparative)\(parts.map(\.facts).joined())"
    }

    private var isPlural: Bool { cheaper.cost.requests > 1 }

    /// The parts for two styles with equal numbers of requests: one part for the requests, and two parts for the
    /// responses.
    private var ofAsManyRequests: [Part] {
        [
            Part(
                name: isPlural ? "its requests" : "its request", isPlural: isPlural,
                gain: many.up.total - few.up.total),
            Part(
                name: isPlural ? "the heads of its responses" : "the head of its response", isPlural: isPlural,
                gain: many.down.head - few.down.head),
            responseBodies,
        ]
    }

    /// The parts for two styles with different numbers of requests. The heads are one part, because they are the
    /// overhead of each request.
    private var ofFewerRequests: [Part] {
        let pair =
            few.requests == 1 ? "its request and its response" : "its \(few.requests.of("request")) and responses"
        return [
            Part(
                name: "the heads of \(pair)", isPlural: true,
                gain: many.up.head + many.down.head - few.up.head - few.down.head,
                facts: few.requests < many.requests ? " than those of \(many.requests.of("request"))" : ""),
            Part(
                name: isPlural ? "the bodies of its requests" : "the body of its request", isPlural: isPlural,
                gain: many.up.body - few.up.body),
            responseBodies,
        ]
    }

    private var responseBodies: Part {
        Part(
            name: isPlural ? "the bodies of its responses" : "the body of its response", isPlural: isPlural,
            gain: many.gzippedDown.body - few.gzippedDown.body, facts: bodyFacts)
    }

    private var few: TaskCost { cheaper.cost }
    private var many: TaskCost { dearer.cost }

    /// A note about the response bodies of the cheaper style. If the bodies are shorter only with gzip, the note says
    /// so. Otherwise, if the bodies contain clearly fewer values than the bodies of the dearer style, the note contains
    /// both numbers of values. In all other cases, it is empty.
    private var bodyFacts: String {
        guard few.gzippedDown.body < many.gzippedDown.body else { return "" }
        let plain = many.down.body - few.down.body
        let shorter = "\(isPlural ? "the bodies are" : "the body is") shorter only with gzip"
        if plain == 0 { return " (\(shorter))" }
        if plain < 0 {
            let subject = isPlural ? "they are" : "it is"
            return " (\(shorter); without gzip, \(subject) \((-plain).of("byte")) longer)"
        }
        guard Double(few.fieldsReturned) * 1.1 <= Double(many.fieldsReturned) else { return "" }
        let values = "\(few.fieldsReturned.of("value")) instead of \(many.fieldsReturned.grouped)"
        // A task that writes on a copy needs no values.
        return few.fieldsUsed == 0 ? " (\(values))" : " (\(values); the task needs \(few.fieldsUsed.grouped))"
    }
}
