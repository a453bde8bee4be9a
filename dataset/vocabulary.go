package dataset

// Families of a vocabulary, by their names in the source.
const (
	FamilyCategory     = "material_category"
	FamilyCharacter    = "absorption_character"
	FamilyInstallation = "installation_types"
)

// A Vocabulary declares the values of some families. A family that it does not name is open: the values that
// published records carry are its vocabulary.
type Vocabulary struct {
	Families map[string]map[string]Term // family, then value
}

// A Term is a declared value's names and synonyms.
type Term struct {
	Names    map[string]string // locale to display name
	Synonyms []string
}
