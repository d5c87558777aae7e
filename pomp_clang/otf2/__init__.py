"""The OTF2 format (Open Trace Format, version 3): what reading and writing share."""
