package import Hummingbird
import Logging

/// The context of a request.
package struct DuetRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The value of `X-Request-ID`, or a generated identifier. It is part of every log line about the request, and of
    /// every problem.
    var requestID = ""
    /// The progress of the request. The router records the style of the route here.
    var progress: RequestProgress?

    package init(source: Source) {
        coreContext = .init(source: source)
    }
}
