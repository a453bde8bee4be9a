// Package identity finds the table rows that belong to one product: rows with the same id, otherwise article
// number and manufacturer, otherwise name and manufacturer, in any table. It joins rows that identify their
// product only partly, such as values below master data, and gives each product its id.
//
// It only knows the names in rows: package products makes the products. The result does not depend on the
// order of the rows.
//
// Read key.go first.
package identity
