import DuetJSON

/// Operations: their names, descriptions, request bodies and problems.
extension OpenAPIPrinter {
    /// The description of an operation.
    public func describe(_ operation: RESTOperation) -> OpenAPIOperation {
        OpenAPIOperation(
            operation.method, operation.path, identifier(of: operation), tag: operation.resource.tag,
            operation.summary, description: description(of: operation),
            pathParameters: pathParameters(of: operation),
            parameters: queryParameters(of: operation) + conditions(of: operation), body: body(of: operation),
            responses: responses(of: operation), problems: problems(of: operation))
    }

    private func identifier(of operation: RESTOperation) -> String {
        let one = operation.resource.singular.capitalizedFirst
        return switch operation.kind {
        case .list: "list\(operation.resource.name.capitalizedFirst)"
        case .item: "get\(one)"
        case .create: "create\(one)"
        case .update: "update\(one)"
        case .remove: "delete\(one)"
        case .related(let relation): "list\(one)\(relation.name.capitalizedFirst)"
        case .add: "add\(one)\(operation.shown.singular.capitalizedFirst)"
        case .relatedItem(_, let fields): "get\(one)\(noun(of: operation, fields).capitalizedFirst)"
        case .replace(_, _, let fields): "put\(one)\(noun(of: operation, fields).capitalizedFirst)"
        }
    }

    /// The noun of a related row: of the resource whose key the fields are, else of the row itself.
    private func noun(of operation: RESTOperation, _ fields: [String]) -> String {
        keyedResource(fields)?.singular ?? operation.shown.singular
    }

    private func keyedResource(_ fields: [String]) -> Resource? {
        catalogue.resources.first { $0.hasItems && $0.key == fields }
    }

    private func description(of operation: RESTOperation) -> String? {
        switch operation.kind {
        case .list:
            """
            Follow `Link` with `rel="next"` while there is one: pages never repeat or skip a row that stays in place. \
            NDJSON and CSV without `first` are all rows, as a stream.
            """
        case .item, .related, .relatedItem: nil
        case .create(let write): write.description.firstSentence + "." == write.description ? nil : write.description
        case .update(let write):
            """
            \(write.description) The body is a JSON merge patch (RFC 7396); no member may become `null`. `If-Match` is \
            compared with the `ETag` of the representation that `fields` and `details` select.
            """
        case .remove(let write):
            """
            \(write.description) `If-Match` is compared with the `ETag` of the representation that `fields` and \
            `details` select.
            """
        case .add(let write, let relation):
            "\(write.description) The response shows all \(relation.name)."
        case .replace(let write, _, _):
            "\(write.description) With `If-None-Match: *`, the request fails if there is one already."
        }
    }

    // MARK: Bodies

    private func body(of operation: RESTOperation) -> JSONValue? {
        guard let write = operation.write, write.target != .removal else { return nil }
        var media = JSONObject(["schema": .schema(inputName(of: write))])
        if let example = example(of: write) { media["example"] = example }
        var content = JSONObject()
        if case .update = operation.kind { content["application/merge-patch+json"] = .object(media) }
        content["application/json"] = .object(media)
        return ["required": true, "content": .object(content)]
    }

    // MARK: Problems

    private func problems(of operation: RESTOperation) -> [ServiceError.Code] {
        var codes: [ServiceError.Code] = [.unknownParameter, .repeatedParameter, .invalidParameter]
        switch operation.kind {
        case .list: codes.append(.invalidCursor)
        case .related: codes += [.invalidCursor, .unknown(operation.resource.singular)]
        case .create: break
        case .item, .update, .remove, .add: codes.append(.unknown(operation.resource.singular))
        case .relatedItem:
            codes += [.unknown(operation.resource.singular), .unknown(operation.shown.singular)]
        case .replace(_, _, let fields):
            codes += [.unknown(operation.resource.singular)]
            if let resource = keyedResource(fields) { codes.append(.unknown(resource.singular)) }
        }
        if let write = operation.write {
            if write.target != .removal { codes += [.malformedBody, .validationFailed] }
            switch operation.kind {
            case .create, .add, .replace: codes.append(.conflict)
            default: break
            }
            codes += [.outcomeUnknown, .databaseFull, .databaseReadOnly]
        }
        return codes + [
            .answerTooLarge, .databaseUnavailable, .databaseIOError, .overloaded, .queryTimeout, .internalError,
        ]
    }
}
