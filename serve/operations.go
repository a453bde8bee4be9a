package serve

import "maps"

// operations are those of the API, in the contract's order.
var operations = []*operation{
	searchMaterials, getMaterial, getMaterials, exportMaterials, getChanges, searchProducts, compareProducts,
	getPublicMaterial, getReverberation, getDescription, getWellKnownDescription,
}

// addOperations puts the operations of the API at their paths, so that no page takes an address from them.
func (s *Server) addOperations(base string) {
	maps.Copy(s.operations, map[string]*operation{
		base + "/v1/materials":            getMaterials,
		base + "/v1/materials/search":     searchMaterials,
		base + "/v1/export":               exportMaterials,
		base + "/v1/changes":              getChanges,
		base + "/public/search":           searchProducts,
		base + "/public/compare-products": compareProducts,
		base + "/public/reverberation":    getReverberation,
		base + descriptionPath:            getDescription,
		"/.well-known/openapi.json":       getWellKnownDescription,
	})
	s.named[base+"/v1/materials/"] = getMaterial
	s.named[base+"/public/materials/"] = getPublicMaterial
}
