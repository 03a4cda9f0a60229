import DuetClient
import DuetClientValidation
import DuetJSON
import Testing

@Suite("Validation of values below the objects of a model")
struct PathValidationTests {
    private static let schema = """
        type Query { orders(first: Int): Orders, all: Orders!, parts: [Orders!]! }
        type Orders { count: Int!, total: Total!, best: Total }
        type Total { sum: String, count: Int! }
        """

    private struct Data: DataDecodable {
        let numbers: [Int?]
        let texts: [String?]
        let any: JSONValue

        init(from decoder: DynamicDecoder) throws(ModelError) {
            let (count, sum): (Int, String?) = (
                try decoder.value(at: "all", "count"), try decoder.value(at: "orders", "total", "sum")
            )
            let best: Int = try decoder.value(at: "all", "best", "count")
            let nullable: Int = try decoder.value(at: "orders", "count", alias: "first", arguments: ["first": 1])
            let list: Int? = try decoder.value(at: "parts", "count")
            let unknown: String? = try decoder.value(at: "orders", "totals", "sum")
            any = try decoder.value(at: "orders", "best", "count")
            numbers = [count, best, nullable, list]
            texts = [sum, unknown]
        }
    }

    private struct DataQuery: GraphQLQuery {
        typealias Data = PathValidationTests.Data
    }

    @Test("An object on the path that can be null, a list and an unknown field are reported with the property")
    func errors() throws {
        let errors = try DocumentValidator(schema: Self.schema).errors(in: DataQuery.self)
        let found = errors.map { "\($0.property ?? "-"): \($0.message)" }.sorted()
        #expect(
            found == [
                "best: The field can be null, because its type is Total. Read Int? instead of Int.",
                "first: The field can be null, because its type is Orders. Read Int? instead of Int.",
                "parts: The field is a list of the type [Orders!]!. Read its elements as models.",
                #"totals: Cannot query field "totals" on type "Orders". Did you mean "total"?"#,
            ])
        #expect(errors.allSatisfy { $0.model == "Data" && $0.place?.fileID == #fileID })
    }
}
