import HTTPTypes
import Hummingbird
package import HummingbirdCore
import Logging
import NIOCore

/// The whole way of a request: it gets a name, goes through the router, and whatever comes back, an answer or an error,
/// becomes a response with the fields that every response has.
package struct DuetResponder: HTTPResponder {
    private let router: RouterResponder<DuetRequestContext>
    private let settings: ServerSettings
    private let observe: ServerObserver

    init(_ table: RouteTable, settings: ServerSettings, observe: @escaping ServerObserver) {
        router = table.router().buildResponder()
        self.settings = settings
        self.observe = observe
    }

    package func respond(to request: Request, context: DuetRequestContext) async throws -> Response {
        var context = context
        context.requestID = RequestIdentifier.of(request.headers)
        let start = ServerTiming.now
        var response: Response
        do {
            let length = request.head.path?.utf8.count ?? 0
            guard length <= settings.maximumTargetSize else {
                throw Problem(
                    .uriTooLong, "the request target has \(length) bytes; at most \(settings.maximumTargetSize) are taken")
            }
            response = try await answer(request, context)
        } catch let error as RequestAborted {
            // The connection has been answered already; this is dropped.
            throw error
        } catch {
            let problem = Problem(error)
            response = problem.response(requestID: context.requestID)
            if let cause = problem.cause {
                observe(.failure(requestID: context.requestID, cause))
            }
        }
        response.headers[.requestID] = context.requestID
        if request.method == .head { response = response.createHeadResponse() }
        if response.status == .noContent || response.status == .notModified { response.headers[.contentLength] = nil }
        observe(
            .request(
                id: context.requestID, method: request.method, target: request.uri.string,
                status: Int(response.status.code), nanoseconds: ServerTiming.now &- start))
        return response
    }

    private func answer(_ request: Request, _ context: DuetRequestContext) async throws -> Response {
        do {
            return try await router.respond(to: request, context: context)
        } catch let error as HTTPError where error.status == .notFound {
            // A method nobody has heard of, at a path that is known, is 405 all the same.
            var head = request.head
            head.method = .options
            let options = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            guard let allow = try? await router.respond(to: options, context: context).headers[.allow] else { throw error }
            throw Problem(
                .methodNotAllowed, "\(request.method.rawValue) is not for this address; \(allow) are",
                fields: [.allow: allow])
        }
    }
}
