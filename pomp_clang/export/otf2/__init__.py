"""OTF2 archives (Open Trace Format, version 3), written as they stand on disk."""
