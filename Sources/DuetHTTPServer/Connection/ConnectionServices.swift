import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The limits, the application and the observer that all connections of a server share.
struct ConnectionServices: Sendable {
    let limits: RequestLimits
    let problemResponse: @Sendable (ConnectionProblem) -> ProblemResponse
    let observe: @Sendable (ConnectionObservation) -> Void
    let respond: ConnectionResponder
    let turns: PerEventLoop<EventLoopTurn>

    /// Returns the response to a request that the connection rejects, and reports the rejection.
    func refuse(_ problem: ConnectionProblem) -> (head: HTTPResponse, body: ByteBuffer) {
        let response = self.problemResponse(problem)
        self.observe(.refused(problem, requestID: response.requestID))
        var fields = response.fields
        fields[.contentType] = "application/problem+json"
        fields[.contentLength] = String(response.body.readableBytes)
        fields[.cacheControl] = "no-store"
        return (HTTPResponse(status: response.status, headerFields: fields), response.body)
    }
}
