import DuetEmployees
import DuetJSON
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
    /// The folder of the files in `Sources`.
    let folder: String
    let page: WebPage
    let html: String
    let style: String
    let main: String
    /// The addresses in the HTML of the page, in order.
    let addresses: [String]

    static let all = [
        PageSources(
            name: "explorer", folder: "DuetServer/Pages/Explorer", page: .explorer, html: "index.html",
            style: "explorer.css", main: "main.js",
            addresses: ["{files}/explorer/explorer.css", "{files}/explorer/main.js", "/", "/?api", "/openapi.yaml"]),
        PageSources(
            name: "comparison", folder: "DuetComparison/Page", page: .comparison, html: "page.html", style: "page.css",
            main: "page.js",
            addresses: [
                "{files}/explorer/explorer.css", "{files}/comparison/page.css", "{files}/comparison/page.js",
                "/graphql",
                "/?api", "/openapi.yaml", "/?api",
            ]),
    ]

    var testDescription: String { name }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources").standardizedFileURL

    /// Returns the content of a source file.
    static func source(_ path: String) throws -> ByteBuffer {
        ByteBuffer(bytes: try Data(contentsOf: sources.appending(path: path)))
    }

    /// Returns the contents of all files of the folder, by file name.
    func files() throws -> [String: ByteBuffer] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources.appending(path: folder).path)
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Self.source("\(folder)/\($0)")) })
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
        #expect(sources.page.files.mapValues(\.body) == files)
    }

    @Test(
        "A file is served below the version of all files, with its media type and the security policy, and is immutable",
        arguments: PageSources.all)
    func served(sources: PageSources) async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for (name, body) in try sources.files() where name != sources.html {
                let target = "\(PageFiles.all.path)/\(sources.name)/\(name)"
                let response = try await server.client.get(target)
                #expect(response.status == 200, "\(name)")
                #expect(response.text == String(buffer: body), "\(name)")
                #expect(
                    response["Content-Type"] == "text/\(name.hasSuffix(".css") ? "css" : "javascript"); charset=utf-8")
                #expect(response["Cache-Control"] == "public, max-age=31536000, immutable")
                try await Self.expectFile(response, at: target, server)
            }
        }
    }

    @Test("The tasks and the keys of the resources are served with an entity tag and the security policy, and no-cache")
    func data() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for name in ["tasks", "keys"] {
                let target = "/comparison/\(name).json"
                let response = try await server.client.get(target)
                #expect(response["Content-Type"] == "application/json")
                #expect(response["Cache-Control"] == "no-cache")
                if name == "tasks" {
                    #expect(response.text == String(buffer: try PageSources.source("DuetComparison/Tasks/tasks.json")))
                }
                try await Self.expectFile(response, at: target, server)
            }
        }
    }

    private static func expectFile(_ response: TestResponse, at target: String, _ server: TestServer) async throws {
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
        #expect(response["Vary"] == "Accept-Encoding")
        let tag = try #require(response["ETag"])
        #expect(tag.hasPrefix("\""))
        #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
    }

    @Test("Each page and the routes page refer to the version of the files, and must be revalidated")
    func versions() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for target in ["/", "/graphql", "/?api"] {
                let page = try await server.client.get(target, Self.browser)
                #expect(page["Cache-Control"]?.contains("no-cache") == true)
                let files = page.text.matches(of: /(?:src|href)="(\/explorer\/[^"]*)"/).map { String($0.1) }
                #expect(!files.isEmpty)
                for file in files { #expect(try await server.client.get(file).status == 200, "\(file)") }
            }
        }
    }

    /// A browser that has the page of another version, for example during an upgrade, must not mix modules of two
    /// versions. It must not store the error, because the next response can come from a server with its version.
    @Test("A file of another version is a 404 that caches must not store, and so is a file without a version")
    func otherVersion() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for target in ["/explorer/0/explorer/main.js", "/explorer/main.js", "/comparison/page.js"] {
                let response = try await server.client.get(target)
                #expect(response.status == 404)
                #expect(response.code == "unknown-path")
                #expect(response["Cache-Control"] == "no-store")
            }
            #expect(
                try await server.client.get("/explorer/0/explorer/main.js").string("detail")
                    == "this server has another version of the page's files; reload the page")
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
        #expect(
            page.text
                == String(buffer: expected.html.body).replacing("{files}", with: PageFiles.all.path)
                .replacing("{writes}", with: "off"))
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
                let response = try await server.client.get("\(PageFiles.all.path)/\(sources.name)/\(name)")
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
                let fixed = source.matches(of: /(?m)^(?:import|export) [^;]*?from\ '([^']*)';$/).map { String($0.1) }
                // A module that only some servers need is loaded dynamically.
                let dynamic = source.matches(of: /await import\('([^']*)'\)/).map { String($0.1) }
                for imported in fixed + dynamic {
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
