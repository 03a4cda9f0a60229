import DuetGraphQL
import DuetJSON

/// The function that libFuzzer calls with each input. The fuzzer reports traps, memory errors, excessive time or
/// memory, and violated invariants.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Promises.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// The invariants for every input.
private enum Promises {
    /// Limits that no printed document exceeds. A printed document can be longer than the input, because it has more
    /// indentation, but it remains within these limits.
    static let wide = ParserLimits(sourceBytes: 64 << 20, tokens: 1_000_000)

    static func check(_ bytes: [UInt8]) {
        let source = Source(bytes)
        let stripped = try? source.strippingIgnoredCharacters()
        do throws(GraphQLError) {
            let document = try Parser.parse(source)
            checkPrinting(document, stripped: stripped)
            let isExecutable = document.definitions.contains(where: \.isExecutable)
            if isExecutable { checkExecution(of: document) }
            if document.definitions.contains(where: { !$0.isExecutable }) { checkSchema(document) }
        } catch {
            precondition(!error.locations.isEmpty, "a syntax error has a location")
        }
        if let value = try? Parser.parseValue(source) {
            let printed = Printer.print(value)
            precondition((try? Parser.parseValue(Source(printed), limits: wide)).map { Printer.print($0) } == printed)
            _ = value.untypedValue()
        }
        _ = try? Parser.parseType(source)
    }

    private static func checkPrinting(_ document: Document, stripped: String?) {
        let printed = Printer.print(document)
        precondition(self.printed(of: printed) == printed, "a printed document is parsed to an equal document")
        guard let stripped else { preconditionFailure("a document that can be parsed has tokens") }
        precondition(self.printed(of: stripped) == printed, "ignored characters do not affect the document")
    }

    private static func printed(of text: String) -> String? {
        (try? Parser.parse(text, limits: wide)).map { Printer.print($0) }
    }

    private static func checkExecution(of document: Document) {
        let errors = Validation.validate(document, against: Service.schema.schema)
        // If there are more errors than the limit, the last error has no location. It only reports that there are more
        // errors.
        for error in errors.prefix(100) { precondition(!error.message.isEmpty && !error.locations.isEmpty) }
        guard errors.isEmpty else { return }
        for operation in document.operations.prefix(4) {
            guard
                let prepared = try? PreparedOperation(
                    unvalidated:
                        document, operationName: operation.name?.value, schema: Service.schema)
            else { continue }
            for variables in Service.variables {
                let response = prepared.executeSynchronously(variables: variables, rootValue: 0)
                let json = try? JSONValue(parsing: response.text.utf8, maximumDepth: 2_000)
                precondition(json != nil, "a response is JSON")
            }
        }
    }

    private static func checkSchema(_ document: Document) {
        if let unchecked = try? Schema(unchecked: document) { _ = unchecked.validate() }
        _ = try? Service.schema.schema.extended(with: document)
        guard let schema = try? Schema(document: document) else { return }
        let printed = schema.print()
        do throws(GraphQLErrors) {
            let again = try Schema(sdl: printed).print()
            precondition(again == printed, "a printed schema is parsed to an equal schema")
        } catch {
            preconditionFailure("a valid schema is not valid after printing: \(error)\n\(printed)")
        }
    }
}

/// The service that executes the documents.
private enum Service {
    static let variables: [ObjectValue] = [
        [:],
        [
            "id": "7", "flag": true, "count": 2, "text": "text", "kinds": ["NEW", nil],
            "range": ["from": 1, "to": 3, "inner": ["to": 4]], "by": ["name": "x"], "all": [[["from": 2, "to": nil]]],
        ],
    ]

    static let schema: ExecutableSchema<Void> = {
        var resolvers = SchemaResolvers()
        resolvers.defaultResolver = .sync { source, context in
            value(of: context.field.field.type, depth: (source as? Int ?? 0) + 1)
        }
        resolvers.subscription { subscription in
            for field in ["written", "ticks"] { subscription[field] = .events { _, _ in AsyncStream<Int> { nil } } }
        }
        resolvers.resolveType(of: "Node") { source, _ in (source as? Int ?? 0) % 2 == 0 ? "Book" : "Author" }
        resolvers.resolveType(of: "Named") { _, _ in "Author" }
        resolvers.resolveType(of: "Found") { source, _ in ["Book", "Author", "Shop"][(source as? Int ?? 0) % 3] }
        do {
            return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func value(of type: GraphQLType, depth: Int) -> ResolvedValue {
        switch type {
        case .nonNull(let type): value(of: type, depth: depth)
        case .list(let type): .list([value(of: type, depth: depth)])
        case .named(let name):
            switch name.name {
            case "Int": .int(depth)
            case "Float": .double(Double(depth) / 4)
            case "String", "ID": .string("\"\(depth)\"\n")
            case "Boolean": depth % 2 == 0 ? .null : .bool(true)
            case "Kind": .string(depth % 3 == 0 ? "NEW" : "OLD")
            case "Any": .value(["depth": .int(Int64(depth))])
            default: depth % 5 == 4 ? .null : .object(depth)
            }
        }
    }

    private static let sdl = """
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
        directive @cost(of: Int = 1, to: [Range!] = [{to: 2}]) repeatable on
          | QUERY | MUTATION | SUBSCRIPTION | FIELD | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT | VARIABLE_DEFINITION
        scalar Any
        enum Kind { NEW OLD @deprecated }
        input Range { from: Int = 0 to: Int inner: Range kinds: [Kind!] = [NEW] any: Any }
        input By @oneOf { id: ID name: String range: Range all: [[Kind]] }
        interface Node { id: ID! next: Node }
        interface Named implements Node { id: ID! next: Node name(long: Boolean! = false): String! }
        type Book implements Node { id: ID! next: Author title: String pages(in: Range): [Int!] authors(first: Int = 2): [Author!]! }
        type Author implements Node & Named {
          id: ID! next: Book name(long: Boolean! = false): String! books(by: By, kinds: [Kind]): [[Book]] price: Float any(any: Any): Any
        }
        type Shop { name: String open: Boolean kind: Kind found(by: By!): Found }
        union Found = Book | Author | Shop
        type Query {
          node(id: ID!): Node named: [Named!] found(text: String!, by: By, all: [[[Range]]]): [Found!]! shop: Shop book: Book
          int(i: Int): Int float(f: Float): Float string(s: String): String boolean(b: Boolean): Boolean kind(k: Kind = OLD): Kind any(any: Any): Any
        }
        type Mutation { write(range: Range!, by: By): Book! close: Shop }
        type Subscription { written(by: By): Book ticks: Int }
        """
}
