import Foundation

/// What is asked for: an address, and what is sent to it, if anything is.
struct Target {
    let path: String
    /// A GraphQL document, sent with POST.
    var document: String?

    static let floor = Target(path: "/health/live")
    static let plain = Target(path: "/employees/10004")
    static let one = Target(path: "/employees/10004?details=titles&details=salaries")
    static let list = Target(path: "/employees?first=100&details=titles&details=salaries")

    private static let histories = "titles { title fromDate toDate } salaries { salary fromDate toDate }"
    /// The same as ``one``.
    static let graphQLOne = Target(
        path: "/graphql", document: "{ employee(id: 10004) { employeeNumber firstName lastName \(histories) } }")
    /// The same as ``list``.
    static let graphQLList = Target(
        path: "/graphql",
        document: "{ employees(first: 100) { nodes { employeeNumber firstName lastName \(histories) } } }")

    /// What wrk needs to be told besides the address; the script is for it to read.
    func script(in folder: URL) throws -> URL? {
        guard let document else { return nil }
        let file = folder.appending(path: "duet-bench-\(UUID().uuidString).lua")
        let body = String(decoding: try JSONEncoder().encode(["query": document]), as: UTF8.self)
        let script = """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            wrk.body = [==[\(body)]==]
            """
        try Data(script.utf8).write(to: file)
        return file
    }
}
