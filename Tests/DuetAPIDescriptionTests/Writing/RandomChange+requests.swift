import DuetJSON
import DuetResourceService
import Foundation
import ProcessTesting
import ServerTestSupport

extension RandomChange {
    /// Returns the request over REST.
    /// - Parameter tag: The entity tag of the row.
    func rest(_ tag: String?) -> (method: String, target: String, fields: [String: String], body: String?) {
        let list = "/\(resource.name)"
        let fields = Dictionary(uniqueKeysWithValues: preconditions(tag).map { ($0.name, $0.value) })
        func text(_ input: RandomInput) -> String { input.text(isGraphQL: false) }
        func filtered(_ filter: RandomFilter, _ maximum: Int?) -> String {
            let encoded = filter.text(false).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(list)?filter=\(encoded)\(maximum.map { "&max=\($0)" } ?? "")"
        }
        switch kind {
        case .create(let node): return ("POST", list, fields, text(node.input(isUpdate: false)))
        case .createAll(let nodes):
            return ("POST", list, fields, text(.array(nodes.map { $0.input(isUpdate: false) })))
        case .update(let node): return ("PATCH", path, fields, text(node.input(isUpdate: true)))
        case .replace(let values): return ("PUT", path, fields, text(.object(RandomInput.members(values))))
        case .delete: return ("DELETE", path, fields, nil)
        case .updateAll(let filter, let values, let maximum):
            return ("PATCH", filtered(filter, maximum), fields, text(.object(RandomInput.members(values))))
        case .deleteAll(let filter, let maximum): return ("DELETE", filtered(filter, maximum), fields, nil)
        }
    }

    /// Returns the result in the body of a successful response.
    func result(_ status: Int, _ body: String) -> String {
        switch kind {
        case .updateAll, .deleteAll: RawJSON.members(body).first?.value ?? ""
        case .delete: status == 204 ? "null" : body
        case .create, .createAll, .update, .replace: body
        }
    }

    /// Returns the field of a mutation.
    func field(_ alias: String, _ tag: String?, _ catalogue: Catalogue) -> String {
        let (type, name) = (resource.type, resource.name)
        let plural = name.prefix(1).uppercased() + name.dropFirst()
        let many = catalogue.resources.contains { $0.type == plural } ? "\(type)List" : plural
        let row = "{ \(resource.fields.map(\.name).joined(separator: " ")) }"
        func text(_ input: RandomInput) -> String { input.text(isGraphQL: true) }
        let keys = zip(resource.itemArguments, key).map { argument, value in
            let isFraction = argument.name == "id" && value.json.contains(/^-?[0-9]+[.e]/)
            return "\(argument.name): \(isFraction ? "\"\(value.json)\"" : value.json)"
        }
        func filtered(_ filter: RandomFilter, _ maximum: Int?) -> [String] {
            ["filter: \(filter.text(true))"] + (maximum.map { ["max: \($0)"] } ?? [])
        }
        let (mutation, arguments, shown) =
            switch kind {
            case .create(let node):
                ("create\(type)", ["input: \(text(node.input(isUpdate: false)))"], "\(resource.singular) \(row)")
            case .createAll(let nodes):
                (
                    "create\(many)", ["inputs: \(text(.array(nodes.map { $0.input(isUpdate: false) })))"],
                    "\(name) \(row)"
                )
            case .update(let node):
                ("update\(type)", keys + ["patch: \(text(node.input(isUpdate: true)))"], "\(resource.singular) \(row)")
            case .replace(let values):
                ("upsert\(type)", ["input: \(text(replacement(values)))"], "\(resource.singular) \(row)")
            case .delete: ("delete\(type)", keys, "deletedId")
            case .updateAll(let filter, let values, let maximum):
                (
                    "update\(many)",
                    filtered(filter, maximum) + ["patch: \(text(.object(RandomInput.members(values))))"], "count"
                )
            case .deleteAll(let filter, let maximum): ("delete\(many)", filtered(filter, maximum), "count")
            }
        let preconditions = preconditions(tag).map { "\($0.argument): \(RawJSON.string($0.value))" }
        return
            "\(alias): \(mutation)(\((arguments + preconditions).joined(separator: ", "))) { \(shown) errors { __typename message } }"
    }

    /// Returns the input of an upsert, which contains the key.
    private func replacement(_ values: [RandomMember]) -> RandomInput {
        let others = values.filter { !resource.key.contains($0.field) }
        return .object(RandomInput.members(zip(resource.key, key).map { ($0, $1) } + others))
    }

    /// Returns the result in a payload without errors.
    func result(ofPayload payload: String) -> String {
        switch kind {
        case .create, .update, .replace: RawJSON.member(payload, resource.singular)
        case .createAll: RawJSON.member(payload, resource.name)
        case .delete: "null"
        case .updateAll, .deleteAll: RawJSON.member(payload, "count")
        }
    }
}

extension RandomRequest {
    /// Sends the request over REST.
    /// - Parameters:
    ///   - tags: The entity tags of the rows before the request.
    ///   - fields: Further header fields.
    func send(
        to server: ServiceServer, _ tags: [String?], _ fields: [String: String] = [:]
    ) async throws -> RandomOutcome {
        try outcome(of: try await answer(from: server, tags, fields))
    }

    /// Sends the request over REST, and returns the response.
    func answer(
        from server: ServiceServer, _ tags: [String?], _ fields: [String: String]
    ) async throws -> HTTPAnswer {
        switch form {
        case .single:
            let request = changes[0].rest(tags[0])
            return try await server.send(
                request.method, request.target, request.fields.merging(fields) { $1 }, body: request.body)
        case .transaction: return try await server.send("POST", "/batch", fields, body: batch(tags))
        case .ndjson, .csv:
            let type = form == .csv ? "text/csv" : "application/x-ndjson"
            return try await server.send(
                "POST", "/\(changes[0].resource.name)", fields.merging(["Content-Type": type]) { $1 },
                body: form == .csv ? csv : ndjson)
        }
    }

    /// Returns the outcome of a response over REST.
    func outcome(of answer: HTTPAnswer) throws -> RandomOutcome {
        if let failure = try failure(answer) {
            let label = RawJSON.text(form == .transaction ? RawJSON.member(answer.body, "request") : "null")
            return .failed(failure, step: Int(label.dropFirst()), answer.body)
        }
        switch form {
        case .single: return .done([changes[0].result(answer.status, answer.body)])
        case .transaction:
            let responses = RawJSON.elements(RawJSON.member(answer.body, "responses"))
            return .done(
                zip(changes, responses).map { change, response in
                    change.result(
                        Int(RawJSON.member(response, "status")) ?? 0, RawJSON.member(response, "body"))
                })
        case .ndjson, .csv: return .done([RawJSON.member(answer.body, "created")])
        }
    }

    private func failure(_ answer: HTTPAnswer) throws -> RandomOutcome.Failure? {
        switch answer.status {
        case 200, 201, 204: nil
        case 400, 422: .invalid
        case 403: .notPermitted
        case 404: .missing
        case 409: .conflict
        case 412: .precondition
        default: throw UnexpectedAnswer(text: "\(self): \(answer.status) \(answer.body)")
        }
    }

    private func batch(_ tags: [String?]) -> String {
        let requests = zip(changes, tags).enumerated().map { index, step in
            let request = step.0.rest(step.1)
            let fields = request.fields.map { "\(RawJSON.string($0)):\(RawJSON.string($1))" }.joined()
            return "{\"id\":\"s\(index)\",\"method\":\"\(request.method)\",\"path\":\(RawJSON.string(request.target)),"
                + "\"headers\":{\(fields)},\"body\":\(request.body ?? "null")}"
        }
        return "{\"requests\":[\(requests.joined(separator: ","))]}"
    }

    /// The rows of an import.
    private var rows: [RandomNode] { if case .createAll(let nodes)? = changes.first?.kind { nodes } else { [] } }

    private var ndjson: String { rows.map { $0.input(isUpdate: false).text(isGraphQL: false) + "\n" }.joined() }

    private var csv: String {
        let names = rows.flatMap { $0.values.map(\.field) }.reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let lines = rows.map { row in
            names.map { name in
                guard let value = row.values.first(where: { $0.field == name })?.value else { return "" }
                guard value.json.hasPrefix("\"") else { return value.json }
                return "\"\(RawJSON.text(value.json).replacing("\"", with: "\"\""))\""
            }.joined(separator: ",")
        }
        return ([names.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }

    /// Executes the request over GraphQL.
    func execute(
        on server: ServiceServer, _ tags: [String?], _ catalogue: Catalogue, _ fields: [String: String] = [:]
    ) async throws -> RandomOutcome {
        try outcome(ofGraphQL: try await graphQLAnswer(from: server, tags, catalogue, fields))
    }

    /// Executes the request over GraphQL, and returns the response.
    func graphQLAnswer(
        from server: ServiceServer, _ tags: [String?], _ catalogue: Catalogue, _ fields: [String: String]
    ) async throws -> HTTPAnswer {
        let selections = zip(changes, tags).enumerated().map { $1.0.field("s\($0)", $1.1, catalogue) }
        let directive = form == .transaction ? "@transaction " : ""
        let document = "mutation \(directive){ \(selections.joined(separator: " ")) }"
        let body = JSONValue.object(["query": .string(document)]).compactText
        return try await server.send("POST", "/graphql", fields, body: body)
    }

    /// Returns the outcome of a response over GraphQL.
    func outcome(ofGraphQL answer: HTTPAnswer) throws -> RandomOutcome {
        // The types of literals are checked by the validation of the document.
        if answer.body.contains("GRAPHQL_VALIDATION_FAILED") { return .failed(.invalid, step: nil, answer.body) }
        var results: [String] = []
        var failed: RandomOutcome?
        for (index, change) in changes.enumerated() {
            let payload = RawJSON.member(answer.body, "data", "s\(index)")
            guard payload.hasPrefix("{") else { continue }
            guard let error = RawJSON.elements(RawJSON.member(payload, "errors")).first else {
                results.append(change.result(ofPayload: payload))
                continue
            }
            let failure: RandomOutcome.Failure =
                switch RawJSON.text(RawJSON.member(error, "__typename")) {
                case "NotFoundError": .missing
                case "ConflictError": .conflict
                case "InvalidInputError": .invalid
                case "PreconditionFailedError": .precondition
                case "NotPermittedError": .notPermitted
                default: throw UnexpectedAnswer(text: "\(self): \(answer.body)")
                }
            failed = .failed(failure, step: form == .transaction ? index : nil, answer.body)
        }
        if let failed {
            guard results.isEmpty else { throw UnexpectedAnswer(text: "\(self): \(answer.body)") }
            return failed
        }
        guard results.count == changes.count else { throw UnexpectedAnswer(text: "\(self): \(answer.body)") }
        switch form {
        case .single, .transaction: return .done(results)
        case .ndjson, .csv: return .done(["\(RawJSON.elements(results[0]).count)"])
        }
    }

    struct UnexpectedAnswer: Error { let text: String }
}
