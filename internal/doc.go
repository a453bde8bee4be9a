// Package internal contains packages for tests: browser controls the explorer in a browser and is a separate
// module, freeport finds ports for servers, layouttest reads table tests, s3test runs an S3 server and a
// faulty network, sealed makes hostile snapshots, xlsxtest writes workbooks. The program does not import it.
package internal
