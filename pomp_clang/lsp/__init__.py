"""The language server: `pomp-clang lsp`.

A worker process analyzes an open document. It finds the constructs in the text of the editor, saved
or not, and decides on each as a build would: these are the document's *places*. A command on a
place becomes a rule of the filter file in the workspace. The newest experiment is the *run*, and
each of its regions is matched with a place. The editor shows lenses, hints, hovers and diagnostics,
which are made of places and regions alone.
"""
