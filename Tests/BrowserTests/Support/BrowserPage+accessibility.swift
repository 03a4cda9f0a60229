import DuetJSON

extension BrowserPage {
    /// Follows the skip link, the first link of a page, with the keyboard.
    func followSkipLink() async throws {
        try await press("Tab")
        guard try await evaluate("document.activeElement.matches('.skip')") == true else {
            throw Failure(description: "The first element that Tab reaches is not the skip link.")
        }
        try await evaluate(
            "window.addEventListener('hashchange', () => { document.body.dataset.followed = 'yes'; }, { once: true })")
        try await press("Enter")
        try await wait(until: "document.body.dataset.followed === 'yes'")
    }

    /// Returns the texts with a contrast below 4.5:1 (WCAG 2.2, 1.4.3) in `faint`, and the number of checked texts in
    /// `count`.
    func faintTexts() async throws -> JSONValue {
        try await evaluate(Self.faintTexts)
    }

    /// Returns the shapes whose fill and outline both have a contrast below 3:1 with the background (WCAG 2.2, 1.4.11).
    func faintShapes(_ selector: String) async throws -> JSONValue {
        try await evaluate(
            """
            (() => {
              \(Self.contrast)
              const isFaint = (one) => {
                const { fill, stroke } = getComputedStyle(one);
                return [fill, stroke].every((colour) => colour === 'none' || colour.startsWith('url') || contrast(colour, one) < 3);
              };
              return [...document.querySelectorAll(\(JSONValue.string(selector).compactText))].filter(isFaint).map((one) => one.outerHTML);
            })()
            """)
    }

    /// The JavaScript function `contrast`, which compares a color with the background of an element.
    private static let contrast = """
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const rgba = (colour) => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const luminance = (colour) => {
          const [red, green, blue] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const background = (element) => {
          for (let one = element; one; one = one.parentElement) {
            const colour = rgba(getComputedStyle(one).backgroundColor);
            if (colour[3] === 255) return colour;
          }
          return [255, 255, 255, 255];
        };
        const contrast = (colour, element) => {
          const [one, other] = [luminance(rgba(colour)), luminance(background(element))].sort((a, b) => b - a);
          return (one + 0.05) / (other + 0.05);
        };
        """

    private static let faintTexts = """
        (() => {
          \(contrast)
          const faint = [];
          let count = 0;
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            if (node.data.trim() === '' || !element.checkVisibility() || element.closest('textarea, noscript, option, .skip')) continue;
            const style = getComputedStyle(element);
            const ratio = contrast(element instanceof SVGElement ? style.fill : style.color, element);
            count += 1;
            if (ratio < 4.5) faint.push(`${node.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
          }
          return { count, faint: [...new Set(faint)] };
        })()
        """

    /// Returns the visible, enabled controls that do not have the given attribute.
    func controls(without attribute: String) async throws -> JSONValue {
        try await evaluate(
            """
            [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
              .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0 && !one.hasAttribute('\(attribute)'))
              .map((one) => one.outerHTML)
            """)
    }

    /// Returns the number of controls and regions in the accessibility tree, and the nodes without an accessible name
    /// as JSON.
    func namedParts() async throws -> (count: Int, unnamed: [String]) {
        let nodes = try await send("Accessibility.getFullAXTree")["nodes"]?.items ?? []
        let roles: Set = [
            "button", "textbox", "searchbox", "combobox", "checkbox", "link", "tab", "tabpanel", "tablist", "region",
            "table", "main", "complementary", "navigation", "spinbutton", "listbox", "dialog", "DisclosureTriangle",
        ]
        let seen = nodes.filter { $0["ignored"] != true && roles.contains($0["role"]?["value"]?.string ?? "") }
        let found = seen.filter {
            ($0["name"]?["value"]?.string ?? "").isEmpty && $0["role"]?["value"] != "main"
        }
        return (seen.count, found.map(\.compactText))
    }

    /// Returns the visible elements that match a selector and exceed the width of the window, as HTML.
    func cut(_ selector: String) async throws -> JSONValue {
        try await evaluate(
            """
            [...document.querySelectorAll(\(JSONValue.string(selector).compactText))]
              .filter((one) => one.checkVisibility() && !one.closest('.page'))
              .filter((one) => { const { left, right } = one.getBoundingClientRect(); return left < 0 || right > innerWidth; })
              .map((one) => one.outerHTML)
            """)
    }
}
