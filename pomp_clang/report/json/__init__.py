"""Reports as JSON, the contract of docs/reference/json-report.md."""
