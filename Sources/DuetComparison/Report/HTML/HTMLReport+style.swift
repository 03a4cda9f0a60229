extension HTMLReport {
    /// The style sheet.
    static let style: HTML = """
        :root { --ground: #fff; --text: #1c2430; --quiet: #5a6675; --line: #d5dbe3; --rest: #2f6fb2; --graphql: #a03a8c; --hatch: #dcaad3; }
        @media screen and (prefers-color-scheme: dark) {
          :root { --ground: #12161c; --text: #e6eaf0; --quiet: #9aa7b6; --line: #303a46; --rest: #6aa9e9; --graphql: #e58fd3; --hatch: #7a3a6d; }
        }
        body { background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
        main { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .5rem; } h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; }
        a { color: inherit; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; } dt { color: var(--quiet); } dd { margin: 0; }
        .table { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
        th[scope="row"], thead th:first-child { text-align: left; } thead th { color: var(--quiet); font-weight: 600; white-space: normal; }
        caption { text-align: left; color: var(--quiet); padding: .25rem .6rem; }
        figure { margin: 1rem 0; } figcaption { color: var(--quiet); } figure svg { display: block; width: 100%; max-width: 48rem; }
        figure text { font: 13px system-ui, sans-serif; fill: var(--text); font-variant-numeric: tabular-nums; }
        .rest { fill: var(--rest); } .simple { fill: var(--ground); stroke: var(--rest); } .graphql { fill: url(#hatch); stroke: var(--graphql); }
        .hatch-ground { fill: var(--hatch); } .hatch-line { fill: var(--graphql); } figure line { stroke: var(--text); stroke-width: 1.5; }
        summary { cursor: pointer; } main > details { border-top: 1px solid var(--line); padding: .4rem 0; }
        main > details > summary > h2 { display: inline; font-size: 1rem; } section { scroll-margin-top: 3.5rem; }
        .conclusions { padding: 0; list-style: none; }
        .conclusions li { display: grid; grid-template-columns: 10rem 1fr; gap: 0 1rem; margin: 0 0 .6rem; }
        \(picture)
        \(print)
        """

    /// The style of the overview. On a narrow screen, each row becomes a block. Its cells are side by side if the width
    /// is sufficient.
    private static let picture: HTML = """
        .picture { width: 100%; table-layout: fixed; } .picture caption { padding: 0 0 .5rem; } .picture thead th { text-align: left; }
        .picture :is(th, td) { vertical-align: top; padding: .5rem 1.25rem .5rem 0; white-space: normal; text-align: left; }
        .picture .task { display: block; color: var(--quiet); font-size: .75rem; font-weight: 400; line-height: 1.3; } .measure { display: none; }
        .line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .5rem; line-height: 1.3; font-size: .8rem; }
        .line > span:first-child { color: var(--quiet); } .line svg { width: 100%; height: 8px; margin: 1px 0 4px; overflow: visible; }
        .figure { margin-left: auto; text-align: right; } .swatch { width: 24px; height: 10px; overflow: visible; }
        @media screen and (max-width: 44rem) {
          .picture, .picture :is(caption, tbody, td) { display: block; } .picture thead { position: absolute; clip-path: inset(50%); }
          .picture tbody tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .25rem 1rem; padding: .75rem 0; }
          .picture tbody tr { border-bottom: 1px solid var(--line); } .picture tbody :is(th, td) { border: 0; padding: 0; }
          .picture tbody th { grid-column: 1 / -1; font-size: 1rem; } .measure { display: block; font-size: .8rem; font-weight: 600; }
          .conclusions li { display: block; }
        }
        """

    /// Collapsed sections are not printed, except the section with the machine and the database.
    private static let print: HTML = """
        @media print {
          :root { color-scheme: light; font-size: 13px; } body { font-size: 1rem; } main { max-width: none; padding: 0; }
          * { print-color-adjust: exact; }
          details:not([open], .printed) { display: none; } .printed::details-content { content-visibility: visible; }
          summary { list-style: none; } tr, li, figure, .line { break-inside: avoid; }
          h2, summary { break-after: avoid; } .table { overflow: visible; } .table :is(th, td) { white-space: normal; padding: .15rem .3rem; }
        }
        """
}
