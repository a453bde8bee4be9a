// Package identity finds which rows of tables are of one product: rows with the same id, else the same
// article number and manufacturer, else the same name and manufacturer, in any table. It joins rows that name
// their product only partly, such as values below master data, and gives each product its id.
//
// It only knows the names in rows: package products makes the products. The result does not depend on the
// order of the rows.
//
// Read key.go first.
package identity
