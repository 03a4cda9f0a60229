package import Hummingbird
import Logging

/// What is known of a request besides the request itself.
package struct DuetRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// From `X-Request-ID`, or made here; in every log line and every problem.
    var requestID = ""
    /// Learns what the route knows.
    var progress: RequestProgress?

    package init(source: Source) {
        coreContext = .init(source: source)
    }
}
