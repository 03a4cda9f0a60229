import DuetEmployees
import DuetJSON
import DuetPages
import DuetResourceService
import DuetServer
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The source files of a page.
struct PageSources: Sendable, CustomTestStringConvertible {
    let name: String
    let page: WebPage
    let html: String
    let style: String
    let main: String
    /// The addresses in the HTML of the page, in order.
    let addresses: [String]

    static let all = [
        PageSources(
            name: "explorer", page: .explorer, html: "index.html", style: "explorer.css", main: "main.js",
            addresses: ["/explorer/explorer.css", "/explorer/main.js", "/", "/?api", "/openapi.yaml"]),
        PageSources(
            name: "comparison", page: .comparison, html: "page.html", style: "page.css", main: "page.js",
            addresses: [
                "/explorer/explorer.css", "/comparison/page.css", "/comparison/page.js", "/graphql", "/?api",
                "/openapi.yaml", "/?api",
            ], data: ["DuetComparisonTasks/tasks.json"]),
    ]

    var testDescription: String { name }

    /// The data that the page loads from outside its folder.
    var data: [String] = []

    /// Returns the contents of all files of the folder and of all data files, by file name.
    func files() throws -> [String: ByteBuffer] {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources").standardizedFileURL
        let folder = sources.appending(path: "DuetPages/Resources/\(name)")
        let paths =
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            + data.map { sources.appending(path: $0) }
        return Dictionary(
            uniqueKeysWithValues: try paths.map { ($0.lastPathComponent, ByteBuffer(bytes: try Data(contentsOf: $0))) })
    }
}

@Suite("Files of the pages") struct WebPageTests {
    private static let browser: HTTPHeaders = [
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    ]

    @Test("The program contains every file of the page's source folder unchanged", arguments: PageSources.all)
    func complete(sources: PageSources) throws {
        var files = try sources.files()
        #expect(files.removeValue(forKey: sources.html) == sources.page.html.body)
        for path in sources.data { files[URL(filePath: path).lastPathComponent] = nil }
        #expect(sources.page.files.mapValues(\.body) == files)
    }

    @Test(
        "A file of a page is served with its media type, an entity tag, the security policy and no-cache",
        arguments: PageSources.all)
    func served(sources: PageSources) async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for (name, body) in try sources.files() where name != sources.html {
                let target = "/\(sources.name)/\(name)"
                let response = try await server.client.get(target)
                #expect(response.status == 200, "\(name)")
                #expect(response.text == String(buffer: body), "\(name)")
                let type =
                    name.hasSuffix(".json")
                    ? "application/json" : "text/\(name.hasSuffix(".css") ? "css" : "javascript"); charset=utf-8"
                #expect(response["Content-Type"] == type)
                #expect(response["Cache-Control"] == "no-cache")
                #expect(response["X-Content-Type-Options"] == "nosniff")
                #expect(
                    response["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
                let tag = try #require(response["ETag"])
                #expect(tag.hasPrefix("\""))
                #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
            }
        }
    }

    @Test("GET /graphql returns the explorer page only to a browser that sends no query")
    func explorer() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            try await Self.expectPage(.explorer, at: "/graphql", server)
            let query = try await server.client.get("/graphql?query=%7B__typename%7D", Self.browser)
            #expect(query["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(try query.json() == ["data": ["__typename": "Query"]])
            let curl = try await server.client.get("/graphql", ["Accept": "*/*"])
            #expect(curl.status == 400)
            #expect(curl["Content-Type"]?.hasPrefix("application/json") == true)
        }
    }

    @Test("GET / returns the comparison page to a browser, and the routes page to other clients or for ?api")
    func comparison() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            try await Self.expectPage(.comparison, at: "/", server)
            let routes = try await server.client.get("/", ["Accept": "*/*"])
            #expect(routes.text.contains("<title>Duet: routes</title>"))
            #expect(routes["Vary"] == "Accept, Accept-Encoding")
            for target in ["/?api", "/?api="] {
                #expect(try await server.client.get(target, Self.browser).text == routes.text)
            }
            #expect(try await server.client.get("/?other", Self.browser).code == "unknown-parameter")
            #expect(try await server.client.get("/", ["Accept": "text/plain"]).status == 406)
        }
    }

    private static func expectPage(_ expected: WebPage, at target: String, _ server: TestServer) async throws {
        let page = try await server.client.get(target, browser)
        #expect(page.status == 200)
        #expect(page["Content-Type"] == "text/html; charset=utf-8")
        #expect(page["Content-Security-Policy"]?.hasSuffix("frame-ancestors 'none'") == true)
        #expect(page["Vary"] == "Accept, Accept-Encoding")
        #expect(page.text == String(buffer: expected.html.body))
        let tag = try #require(page["ETag"])
        #expect(
            try await server.client.get(target, ["Accept": "text/html", "If-None-Match": tag]).status == 304)
    }

    @Test(
        "A path with an unknown file name in the folder of a page is a 404",
        arguments: ["index.html", "none.js", "..%2Fopenapi.yaml", "%00"])
    func unknown(name: String) async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for sources in PageSources.all {
                let response = try await server.client.get("/\(sources.name)/\(name)")
                #expect(response.status == 404)
                #expect(response.code == "unknown-path")
            }
        }
    }

    @Test("JavaScript modules import only modules of the pages, and each page uses all modules in its folder")
    func imports() throws {
        var files: [String: String] = [:]
        for sources in PageSources.all {
            for (name, body) in try sources.files() { files["\(sources.name)/\(name)"] = String(buffer: body) }
        }
        for sources in PageSources.all {
            var waiting = ["\(sources.name)/\(sources.main)"]
            var reached = Set(waiting)
            while let path = waiting.popLast() {
                let source = try #require(files[path], "\(path)")
                for match in source.matches(of: /(?m)^(?:import|export) [^;]*?from\ '([^']*)';$/) {
                    let imported = String(match.1)
                    #expect(imported.hasPrefix("./") || imported.hasPrefix("../explorer/"), "\(path)")
                    let folder = path.prefix { $0 != "/" }
                    let file =
                        imported.hasPrefix("./") ? "\(folder)/\(imported.dropFirst(2))" : String(imported.dropFirst(3))
                    if reached.insert(file).inserted { waiting.append(file) }
                }
            }
            let own = files.keys.filter { $0.hasPrefix("\(sources.name)/") && $0.hasSuffix(".js") }
            #expect(Set(own).subtracting(reached) == [])
            let html = try #require(files["\(sources.name)/\(sources.html)"])
            let addresses = html.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
            #expect(addresses.filter { !$0.hasPrefix("data:") && !$0.hasPrefix("#") } == sources.addresses)
        }
    }
}
