// Package identity finds which rows of tables are of one product: those with one id, else one article number
// and manufacturer, else one name and manufacturer, in whichever table they are. It joins rows that name
// their product only in part, such as values below master data, and gives each product its id.
//
// It knows what rows name, and nothing else of them: what a product is made of its rows is the room
// products'. Nothing depends on the order of the rows.
//
// Read key.go first.
package identity
