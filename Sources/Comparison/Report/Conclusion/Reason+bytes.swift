extension Reason {
    /// A part of a style's bytes.
    private struct Part {
        /// The subject of a sentence: `its request`.
        let name: String
        let isPlural: Bool
        /// The number of bytes that the cheaper style saves in this part; negative if it needs more.
        let gain: Int
        /// Further facts about the part, if the cheaper style has fewer bytes in it.
        var facts = ""

        /// Returns the clause of a sentence. The first of several clauses contains the verb.
        func clause(isFirst: Bool) -> String {
            "\(name)\(isFirst ? (isPlural ? " are" : " is") : "") \(abs(gain).of("byte"))"
        }
    }

    /// The parts in which the cheaper style has fewer bytes, and the parts in which it has more. The gains of all parts
    /// add up to the difference.
    var bytes: String? {
        // A part that accounts for less than a quarter of the difference is omitted.
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

    /// The parts if both styles send the same number of requests: one for the requests, and two for the responses.
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

    /// The parts if the numbers of requests differ. The heads are the overhead of each request.
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

    private var few: Cost { cheaper.cost }
    private var many: Cost { dearer.cost }

    /// A note if the bodies are shorter only in gzip; otherwise the number of values in them, if it is clearly smaller.
    private var bodyFacts: String {
        guard few.gzippedDown.body < many.gzippedDown.body else { return "" }
        let plain = many.down.body - few.down.body
        let bodies = isPlural ? "the bodies" : "the body"
        if plain == 0 { return " (\(bodies) only in gzip)" }
        if plain < 0 {
            let subject = isPlural ? "they are" : "it is"
            return " (\(bodies) only in gzip; without it, \(subject) \((-plain).of("byte")) longer)"
        }
        guard Double(few.fieldsReturned) * 1.1 <= Double(many.fieldsReturned) else { return "" }
        let values = "\(few.fieldsReturned.of("value")) instead of \(many.fieldsReturned.grouped)"
        return " (\(values); the task needs \(few.fieldsUsed.grouped))"
    }
}
