"""The language server: `pomp-clang lsp`.

An open document is *surveyed* by a worker process, which finds its constructs in the text as it
is in the editor, saved or not, and decides on each as a build would: these are its *places*.
What somebody chooses of one becomes a rule of the filter file in the workspace.  The newest
experiment is the *run*; each of its regions is laid to the place that it is by now.  What an
editor shows (lenses, hints, hovers, diagnostics) is made of places and regions alone.
"""
