package browser

// Barriers returns the ids of the violations that CheckAccess reports.
func Barriers(b *Tab) (ids []string) {
	for _, v := range b.barriers("") {
		ids = append(ids, v.ID)
	}
	return ids
}
