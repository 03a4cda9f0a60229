#ifndef CDUET_PAGES_H
#define CDUET_PAGES_H

/// A file of a page.
typedef struct {
    /// The file name, or NULL at the end of a list.
    const char *name;
    /// The contents, with a NUL character at the end.
    const char *text;
} CDuetPageFile;

/// Returns the files of the page that compares REST and GraphQL.
const CDuetPageFile *CDuetPagesComparison(void);

/// Returns the files of the GraphQL explorer.
const CDuetPageFile *CDuetPagesExplorer(void);

#endif
