import DuetPersistedDocuments
import Foundation

/// A request: a path, and optionally a body or a header field.
struct Target {
    let path: String
    /// A GraphQL document. It is sent by POST.
    var document: String?
    /// The method and the JSON body of a request over REST; nil for a GET.
    var method: String?
    var body: String?
    /// A header field that is added to the fields of wrk.
    var field: (name: String, value: String)?

    static let floor = Target(path: "/health/live")
    static let plain = Target(path: "/employees/10004")
    static let one = Target(path: "/employees/10004?details=titles&details=salaries")
    static let list = Target(path: "/employees?first=100&details=titles&details=salaries")

    private static let histories = "titles { title fromDate toDate } salaries { salary fromDate toDate }"
    /// The GraphQL request for the same data as ``one``.
    static let graphQLOne = Target(
        path: "/graphql", document: "{ employee(id: 10004) { employeeNumber firstName lastName \(histories) } }")
    static let graphQLField = Target(path: "/graphql", document: "{ employee(id: 10004) { lastName } }")
    /// The GraphQL request for the same data as ``list``.
    static let graphQLList = Target(
        path: "/graphql",
        document: "{ employees(first: 100) { nodes { employeeNumber firstName lastName \(histories) } } }")

    /// A query of about 140 lines for a client's screen. It has one fragment for each part of the screen. All fragments
    /// select the same fields.
    static let screen = Target(
        path: "/graphql",
        document: "query Screen {\n  employee(id: 10004) {\n"
            + (0..<10).map { "    ...Part\($0)\n" }.joined() + "  }\n}\n"
            + (0..<10).map { part in
                "\nfragment Part\(part) on Employee {\n  employeeNumber\n  firstName\n  lastName\n  titles {\n    title\n    fromDate\n"
                    + "    toDate\n  }\n  salaries {\n    salary\n    toDate\n  }\n}\n"
            }.joined())

    /// The request with the document's hash and the method GET.
    var hashed: Target {
        Target(path: "/graphql?extensions=" + Self.encoded(extensions))
    }

    /// Returns the request with the header field `If-None-Match`.
    func conditional(on tag: String) -> Target {
        var target = self
        target.field = ("If-None-Match", tag)
        return target
    }

    /// The body that registers the document.
    var registration: String {
        let query = String(decoding: (try? JSONEncoder().encode(document ?? "")) ?? Data(), as: UTF8.self)
        return "{\"query\":\(query),\"extensions\":\(extensions)}"
    }

    private var extensions: String {
        "{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"\(DocumentHash(of: document ?? ""))\"}}"
    }

    /// The number of bytes of the path and the body.
    var size: Int { path.utf8.count + (document == nil ? 0 : documentBody.utf8.count) }

    private var documentBody: String {
        String(decoding: (try? JSONEncoder().encode(["query": document ?? ""])) ?? Data(), as: UTF8.self)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? text
    }

    /// Writes a script for wrk that specifies the body or the header field. Returns nil if wrk needs only the address.
    func script(in folder: URL) throws -> URL? {
        guard document != nil || method != nil || field != nil else { return nil }
        let file = folder.appending(path: "duet-bench-\(UUID().uuidString).lua")
        var script = ""
        if document != nil || method != nil {
            script = """
                wrk.method = "\(method ?? "POST")"
                wrk.headers["Content-Type"] = "application/json"
                wrk.body = [==[\(body ?? documentBody)]==]

                """
        }
        if let field { script += "wrk.headers[\"\(field.name)\"] = [==[\(field.value)]==]\n" }
        try Data(script.utf8).write(to: file)
        return file
    }
}
