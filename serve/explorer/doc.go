// Package explorer is the page that people see: built from the sources in web, checked in as dist, embedded
// here. It renders the shell that every address of the explorer answers, with what is to be read where no
// JavaScript runs. It knows neither the catalogue nor the API: what stands in a shell comes in its View.
//
// Read shell.go first.
package explorer
