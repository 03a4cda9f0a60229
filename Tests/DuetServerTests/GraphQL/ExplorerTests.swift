import DuetServer
import EmployeeService
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@Suite("The explorer's files")
struct ExplorerTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/DuetServer/Resources/explorer").standardizedFileURL

    private static func files() throws -> [String: ByteBuffer] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0, ByteBuffer(bytes: try Data(contentsOf: folder.appending(path: $0))))
            })
    }

    @Test("Every file in the folder is compiled in as it is")
    func complete() throws {
        var files = try Self.files()
        let assets = ExplorerAssets()
        #expect(files.removeValue(forKey: "index.html") == assets.page.body)
        #expect(assets.files.mapValues(\.body) == files)
    }

    @Test("Every file is served with its media type, an entity tag and the policy, and is asked for again each time")
    func served() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            for (name, body) in try Self.files() where name != "index.html" {
                let response = try await server.client.get("/explorer/\(name)")
                #expect(response.status == 200, "\(name)")
                #expect(response.text == String(buffer: body), "\(name)")
                let type = name.hasSuffix(".css") ? "text/css" : "text/javascript"
                #expect(response["Content-Type"] == "\(type); charset=utf-8")
                #expect(response["Cache-Control"] == "no-cache")
                #expect(response["X-Content-Type-Options"] == "nosniff")
                #expect(
                    response["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
                let tag = try #require(response["ETag"])
                #expect(tag.hasPrefix("\""))
                #expect(try await server.client.get("/explorer/\(name)", ["If-None-Match": tag]).status == 304)
            }
        }
    }

    @Test("A browser that opens /graphql gets the page; who asks for JSON, or with a query, gets an answer")
    func page() async throws {
        try await withServer(.sqlite, data: .empty) { server in
            let browser: HTTPHeaders = ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]
            let page = try await server.client.get("/graphql", browser)
            #expect(page.status == 200)
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page["Content-Security-Policy"]?.hasSuffix("frame-ancestors 'none'") == true)
            #expect(page["Vary"] == "Accept, Accept-Encoding")
            #expect(page.text == String(buffer: ExplorerAssets().page.body))
            let tag = try #require(page["ETag"])
            let again: HTTPHeaders = ["Accept": "text/html", "If-None-Match": tag]
            #expect(try await server.client.get("/graphql", again).status == 304)

            let query = try await server.client.get("/graphql?query=%7B__typename%7D", browser)
            #expect(query["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(try query.json() == ["data": ["__typename": "Query"]])
            let curl = try await server.client.get("/graphql", ["Accept": "*/*"])
            #expect(curl.status == 400)
            #expect(curl["Content-Type"]?.hasPrefix("application/json") == true)
        }
    }

    @Test("Other names below /explorer are unknown", arguments: ["index.html", "none.js", "..%2Fopenapi.yaml", "%00"])
    func unknown(name: String) async throws {
        try await withServer(.sqlite, data: .empty) { server in
            let response = try await server.client.get("/explorer/\(name)")
            #expect(response.status == 404)
            #expect(response.code == "unknown-path")
        }
    }

    @Test("Modules import each other only, by a relative path, and all of them are reached from the page")
    func imports() throws {
        let files = try Self.files().mapValues { String(buffer: $0) }
        var reached: Set = ["main.js"]
        var waiting = ["main.js"]
        while let name = waiting.popLast() {
            let source = try #require(files[name], "\(name)")
            for match in source.matches(of: /(?m)^(?:import|export) [^;]*?from\ '([^']*)';$/) {
                let imported = String(match.1)
                #expect(imported.hasPrefix("./"), "\(name)")
                let file = String(imported.dropFirst(2))
                if reached.insert(file).inserted { waiting.append(file) }
            }
        }
        #expect(reached == Set(files.keys.filter { $0.hasSuffix(".js") }))
        let page = try #require(files["index.html"])
        let addresses = page.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
        #expect(
            addresses.filter { !$0.hasPrefix("data:") && !$0.hasPrefix("#") } == [
                "/explorer/explorer.css", "/explorer/main.js", "/", "/openapi.yaml",
            ])
    }
}
