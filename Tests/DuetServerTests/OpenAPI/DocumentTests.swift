import DuetEmployees
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetServer
import Foundation
import HTTPTypes
import NIOHTTP1
import TestSupport
import Testing
import Yams

@Suite("GraphQL schema, OpenAPI document and problem types") struct DocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "openapi")
    /// `openapi/openapi.yaml` of the checkout.
    private static let file = folder.appending(path: "openapi.yaml")

    @Test("The served GraphQL schema equals the file openapi/schema.graphql")
    func schema() async throws {
        let file = try String(contentsOf: Self.folder.appending(path: "schema.graphql"), encoding: .utf8)
        try await withServer(.sqlite) { server in
            let served = try await server.client.get("/schema.graphql").text
            #expect(served == file, "make contracts prints the file anew")
        }
    }

    @Test("The served OpenAPI document equals the file openapi/openapi.yaml, and the JSON form has the same content")
    func served() async throws {
        try await withServer(.sqlite) { server in
            let yaml = try await server.client.get("/openapi.yaml")
            #expect(yaml["Content-Type"] == "application/yaml")
            let file = try String(contentsOf: Self.file, encoding: .utf8)
            #expect(yaml.text == file, "make contracts prints the file anew")
            let json = try await server.client.get("/openapi.json")
            #expect(json["Content-Type"] == "application/json")
            #expect(Self.isSame(try json.json(), try Yams.load(yaml: yaml.text)))
        }
    }

    @Test("The OpenAPI document is the same with and without gzip, and each form has a current entity tag")
    func compressed() async throws {
        try await withServer(.sqlite) { server in
            for path in ["/openapi.yaml", "/openapi.json"] {
                let plain = try await server.client.get(path)
                let gzip = try await server.client.get(path, ["Accept-Encoding": "gzip"])
                #expect(plain["Content-Encoding"] == nil && gzip["Content-Encoding"] == "gzip")
                #expect(try Gunzip.decode(gzip.body) == plain.body)
                for (response, coding) in [(plain, "identity"), (gzip, "gzip")] {
                    let tag = try #require(response["ETag"])
                    let headers: HTTPHeaders = ["Accept-Encoding": coding, "If-None-Match": tag]
                    let current = try await server.client.get(path, headers)
                    #expect(current.status == 304 && current["ETag"] == tag)
                    #expect(current["Vary"] == response["Vary"] && current["Cache-Control"] == "max-age=300, public")
                }
                let failed = try await server.client.get(path, ["If-Match": #""other""#])
                #expect(failed.status == 412)
            }
        }
    }

    @Test("Texts of any form are the same in the YAML document and in the JSON document")
    func texts() throws {
        let starts = [
            "", "a", "true", "1", "200", "#", "/", "$", "-", "?", ":", "'", "\"", "[", "{", "!", "%", "@", "`", " ",
            "é", "~", "=", "\n",
        ]
        let ends = [
            "", "x", ": x", " #x", "#", ",x", " ", "  x", "'", "\"", "{x}", "[x]", "\\", "é", ":", "\n", "\n\nx", "\t",
        ]
        var texts = starts.flatMap { start in ends.map { start + $0 } }
        for length in 80...130 { texts.append((0..<length).map { $0 % 7 == 6 ? " " : "w" }.joined() + "w") }
        let fields = texts.enumerated().map { index, text in
            Field("text\(index)", .text(), column: "text\(index)", description: text)
        }
        let resource = Resource(
            "texts", singular: "text", type: "Text", table: "texts", description: "Texts", fields: fields,
            key: ["text0"])
        let catalogue = try Catalogue([resource], description: "Texts")
        let document = OpenAPIDocument(
            RouteTable(catalogue, settings: ServerSettings()), dates: try ValueEncoding.published.dates)
        let yaml = try Yams.load(yaml: String(buffer: document.text(.yaml)))
        #expect(Self.isSame(try JSONValue(parsing: document.text(.json).readableBytesView), yaml))
    }

    @Test("The routes and the OpenAPI document describe the same operations")
    func operations() throws {
        let routes = Set(try RouteTable.employees.operations.map { "\($0.method) \($0.path)" })
        #expect(try routes == Self.describedOperations())
        // The document does not list HEAD and OPTIONS for each path. Its description states where they are valid.
        guard case .string(let text)? = try JSONValue(parsing: Self.json())["info"]?["description"] else {
            Issue.record("no description")
            return
        }
        #expect(text.contains("`HEAD` is valid wherever `GET` is") && text.contains("`OPTIONS` is valid on every path"))
    }

    @Test("Every reference in the OpenAPI document resolves to a component, and every operation identifier is unique")
    func references() throws {
        let document = try JSONValue(parsing: Self.json())
        var names: Set<JSONValue> = []
        var count = 0
        func visit(_ value: JSONValue) {
            switch value {
            case .array(let elements): for element in elements { visit(element) }
            case .object(let object):
                if case .string(let reference)? = object["$ref"] {
                    let target = reference.split(separator: "/").dropFirst().reduce(Optional(document)) {
                        $0?[String($1)]
                    }
                    #expect(target != nil, "\(reference)")
                }
                if let name = object["operationId"] {
                    names.insert(name)
                    count += 1
                }
                for member in object.members { visit(member.value) }
            default: break
            }
        }
        visit(document)
        #expect(names.count == count && count > 30)
    }

    @Test(
        "The server accepts every query parameter of the OpenAPI document",
        arguments: ["/employees", "/departments/d005/employees", "/titles"])
    func takenParameters(path: String) async throws {
        let document = try JSONValue(parsing: Self.json())
        try await withServer(.sqlite) { server in
            let described = path.replacing("d005", with: "{departmentNumber}")
            let key = path == "/titles" ? "title" : "gender"
            for parameter in Self.parameters(of: described, method: "get", in: document) {
                guard parameter["in"] == "query", case .string(let name)? = parameter["name"], name != "api" else {
                    continue
                }
                // A read that waits has no representation if nothing changes.
                guard !["wait", "since"].contains(name) else { continue }
                // A cursor is valid only for its own list.
                guard !name.hasSuffix("after") else { continue }
                let value = try #require(Self.example(of: parameter, in: document))
                let relation = name.split(separator: ".").first.map(String.init) ?? ""
                let details =
                    ["titles", "salaries", "departments", "manager"].contains(relation) ? "details=\(relation)&" : ""
                // A condition on groups and a time zone need groups.
                let groups = ["having", "timeZone"].contains(name) ? "group=\(key)&aggregate=count&" : ""
                let response = try await server.client.get("\(path)?\(details)\(groups)\(name)=\(value)")
                #expect(response.status == 200, "\(name)=\(value)")
            }
        }
    }

    @Test(
        "The error about an unknown parameter lists the parameters that the OpenAPI document has for the route"
    )
    func parameters() async throws {
        let document = try JSONValue(parsing: Self.json())
        try await withServer(.sqlite) { server in
            // GraphQL over HTTP ignores unknown parameters.
            for operation in try Self.describedOperations()
            where operation.hasPrefix("GET ") && operation != "GET /graphql" {
                let path = String(operation.dropFirst(4))
                // Names with a dot are operators, or parameters of a relation.
                let described = Set(
                    Self.queryParameters(of: path, method: "get", in: document).filter { !$0.contains(".") })
                let filled = path.replacing("{employeeNumber}", with: "20001").replacing(
                    "{departmentNumber}", with: "d005"
                )
                .replacing("{code}", with: "conflict").replacing("/explorer/{version}", with: PageFiles.all.path)
                .replacing("{folder}", with: "explorer").replacing("{name}", with: "main.js")
                let refused = try await server.client.get(filled + "?no-such-parameter=1")
                #expect(refused.status == 400, "\(path)")
                let taken = Set(refused.strings("allowed") ?? [])
                // The parameters of a read that waits are valid wherever a representation can change.
                #expect(
                    taken.union(["api"]) == described.union(["api"]).subtracting(["wait", "since"]), "\(path)")
            }
        }
    }

    @Test(
        "A route that lists the parameter api accepts it only alone and without a value, as the OpenAPI document states"
    )
    func api() async throws {
        let document = try JSONValue(parsing: Self.json())
        let parameter = document["components"]?["parameters"]?["API"]
        guard case .string(let description)? = parameter?["description"] else {
            Issue.record("api is not described")
            return
        }
        #expect(description.contains("the only parameter") && description.contains("unknown-parameter"))
        try await withServer(.sqlite) { server in
            var paths: Set<String> = []
            for operation in try Self.describedOperations() where operation.hasPrefix("GET ") {
                let path = String(operation.dropFirst(4))
                guard Self.queryParameters(of: path, method: "get", in: document).contains("api") else { continue }
                paths.insert(path)
                #expect(try await server.client.get(path + "?api", ["Accept": "text/html"]).status == 200, "\(path)")
                for query in ["?api&first=1", "?first=1&api", "?api&api", "?api=1", "?api=true"] {
                    let refused = try await server.client.get(path + query, ["Accept": "text/html, */*;q=0.8"])
                    #expect(refused.status == 400 && refused.code == "unknown-parameter", "\(path)\(query)")
                }
            }
            #expect(paths == ["/", "/employees", "/departments", "/titles", "/salaries"])
        }
    }

    @Test("A number is a valid date only if it is the first moment of a day, as the OpenAPI document states")
    func dates() async throws {
        let document = try JSONValue(parsing: Self.json())
        let schemas = document["components"]?["schemas"]
        guard case .string(let description)? = document["info"]?["description"],
            case .string(let input)? = schemas?["NewEmployee"]?["properties"]?["hireDate"]?["description"]
        else {
            Issue.record("dates are not described")
            return
        }
        #expect(description.contains("first moment") && description.contains("`validation-failed`"))
        #expect(input.contains("The number that represents it in responses is also valid."))
        #expect(schemas?["Employee"]?["properties"]?["hireDate"]?["format"] == "int64")
        try await withServer(.sqlite) { server in
            for (number, status) in [("817794000000", 200), ("817794000001", 422), ("817797600000", 422)] {
                let body = "{\"hireDate\":\(number)}"
                let response = try await server.client.send(.PATCH, "/employees/20001", json: body)
                #expect(response.status == status, "\(number)")
                if status == 422 { #expect(response.code == "validation-failed") }
            }
        }
    }

    @Test("Every problem type is in the OpenAPI document and has a URL")
    func problems() async throws {
        let document = try JSONValue(parsing: Self.json())
        guard case .array(let codes) = document["components"]?["schemas"]?["ProblemCode"]?["enum"] else {
            Issue.record("the document has no list of problem codes")
            return
        }
        let types = ServiceError.Code.all(of: try Catalogue.employees.get())
        #expect(Set(codes) == Set(types.map { .string($0.rawValue) }))
        // The API has no roles, so it needs no claims.
        #expect(Set(types).isSuperset(of: Set(ServiceError.Code.known).subtracting(ServiceError.Code.access)))
        #expect(Set(types).isDisjoint(with: ServiceError.Code.access))
        try await withServer(.sqlite) { server in
            let listed = try await server.client.get("/problems").array()
            #expect(listed.count == types.count)
            for (type, listed) in zip(types, listed) {
                let response = try await server.client.get("/problems/\(type.rawValue)")
                #expect(response.status == 200)
                #expect(try response.json() == listed)
                #expect(response.string("type") == "/problems/\(type.rawValue)")
                #expect(response.string("title")?.isEmpty == false)
                #expect(response.string("description")?.isEmpty == false)
                #expect(try response.json()["status"] == .integer(Int64(type.status)))
            }
            let unknown = try await server.client.get("/problems/none")
            #expect(unknown.status == 404 && unknown.code == "unknown-problem")
        }
    }

    @Test("Every problem document has the same first five members and a requestID")
    func shape() async throws {
        try await withServer(.sqlite) { server in
            let response = try await server.client.get("/employees?colour=red", ["X-Request-ID": "r-1"])
            #expect(
                response.text
                    == #"{"type":"/problems/unknown-parameter","title":"Unknown parameter","status":400,"#
                    + #""detail":"there is no parameter colour here; valid parameters are fields, details, first, "#
                    + #"after, sort, count, filter, group, aggregate, having, timeZone, name, hiredAfter, "#
                    + #"hiredBefore, department, employeeNumber, firstName, lastName, birthDate, "#
                    + #"gender, hireDate; a field may have an operator, as in employeeNumber.ne","#
                    + #""code":"unknown-parameter","parameter":"colour","allowed":["fields","details","first","after","#
                    + #""sort","count","filter","group","aggregate","having","timeZone","name","hiredAfter","#
                    + #""hiredBefore","department","employeeNumber","firstName","lastName","birthDate","#
                    + #""gender","hireDate"],"requestID":"r-1"}"#)
            for target in ["/nothing", "/employees/0", "/employees/1", "/departments/none", "/employees?after=x"] {
                let problem = try await server.client.get(target)
                #expect(problem["Content-Type"] == "application/problem+json")
                guard case .object(let object) = try problem.json() else { continue }
                #expect(
                    object.members.prefix(5).map(\.key) == ["type", "title", "status", "detail", "code"], "\(target)")
                #expect(object["status"] == .integer(Int64(problem.status)))
                #expect(object["requestID"] == problem["X-Request-ID"].map { .string($0) })
            }
        }
    }

    @Test("The page at / lists every route, and a collection with ?api returns the same page to a browser")
    func page() async throws {
        try await withServer(.sqlite) { server in
            let page = try await server.client.get("/")
            #expect(page.status == 200)
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(page["ETag"] != nil)
            let scheme = server.client.transport.scheme
            #expect(page.text.contains("curl '\(scheme)://127.0.0.1:\(server.client.port)/employees/10004?"))
            let strange = try await server.client.get("/", ["Host": "a'b"])
            #expect(strange.text.contains("curl '\(scheme)://127.0.0.1:8080/employees/10004?"))
            for (method, path) in try RouteTable.employees.operations {
                #expect(
                    page.text.contains("<td class=\"method\">\(method)</td><td><code>\(path)</code></td>"),
                    "\(method) \(path)")
            }
            for target in [
                "/?api", "/employees?api", "/employees?api=", "/departments?api", "/titles?api", "/salaries?api",
            ] {
                let browser = try await server.client.get(
                    target, ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"])
                #expect(browser.text == page.text, "\(target)")
            }
            #expect(try await server.client.get("/employees?api&first=1").code == "unknown-parameter")
            #expect(try await server.client.get("/employees/20001?api").code == "unknown-parameter")
        }
    }

    // MARK: The document

    private static func json() throws -> [UInt8] {
        let yaml = try Yams.load(yaml: String(contentsOf: file, encoding: .utf8))
        return Array(try JSONSerialization.data(withJSONObject: try #require(yaml)))
    }

    private static func describedOperations() throws -> Set<String> {
        guard case .object(let paths) = try JSONValue(parsing: json())["paths"] else { return [] }
        let methods: Set = ["get", "head", "post", "put", "patch", "delete", "options", "trace"]
        return Set(
            paths.members.flatMap { path -> [String] in
                guard case .object(let item) = path.value else { return [] }
                return item.members.map(\.key).filter(methods.contains).map { "\($0.uppercased()) \(path.key)" }
            })
    }

    private static func queryParameters(of path: String, method: String, in document: JSONValue) -> [String] {
        parameters(of: path, method: method, in: document).compactMap { parameter in
            guard parameter["in"] == "query", case .string(let name)? = parameter["name"] else { return nil }
            return name
        }
    }

    private static func parameters(of path: String, method: String, in document: JSONValue) -> [JSONValue] {
        let item = document["paths"]?[path]
        return [item?["parameters"], item?[method]?["parameters"]].flatMap { list -> [JSONValue] in
            guard case .array(let parameters) = list else { return [] }
            return parameters.compactMap { resolved($0, in: document) }
        }
    }

    /// Returns the target of a reference, or the value itself if it is not a reference.
    private static func resolved(_ value: JSONValue, in document: JSONValue) -> JSONValue? {
        guard case .string(let reference)? = value["$ref"] else { return value }
        return reference.split(separator: "/").dropFirst().reduce(Optional(document)) { $0?[String($1)] }
    }

    /// Returns a value for a query parameter, from its example or its schema.
    private static func example(of parameter: JSONValue, in document: JSONValue) -> String? {
        var schema = parameter["schema"]
        if let example = parameter["example"] {
            let first: JSONValue? = if case .array(let elements) = example { elements.first } else { example }
            switch first {
            case .string(let text): return text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            case .integer(let number): return String(number)
            default: return nil
            }
        }
        schema = schema?["items"] ?? schema
        schema = schema.flatMap { resolved($0, in: document) }
        if case .array(let values)? = schema?["enum"], case .string(let text)? = values.first { return text }
        if case .string(let pattern)? = schema?["pattern"], let match = pattern.firstMatch(of: /\((\w+)/) {
            return String(match.1)
        }
        if case .string(let name)? = parameter["name"] {
            if name.hasSuffix("filter") { return "%7B%7D" }
            if name.hasSuffix(".aggregate") { return "count" }
        }
        switch (schema?["type"], schema?["format"]) {
        case (.string("boolean"), _): return "true"
        case (.string("integer"), _): return "1"
        case (_, .string("date")): return "2000-01-01"
        default: return "d005"
        }
    }

    /// Returns true if a JSON value equals the value that another library's YAML reader returns.
    private static func isSame(_ json: JSONValue, _ yaml: Any?) -> Bool {
        switch json {
        case .null: return yaml == nil || yaml is NSNull
        case .bool(let bool): return yaml as? Bool == bool
        case .integer(let integer): return yaml as? Int == Int(integer)
        case .double(let double): return yaml as? Double == double
        case .string(let text): return yaml as? String == text
        case .array(let elements):
            guard let others = yaml as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy { isSame($0, $1) }
        case .object(let object):
            guard let others = yaml as? [String: Any], others.count == object.members.count else { return false }
            return object.members.allSatisfy { isSame($0.value, others[$0.key]) }
        }
    }
}
