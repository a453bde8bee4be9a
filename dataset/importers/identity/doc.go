// Package identity finds the table rows that belong to one product, even in different tables. They have the
// same id, otherwise the same article number and manufacturer, otherwise the same name and manufacturer.
// Package identity joins rows that identify their product only partly, such as values below master data, and
// assigns ids.
//
// It reads only the names in rows. Package products makes the products. The result does not depend on the
// order of the rows.
//
// Read key.go first.
package identity
