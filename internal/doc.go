// Package internal contains packages that only tests import: browser (a separate module) controls the
// explorer in a browser, freeport finds ports for servers, layouttest reads table tests, s3test runs an S3
// server and a faulty network, sealed makes hostile snapshots, and xlsxtest writes workbooks.
package internal
