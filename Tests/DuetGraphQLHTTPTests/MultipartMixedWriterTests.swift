import DuetGraphQL
import DuetGraphQLHTTP
import NIOCore
import Testing

@Suite("Multipart responses")
struct MultipartMixedWriterTests {
    @Test("Each part ends with a delimiter, so that a client can read the part before the next part exists")
    func parts() {
        var writer = MultipartMixedWriter()
        #expect(
            String(buffer: writer.part(ByteBuffer(string: #"{"data":{},"hasNext":true}"#), isLast: false))
                == "\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{\"data\":{},\"hasNext\":true}\r\n---\r\n"
        )
        #expect(
            String(buffer: writer.part(ByteBuffer(string: #"{"incremental":[],"hasNext":true}"#), isLast: false))
                == "Content-Type: application/json; charset=utf-8\r\n\r\n{\"incremental\":[],\"hasNext\":true}\r\n---\r\n"
        )
        #expect(
            String(buffer: writer.part(ByteBuffer(string: #"{"hasNext":false}"#), isLast: true))
                == "Content-Type: application/json; charset=utf-8\r\n\r\n{\"hasNext\":false}\r\n-----\r\n")
    }

    @Test("A response without deferred parts is a single part")
    func single() {
        var writer = MultipartMixedWriter()
        #expect(
            String(buffer: writer.part(ByteBuffer(string: #"{"data":{}}"#), isLast: true))
                == "\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{\"data\":{}}\r\n-----\r\n")
    }

    @Test("Only the last part of an incremental response is recognized as the last part")
    func engine() async throws {
        var resolvers = SchemaResolvers()
        resolvers["Query", "a"] = .sync { _, _ in .object(1) }
        resolvers["Query", "text"] = .sync { _, _ in .string(#""hasNext":false}"#) }
        let sdl = """
            type Query { a: Query text: String }
            directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
            """
        let schema = try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
        let operation = try PreparedOperation(
            unvalidated:
                Parser.parse("{ text a { ... @defer { text } ... @defer { a { ... @defer { text } } } } }"),
            schema: schema)
        guard case .incremental(let first, let next) = try await operation.executeIncrementally() else {
            Issue.record("the response is not incremental")
            return
        }
        #expect(!MultipartMixedWriter.isLast(first.body))
        var isLast: [Bool] = []
        for try await part in next { isLast.append(MultipartMixedWriter.isLast(part.body)) }
        #expect(isLast.last == true)
        #expect(isLast.count { $0 } == 1)
        #expect(!MultipartMixedWriter.isLast(ByteBuffer(string: "{}")))
    }
}
