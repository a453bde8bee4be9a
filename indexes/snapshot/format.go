package snapshot

// Version of the format. A reader refuses another major version; a minor version adds section kinds only.
const (
	FormatMajor = 1
	FormatMinor = 0
)

// A Kind names what a section holds. Package indexes lists the kinds in sections.go.
type Kind uint32
