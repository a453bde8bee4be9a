// Package internal holds what only tests use: browser drives the explorer in a browser and is a module of its
// own, freeport finds ports for servers, layouttest reads tests of tables, s3test runs an S3 server and a
// faulty network, sealed makes hostile snapshots, xlsxtest writes workbooks. Nothing of the program imports
// it.
package internal
