package import DuetJSON
package import DuetResourceService

/// Generates the tasks with which `duet compare` and the page at `/` compare the two API styles, for the tables of an
/// API description. The tasks read a row, a row with its relations, a list, a list with a relation, a list with two
/// levels of relations, the results of a search, pages, and aggregates.
///
/// No task writes. The tasks have the format of a task file, which `docs/comparison.md` describes.
package struct CatalogueTasks {
    let catalogue: Catalogue
    let subject: TaskSubject
    let readable: ReadableFields
    /// True if a task can read all rows of the ``root``.
    let hasFewRows: Bool

    var root: Resource { subject.resource }

    /// Creates the tasks for a resource with rows and many relations; see ``TaskSubject``.
    /// - Parameter isSuitable: Returns true for the resources among which one is chosen.
    /// - Returns: nil if no resource has a row with a key.
    /// - Throws: `DatabaseError` if the database cannot be read; the error of the first unreadable resource if no other
    ///   resource has a row.
    package init?(
        _ service: ResourceService, among isSuitable: (Resource) -> Bool = { _ in true }
    ) async throws {
        var readable = ReadableFields(service)
        guard let subject = try await TaskSubject.choose(service, &readable, among: isSuitable) else { return nil }
        let targets = subject.resource.relations.compactMap { service.catalogue[$0.target] }
        for target in targets + targets.flatMap({ $0.relations.compactMap { service.catalogue[$0.target] } }) {
            do {
                try await readable.check(target)
            } catch let error where !ReadableFields.concernsAll(error) {
                // The tasks with this resource fail, and the comparison skips them.
            }
        }
        (catalogue, self.subject, self.readable) = (service.catalogue, subject, readable)
        hasFewRows = try await Self.hasFewRows(subject.resource, service)
    }

    /// The fields that the tasks omit because they cannot be read, with the reasons.
    package var leftOut: [ComparisonFailure] {
        catalogue.resources.flatMap { resource in
            resource.fields.compactMap { field in
                readable.unreadable[resource.name]?[field.name].map {
                    ComparisonFailure(field: "\(resource.name).\(field.name)", reason: $0)
                }
            }
        }
    }

    /// The tasks in the format of a task file.
    package var json: JSONValue {
        var tasks = [one, rows]
        let relations = relations
        if !relations.isEmpty { tasks += [oneWithRelations(relations), rowsWithRelation(relations[0])] }
        let deep = relations.filter { $0.isToMany && $0.listBelow(root, catalogue) != nil }
        if let three = (deep + relations).lazy.compactMap(threeLevels).first { tasks.append(three) }
        if let search { tasks.append(search) }
        tasks.append(pages)
        if let totals { tasks.append(totals) }
        return .array(tasks.map { .object($0) })
    }

    func task(
        _ name: String, _ sentence: String, rest: [String], details: [String]? = nil, sparse: [String],
        graphQL: [String], pick: JSONValue
    ) -> JSONObject {
        func lines(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        var task = JSONObject(["name": .string(name), "sentence": .string(sentence), "rest": lines(rest)])
        if let details { task["rest-details"] = lines(details) }
        task["rest-fields"] = lines(sparse)
        task["graphql"] = lines(graphQL)
        task["pick"] = pick
        return task
    }

    func names(_ fields: [String]) -> JSONValue { .array(fields.map { .string($0) }) }

    func names(_ fields: [String], _ below: [(String, JSONValue)]) -> JSONValue {
        .array(fields.map { .string($0) } + below.map { .object(JSONObject([($0, $1)])) })
    }

    private var one: JSONObject {
        let fields = self.fields(root)
        return task(
            "one", "Show one \(root.singular).", rest: ["GET \(path)"],
            sparse: ["GET \(path)?fields=\(fields.joined(separator: ","))"], graphQL: item(fields), pick: names(fields))
    }

    private func oneWithRelations(_ relations: [Relation]) -> JSONObject {
        let own = fields(root)
        let names = relations.map(\.name).joined(separator: ",")
        let sparse = relations.map { "\($0.name).fields=\(self.fields($0).joined(separator: ","))" }
        let lists = relations.filter(\.isToMany)
        // The row of a to-one relation has no path below the path of the subject, so it is a detail of the subject.
        let others = relations.filter { !$0.isToMany }.map(\.name)
        let first = others.isEmpty ? path : "\(path)?details=\(others.joined(separator: ","))"
        var task = task(
            "one-with-relations", "Show one \(root.singular) with its \(Self.enumeration(relations.map(\.name))).",
            rest: ["GET \(first)"] + lists.map { "GET \(path)/\($0.name)" },
            details: lists.isEmpty ? nil : ["GET \(path)?details=\(names)"],
            sparse: [
                "GET \(path)?fields=\(own.joined(separator: ","))&details=\(names)&\(sparse.joined(separator: "&"))"
            ],
            graphQL: item(own + relations.flatMap { selection($0, fields($0)) }),
            pick: self.names(own, relations.map { ($0.name, self.names(fields($0))) }))
        guard !lists.isEmpty else { return task }
        task["onPage"] = [
            [:],
            [
                "name": "one-with-relations-by-resource", "style": "rest",
                "sentence": "The same task with one REST request for the row and one for each list.",
            ],
        ]
        return task
    }

    /// Returns names as a list in a sentence: "titles, salaries and manager".
    private static func enumeration(_ names: [String]) -> String {
        [names.dropLast().joined(separator: ", "), names[names.count - 1]].filter { !$0.isEmpty }
            .joined(separator: " and ")
    }

    private var rows: JSONObject {
        let fields = self.fields(root)
        return task(
            "list", "List a hundred \(root.name).", rest: ["GET /\(root.name)?first=100"],
            sparse: ["GET /\(root.name)?first=100&fields=\(fields.joined(separator: ","))"],
            graphQL: list("first: 100", fields), pick: names(fields))
    }

    private func rowsWithRelation(_ relation: Relation) -> JSONObject {
        let own = fields(root)
        let below = fields(relation)
        let details = "GET /\(root.name)?first=20&details=\(relation.name)"
        return task(
            "list-with-relation", "List twenty \(root.name), each with its \(relation.name).",
            rest: relation.isToMany && fillsPaths(root)
                ? ["GET /\(root.name)?first=20", "", "GET \(template(root))/\(relation.name)"] : [details],
            details: [details],
            sparse: [
                "GET /\(root.name)?first=20&fields=\(own.joined(separator: ","))&details=\(relation.name)&\(relation.name).fields=\(below.joined(separator: ","))"
            ],
            graphQL: list("first: 20", own + selection(relation, below)),
            pick: names(own, [(relation.name, names(below))]))
    }

    /// Returns a task with three levels: the rows of a list, the related rows of the relation `first`, and the related
    /// rows of a second relation. A to-many relation is preferred as the second relation.
    private func threeLevels(_ first: Relation) -> JSONObject? {
        guard let middle = target(first),
            let second = first.listBelow(root, catalogue)
                ?? middle.relations.first(where: { !$0.isToMany && $0.target != root.name })
        else { return nil }
        let (own, below) = (fields(root), fields(first))
        let deepest = fields(second)
        guard !deepest.isEmpty else { return nil }
        let details = "GET /\(root.name)?first=10&details=\(first.name).\(second.name)"
        let isByResource = first.isToMany && second.isToMany && fillsPaths(root) && fillsPaths(middle)
        return task(
            "three-levels", "List ten \(root.name), each with its \(first.name) and their \(second.name).",
            rest: isByResource
                ? [
                    "GET /\(root.name)?first=10", "", "GET \(template(root))/\(first.name)", "",
                    "GET \(template(middle))/\(second.name)",
                ] : [details],
            details: [details],
            sparse: [
                "GET /\(root.name)?first=10&fields=\(own.joined(separator: ","))&details=\(first.name).\(second.name)&\(first.name).fields=\(below.joined(separator: ","))&\(first.name).\(second.name).fields=\(deepest.joined(separator: ","))"
            ],
            graphQL: list("first: 10", own + selection(first, below + selection(second, deepest))),
            pick: names(own, [(first.name, names(below, [(second.name, names(deepest))]))]))
    }

    /// The task that searches for rows by the first characters of a text field. The subject of the tasks supplies the
    /// characters. Texts that begin with letters are preferred.
    private var search: JSONObject? {
        let prefixes = root.fields.lazy.filter { $0.relation == nil }.compactMap { field -> (Field, String)? in
            guard case .text = field.type, case .string(let text)? = subject.row[field.name] else { return nil }
            return Self.prefix(of: text).map { (field, $0) }
        }
        guard
            let (field, prefix) = prefixes.first(where: { $0.1.allSatisfy(\.isLetter) }) ?? prefixes.first
        else { return nil }
        let fields = self.fields(root)
        let pattern = JSONValue.string("\(prefix)*").compactText
        let query = "\(field.name).like=\(KeySegment.text([prefix]))*&first=20"
        return task(
            "search", "Find twenty \(root.name) whose \(field.name) begins with \"\(prefix)\".",
            rest: ["GET /\(root.name)?\(query)"],
            sparse: ["GET /\(root.name)?\(query)&fields=\(fields.joined(separator: ","))"],
            graphQL: list("first: 20, filter: { \(field.name): { like: \(pattern) } }", fields), pick: names(fields))
    }

    /// Returns the first two characters of a text, or its only character; nil if a character is special in a pattern or
    /// invisible in a sentence.
    private static func prefix(of text: String) -> String? {
        let prefix = text.prefix(2)
        let isPlain = prefix.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .unassigned, .privateUse, .surrogate, .spaceSeparator, .lineSeparator,
                .paragraphSeparator:
                false
            default: !["*", "\\", "\""].contains(scalar)
            }
        }
        // A path segment that consists of dots is encoded differently from a query value. A character with many
        // combining marks makes a pattern too long.
        guard !["", ".", ".."].contains(prefix), isPlain, prefix.unicodeScalars.count <= 16 else { return nil }
        return String(prefix)
    }

    private var pages: JSONObject {
        let fields = self.fields(root)
        var document = list("first: 100, after: $after", fields, "query Pages($after: String) {")
        document.insert(
            contentsOf: ["    pageInfo {", "      hasNextPage", "      endCursor", "    }"], at: document.count - 2)
        var task = task(
            "pages", "Read the first 10,000 \(root.name) in pages of a hundred.",
            rest: ["GET /\(root.name)?first=100"],
            sparse: ["GET /\(root.name)?first=100&fields=\(fields.joined(separator: ","))"], graphQL: document,
            pick: names(fields))
        task["pages"] = 100
        return task
    }
}
