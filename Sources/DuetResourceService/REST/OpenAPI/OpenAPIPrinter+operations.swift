import DuetJSON

/// The operations: their identifiers, descriptions, request bodies and problems.
extension OpenAPIPrinter {
    /// Returns the description of an operation.
    public func describe(_ operation: RESTOperation) -> OpenAPIOperation {
        OpenAPIOperation(
            operation.method, operation.path, identifier(of: operation), tag: operation.resource.tag,
            operation.summary, description: description(of: operation),
            pathParameters: pathParameters(of: operation),
            parameters: queryParameters(of: operation) + conditions(of: operation) + preferences(of: operation)
                + liveParameters(of: operation),
            body: body(of: operation), responses: live(preferred(responses(of: operation), operation), operation),
            problems: problems(of: operation))
    }

    /// Returns an alternative identifier of an operation on related rows. It is used if the usual identifier is also
    /// the identifier of a different operation. For example, `listStudentCourses` can list the courses of a student or
    /// the rows of the table `student_course`. The alternative is `listCoursesOfStudent`.
    public func alternativeIdentifier(of operation: RESTOperation) -> String {
        let one = operation.resource.singular.capitalizedFirst
        let usual = identifier(of: operation)
        let verb = verb(of: operation)
        guard usual.hasPrefix(verb + one), usual.count > (verb + one).count else { return usual }
        return "\(verb)\(usual.dropFirst((verb + one).count))Of\(one)"
    }

    private func verb(of operation: RESTOperation) -> String {
        switch operation.write?.kind {
        case nil: operation.isList ? "list" : "get"
        case .insert: operation.relation == nil ? "create" : "add"
        case .update: "update"
        case .delete: "delete"
        case .upsert, .replace: "put"
        }
    }

    /// Returns the usual identifier of an operation. Operations on different rows can have the same usual identifier.
    package func identifier(of operation: RESTOperation) -> String {
        let one = operation.resource.singular.capitalizedFirst
        let noun =
            switch operation.rows {
            case .list:
                operation.isList || operation.isBulkWrite ? operation.resource.name.capitalizedFirst : one
            case .item: one
            case .related(let relation):
                one + (operation.isList ? relation.name : operation.shown.singular).capitalizedFirst
            // If the key of a resource consists of these fields, the noun is the singular name of this resource;
            // otherwise it is the singular name of the relation's target.
            case .relatedItem(_, let fields):
                one + (keyedResource(fields, operation.shown)?.singular ?? operation.shown.singular).capitalizedFirst
            }
        return verb(of: operation) + noun
    }

    /// Returns the resource whose key consists of the fields that identify a related row.
    private func keyedResource(_ fields: [String], _ shown: Resource) -> Resource? {
        shown.key == fields ? shown : resourcesByKey[fields]
    }

    private func description(of operation: RESTOperation) -> String? {
        guard let write = operation.write else {
            guard case .list = operation.rows else { return nil }
            return """
                Follow `Link` with `rel="next"` until it is absent. Pages never repeat or skip a row that stays in place. \
                NDJSON and CSV without `first` contain all rows, as a stream.
                """
        }
        if operation.isLink {
            let effect =
                write.kind == .delete
                ? "If there is no such link, the response is a 404." : "The request has no body."
            return "\(write.description) \(effect)"
        }
        if operation.isBulkWrite {
            return """
                \(write.description) The filter must have a condition. If more than `max` rows match, nothing is changed.
                """
        }
        let compared =
            "`If-Match` is compared with the `ETag` of the representation that `fields` and `details` select."
        return switch write.kind {
        case .insert where write.acceptsList:
            """
            \(write.description) The body is an object, or a list of at most \(Change.maximumRows) objects. All rows of \
            a list are created, or none.
            """
        case .insert:
            if let relation = operation.relation {
                "\(write.description) The response shows all \(relation.name)."
            } else {
                write.description.firstSentence + "." == write.description ? nil : write.description
            }
        case .update where write.origin == .derived:
            """
            \(write.description) The body is a JSON merge patch (RFC 7396). \(compared)
            """
        case .update:
            """
            \(write.description) The body is a JSON merge patch (RFC 7396); no member may become `null`. \(compared)
            """
        case .delete: "\(write.description) \(compared)"
        case .upsert:
            "\(write.description) With `If-None-Match: *`, the request fails if the row already exists."
        case .replace:
            """
            \(write.description) With `If-None-Match: *`, the request only creates the row; with `If-Match`, it only \
            replaces it. The response has an `ETag` only if the stored row equals the body.
            """
        }
    }

    // MARK: Bodies

    private func body(of operation: RESTOperation) -> JSONValue? {
        guard let write = operation.write, write.kind != .delete, !operation.isLink else { return nil }
        let schema = JSONValue.schema(inputName(of: write))
        let list: JSONValue = [
            "type": "array", "maxItems": .integer(Int64(Change.maximumRows)), "items": schema,
        ]
        var media = JSONObject(["schema": write.acceptsList ? ["oneOf": [schema, list]] : schema])
        if let example = example(of: write) { media["example"] = example }
        var content = JSONObject()
        if write.kind == .update { content["application/merge-patch+json"] = .object(media) }
        content["application/json"] = .object(media)
        if write.acceptsImports {
            content["application/x-ndjson"] = ["schema": .schema("NDJSON")]
            content["text/csv"] = ["schema": .schema("CSV")]
        }
        return ["required": true, "content": .object(content)]
    }

    // MARK: Problems

    private func derivedProblems(of write: Write) -> [ServiceError.Code] {
        let codes: [ServiceError.Code] =
            write.kind == .delete
            ? [.writeNotPermitted, .rowInUse] : [.writeNotPermitted, .conflict, .referenceMissing, .constraintViolated]
        let hasKey = write.kind == .replace || write.kind == .insert && write.place.relation != nil
        return codes + (hasKey ? [.keyDiffers] : []) + (write.isMany ? [.filterRequired, .tooManyRows] : [])
            + idempotencyProblems
    }

    private func problems(of operation: RESTOperation) -> [ServiceError.Code] {
        var codes: [ServiceError.Code] = [.unknownParameter, .repeatedParameter, .invalidParameter]
        if operation.isList { codes += [.emptyFilter, .invalidCursor] }
        if operation.rows != .list { codes.append(.unknown(operation.resource.singular)) }
        if case .relatedItem(_, let fields) = operation.rows {
            let isShown = operation.write == nil || operation.isLink
            let noun = isShown ? operation.shown.singular : keyedResource(fields, operation.shown)?.singular
            if let noun { codes.append(.unknown(noun)) }
        }
        if let write = operation.write {
            if write.kind != .delete {
                codes += operation.isLink ? [.malformedBody] : [.malformedBody, .validationFailed]
            }
            if write.kind == .insert || write.kind == .upsert { codes.append(.conflict) }
            if write.origin == .derived { codes += derivedProblems(of: write) }
            codes += [.outcomeUnknown, .databaseFull, .databaseReadOnly]
        }
        return codes + [
            .answerTooLarge, .scanTooLarge, .databaseUnavailable, .databaseIOError, .overloaded, .queryTimeout,
            .valueMismatch, .internalError,
        ]
    }
}
