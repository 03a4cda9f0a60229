#ifndef CDUET_PAGES_H
#define CDUET_PAGES_H

/// A file of a page.
typedef struct {
    /// The file name, or NULL at the end of a list.
    const char *_Nullable name;
    /// The contents, with a NUL character at the end.
    const char *_Nullable text;
} CDuetPageFile;

/// A page.
typedef struct {
    /// The HTML, with a NUL character at the end.
    const char *_Nonnull html;
    /// The list of the style sheets and modules.
    const CDuetPageFile *_Nonnull files;
} CDuetPage;

/// Returns the page that compares REST and GraphQL.
CDuetPage CDuetComparisonPage(void);

/// Returns the GraphQL explorer.
CDuetPage CDuetExplorerPage(void);

#endif
