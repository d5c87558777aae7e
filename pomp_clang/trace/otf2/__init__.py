"""OTF2 archives (Open Trace Format, version 3), read as they stand on disk."""
