import DuetJSON

/// A subscription for one root field of a query. The specification permits only one root field in a subscription
/// (section 5.2.4.1), so a live query with several root fields is several subscriptions.
struct LivePart: Sendable {
    let document: OperationDocument
    let variables: JSONObject
    let selection: ResolvedSelection

    /// Returns the subscriptions for a query.
    static func parts<Query: GraphQLQuery>(
        of call: OperationCall<Query>, policies: CachePolicies
    ) throws(GraphQLClientError) -> [LivePart] {
        var parts: [LivePart] = []
        do throws(ModelError) {
            for document in try Query.liveDocuments() {
                guard let variables = call.variables(for: document) else {
                    throw ModelError(
                        .variableConflict,
                        "A variable of \(call.document.name ?? "the query") is null, but a live query needs its value.")
                }
                parts.append(
                    LivePart(
                        document: document, variables: variables,
                        selection: document.selection(variables: variables, connections: policies.connections)))
            }
        } catch {
            throw GraphQLClientError(error)
        }
        return parts
    }
}

extension GraphQLQuery {
    /// Returns the documents that the client sends for a live query: a subscription for each root field. If the server
    /// accepts only listed documents, add these documents to its list, too.
    /// - Throws: ``ModelError`` if no document can be created from the model.
    public static func liveDocuments() throws(ModelError) -> [OperationDocument] {
        let query = try document()
        let name = query.name.map { $0 + "Live" }
        var names: [String] = []
        for field in query.map.fields where !names.contains(field.responseName) { names.append(field.responseName) }
        guard names.count > 1, query.map.typeCases.isEmpty else {
            return [try OperationDocument(.subscription, name: name, map: query.map)]
        }
        var documents: [OperationDocument] = []
        for responseName in names {
            var map = query.map
            map.fields = map.fields.filter { $0.responseName == responseName }
            documents.append(try OperationDocument(.subscription, name: name, map: map))
        }
        return documents
    }
}

extension ParsedResponse {
    /// Combines the responses to the parts of a live query.
    init(combining parts: [ParsedResponse]) throws(GraphQLClientError) {
        guard parts.count != 1 else {
            self = parts[0]
            return
        }
        var data: JSONObject? = [:]
        var errors: [JSONValue] = []
        var extensions: JSONObject = [:]
        for part in parts {
            errors += part.errors.map(\.json)
            for member in part.extensions.members { extensions[member.key] = member.value }
            guard case .object(let members)? = part.data?.json else {
                data = nil
                continue
            }
            for member in members.members { data?[member.key] = member.value }
        }
        var response: JSONObject = ["data": data.map { .object($0) } ?? .null]
        if !errors.isEmpty { response["errors"] = .array(errors) }
        if !extensions.members.isEmpty { response["extensions"] = .object(extensions) }
        try self.init(JSONValue.object(response).compactBytes)
    }

    /// Returns true if two responses have the same data and errors.
    func isEqual(to other: ParsedResponse) -> Bool {
        errors == other.errors && data?.json == other.data?.json
    }
}
