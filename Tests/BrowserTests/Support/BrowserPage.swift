import DuetJSON
import DuetServer
import Foundation

/// A page in a browser, with its own storage and permissions.
final class BrowserPage: Sendable {
    /// The error of a condition that did not become true, or of a script that failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The URL path of the pages' folders. Tests import modules of the pages from there.
    static let files = PageFiles.all.path

    let origin: String
    private let devTools: DevTools
    private let session: String
    private let context: String
    private let log = EventLog()

    /// Opens an empty page.
    init(_ devTools: DevTools, origin: String) async throws {
        self.devTools = devTools
        self.origin = origin
        context = try await devTools.send("Target.createBrowserContext")["browserContextId"]?.string ?? ""
        let target = try await devTools.send(
            "Target.createTarget", ["url": "about:blank", "browserContextId": .string(context)])
        let attached = try await devTools.send(
            "Target.attachToTarget", ["targetId": target["targetId"] ?? .null, "flatten": true])
        session = attached["sessionId"]?.string ?? ""
        devTools.listen(to: session) { [log] event in log.note(event) }
        for domain in ["Page", "Runtime", "Log", "Network"] { try await send("\(domain).enable") }
        try await send("Emulation.setFocusEmulationEnabled", ["enabled": true])
        try await resize(width: 1280, height: 800)
    }

    func close() async throws {
        _ = try await devTools.send("Target.disposeBrowserContext", ["browserContextId": .string(context)])
    }

    /// Removes what tests leave in the page and its context: the document with its requests, stored data, permissions,
    /// emulation, the position of the pointer, and all events. The cache of the browser remains, so that the next test
    /// need not load the modules of the pages again.
    func reset() async throws {
        // The document is removed before held requests are released, so that these do not reach the server.
        try await waitForEvent("Page.loadEventFired") { try await send("Page.navigate", ["url": "about:blank"]) }
        try await send("Fetch.disable")
        try await send(
            "Network.emulateNetworkConditions",
            ["offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
        try await send("Page.resetNavigationHistory")
        try await send("Storage.clearDataForOrigin", ["origin": .string(origin), "storageTypes": "all"])
        _ = try await devTools.send("Browser.resetPermissions", ["browserContextId": .string(context)])
        try await send("Emulation.setEmulatedMedia", ["media": "", "features": []])
        try await resize(width: 1280, height: 800)
        try await send("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": 0, "y": 0])
        log.removeAll()
    }

    @discardableResult
    func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
        try await devTools.send(method, parameters, session: session)
    }

    /// Grants or denies a permission.
    func setPermission(_ name: String, _ setting: String) async throws {
        _ = try await devTools.send(
            "Browser.setPermission",
            [
                "permission": ["name": .string(name), "allowWithoutSanitization": false], "setting": .string(setting),
                "origin": .string(origin), "browserContextId": .string(context),
            ])
    }

    // MARK: Events

    /// Returns the events so far.
    func events(_ method: String) -> [JSONValue] {
        log.events.filter { $0.method == method }.map(\.parameters)
    }

    /// Performs an action and waits for the resulting event.
    @discardableResult
    func waitForEvent(_ method: String, after body: () async throws -> Void) async throws -> JSONValue {
        let events = log.following()
        try await body()
        for await event in events where event.method == method { return event.parameters }
        throw CancellationError()
    }

    /// Performs an action and waits for a number of resulting events.
    func waitForEvents(_ count: Int, of method: String, after body: () async throws -> Void) async throws {
        let events = log.following()
        try await body()
        var missing = count
        for await event in events where event.method == method {
            missing -= 1
            if missing == 0 { return }
        }
        throw CancellationError()
    }

    // MARK: Mocked responses

    /// Holds requests from now on, so that they do not reach the server.
    func holdRequests(to pattern: String = "*/graphql") async throws {
        try await send("Fetch.enable", ["patterns": [["urlPattern": .string(pattern), "resourceType": "Fetch"]]])
    }

    /// Sends a response to a held request.
    func answer(_ held: JSONValue, status: Int, mediaType: String, body: String) async throws {
        try await send(
            "Fetch.fulfillRequest",
            [
                "requestId": held["requestId"] ?? .null, "responseCode": .integer(Int64(status)),
                "responseHeaders": [["name": "Content-Type", "value": .string(mediaType)]],
                "body": .string(Data(body.utf8).base64EncodedString()),
            ])
    }

    /// Discards a held request that the page has canceled. Otherwise, the browser's network process would send the
    /// request at the end of the hold if it has not processed the cancellation yet.
    func discard(_ held: JSONValue) async throws {
        do {
            try await send("Fetch.failRequest", ["requestId": held["requestId"] ?? .null, "errorReason": "Aborted"])
        } catch let failure as DevTools.Failure where failure.description.contains("Invalid InterceptionId") {
            // The request was already removed.
        }
    }

    // MARK: Navigation

    func open(_ path: String) async throws {
        try await waitForEvent("Page.loadEventFired") {
            try await send("Page.navigate", ["url": .string(origin + path)])
        }
    }

    /// Throws an error unless the opened resource is an HTML page.
    func requireHTML() async throws {
        let type = try await evaluate("document.contentType").string ?? ""
        guard type == "text/html" else {
            throw Failure(description: "The resource is not an HTML page. Its type is \(type).")
        }
    }

    func reload() async throws {
        try await waitForEvent("Page.loadEventFired") { try await send("Page.reload") }
    }

    func resize(width: Int, height: Int, isMobile: Bool = false) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": 1,
                "mobile": .bool(isMobile),
            ])
    }

    func setDark() async throws {
        try await send(
            "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
    }

    // MARK: Scripts

    /// Returns the value of an expression, or the resolved value of a promise.
    @discardableResult
    func evaluate(_ expression: String) async throws -> JSONValue {
        let answer = try await send(
            "Runtime.evaluate",
            ["expression": .string(expression), "awaitPromise": true, "returnByValue": true, "userGesture": true])
        if let details = answer["exceptionDetails"] {
            throw Failure(
                description: "\(expression): \(details["exception"]?["description"]?.string ?? details.compactText)")
        }
        return answer["result"]?["value"] ?? .null
    }

    /// Waits until an expression is true. The expression is evaluated whenever the page changes.
    func wait(until expression: String) async throws {
        let script = """
            new Promise((resolve) => {
              const check = () => {
                let isTrue = false;
                try { isTrue = Boolean(\(expression)); } catch {}
                if (!isTrue) return;
                observer.disconnect();
                resolve(true);
              };
              const observer = new MutationObserver(check);
              observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
              for (const event of ['focusin', 'selectionchange', 'scroll']) document.addEventListener(event, check, true);
              setTimeout(() => resolve(false), 120000);
              check();
            })
            """
        guard try await evaluate(script) == true else {
            let body = try await evaluate("document.body?.innerText.slice(0, 2000)")
            throw Failure(
                description: "The condition did not become true: \(expression)\nThe page says: \(body.string ?? "")")
        }
    }

    /// Returns the visible text of an element, or the value of a field.
    func text(_ selector: String) async throws -> String {
        let script = """
            ((one) => (one.matches('textarea, input, select') ? one.value : one.innerText))\
            (document.querySelector(\(JSONValue.string(selector).compactText)))
            """
        return try await evaluate(script).string ?? ""
    }

    /// Returns the texts of all elements that match a selector.
    func texts(_ selector: String) async throws -> [String] {
        let script =
            "[...document.querySelectorAll(\(JSONValue.string(selector).compactText))].map((one) => one.innerText)"
        return try await evaluate(script).items.compactMap(\.string)
    }

    // MARK: Input

    struct Modifiers: OptionSet {
        let rawValue: Int
        static let alt = Modifiers(rawValue: 1)
        static let control = Modifiers(rawValue: 2)
        static let shift = Modifiers(rawValue: 8)
    }

    private static let keyCodes = [
        "Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37,
        "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
    ]

    /// Presses and releases a key.
    func press(_ key: String, _ modifiers: Modifiers = [], times: Int = 1) async throws {
        let isPlain = key.count == 1 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        // The key codes of other characters depend on the keyboard, so the code is 0. The character code is not a
        // substitute, because it is the key code of a different key.
        let code =
            Self.keyCodes[key] ?? (isPlain ? key.uppercased().unicodeScalars.first.map { Int($0.value) } : nil) ?? 0
        var event = JSONObject()
        event["key"] = .string(key)
        event["code"] = .string(key == " " ? "Space" : isPlain ? "Key\(key.uppercased())" : key.count == 1 ? "" : key)
        event["windowsVirtualKeyCode"] = .integer(Int64(code))
        event["modifiers"] = .integer(Int64(modifiers.rawValue))
        let text = key == "Enter" ? "\r" : key.count == 1 && !modifiers.contains(.control) ? key : nil
        for _ in 0..<times {
            event["type"] = text == nil ? "rawKeyDown" : "keyDown"
            event["text"] = text.map { .string($0) }
            try await send("Input.dispatchKeyEvent", .object(event))
            event["type"] = "keyUp"
            event["text"] = nil
            try await send("Input.dispatchKeyEvent", .object(event))
        }
    }

    /// Types a text, key by key.
    func type(_ text: String) async throws {
        for character in text { try await press(character == "\n" ? "Enter" : String(character)) }
    }

    /// Waits until an element has the same position in two consecutive animation frames, and clicks its center.
    func click(_ selector: String) async throws {
        let script = """
            (async () => {
              const element = document.querySelector(\(JSONValue.string(selector).compactText));
              element.scrollIntoView({ block: 'nearest' });
              let last = [];
              for (let frame = 0; frame < 1000; frame += 1) {
                const { left, top, width, height } = element.getBoundingClientRect();
                const middle = [left + width / 2, top + height / 2].map(Math.round);
                if (String(middle) === String(last)) return middle;
                last = middle;
                await new Promise(requestAnimationFrame);
              }
              throw new Error('The element does not come to rest.');
            })()
            """
        let point = try await evaluate(script).items
        guard point.count == 2 else { throw Failure(description: "There is no \(selector) to click.") }
        for type in ["mousePressed", "mouseReleased"] {
            try await send(
                "Input.dispatchMouseEvent",
                ["type": .string(type), "x": point[0], "y": point[1], "button": "left", "clickCount": 1])
        }
    }

    // MARK: Inspection

    /// Returns a screenshot of the visible area as PNG.
    func screenshot() async throws -> Data {
        let answer = try await send("Page.captureScreenshot")
        return Data(base64Encoded: answer["data"]?.string ?? "") ?? Data()
    }

    /// The exceptions, the errors and warnings in the console, and log entries, such as violations of the
    /// Content-Security-Policy. The list omits error statuses of requests that the user wrote on the page, the
    /// status 418 of mocked responses, and the status 401 of requests without a token.
    var complaints: [String] {
        let exceptions = events("Runtime.exceptionThrown").map(\.compactText)
        let console = events("Runtime.consoleAPICalled").filter { ["error", "warning"].contains($0["type"]?.string) }
            .map(\.compactText)
        let log = events("Log.entryAdded").compactMap { $0["entry"] }.filter { entry in
            let text = entry["text"]?.string ?? ""
            return
                !(entry["source"]?.string == "network"
                && (isWritten(entry["url"]?.string ?? "") || [" 401 ", " 418 "].contains(where: text.contains)))
        }
        return exceptions + console + log.map(\.compactText)
    }

    /// Returns true if pages request a URL on behalf of the user: a URL of data or of the debug history.
    private func isWritten(_ address: String) -> Bool {
        ["/graphql", "/employees", "/departments", "/debug"].contains { address.hasPrefix(origin + $0) }
            && !address.hasSuffix("/thumbnail")
    }

    /// The addresses of all requests except data URLs.
    var requests: [String] {
        events("Network.requestWillBeSent").compactMap { $0["request"]?["url"]?.string }.filter {
            !$0.hasPrefix("data:")
        }
    }
}
