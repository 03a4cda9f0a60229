// A custom scalar, variables with Swift values, and an interface whose objects have different Swift types.
import DuetGraphQL

struct Book: ObjectSource {
    let title: String
    let pages: Int
}

struct Film: ObjectSource {
    let title: String
    let minutes: Minutes
}

// The Swift type of the scalar `Hour`: a resolver returns it, and `decode` reads it.
struct Minutes: RawRepresentable, Codable, ResolvedValueConvertible {
    let rawValue: Int
}

let sdl = """
    scalar Hour
    interface Work { title: String! }
    type Book implements Work { title: String! pages: Int! }
    type Film implements Work { title: String! length: Hour! }
    type Query { works(longerThan: Hour! = "0:00"): [Work!]! }
    """

// Requests and responses contain a text, such as `1:45`. Resolvers use the number of minutes, such as 105.
let hour = ScalarCoercion(
    serialize: { value in
        guard case .int(let minutes) = value else { throw GraphQLError("Hour must be a number of minutes.") }
        return .string("\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)")
    },
    parseValue: { value in
        guard case .string(let text) = value else { throw GraphQLError("Hour is a string.") }
        let numbers = text.split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2, (0..<10_000).contains(numbers[0]), (0..<60).contains(numbers[1]) else {
            throw GraphQLError("Hour has the form 1:45.")
        }
        return Value(numbers[0] * 60 + numbers[1])
    })

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["works"] = .sync { _, context in
        let minimum = try context.arguments.decode("longerThan", as: Minutes.self)
        let works: [any ObjectSource] = [
            Book(title: "Emma", pages: 544), Film(title: "Emma", minutes: Minutes(rawValue: 120)),
            Film(title: "Fargo", minutes: Minutes(rawValue: 98)),
        ]
        return .objects(works.filter { work in (work as? Film).map { $0.minutes.rawValue > minimum.rawValue } ?? true })
    }
}
resolvers.bind(Book.self, to: "Book") { book in
    book["title"] = .property(\.title)
    book["pages"] = .property(\.pages)
}
resolvers.bind(Film.self, to: "Film") { film in
    film["title"] = .property(\.title)
    film["length"] = .property(\.minutes)
}

let schema = try ExecutableSchema(Schema(sdl: sdl, scalars: ["Hour": hour]), resolvers: resolvers)

let minimum = "1:40"
let response = try await schema.execute(
    "query($minimum: Hour!) { works(longerThan: $minimum) { __typename title ... on Film { length } } }",
    variables: ["minimum": Value(minimum)])
print(response.text)
// Prints: {"data":{"works":[{"__typename":"Book","title":"Emma"},{"__typename":"Film","title":"Emma","length":"2:00"}]}}
