"""OTF2 archives (Open Trace Format, version 3): written and read as they stand on disk."""
