// Package check holds the files of deploy/ against the tools that they are for and against the built program: settings that
// the program does not have, fields that Kubernetes, Compose or GitHub does not know, rules and dashboards on metrics that
// there are none of, a sandbox that the program cannot live in, a workflow that publishes what it should not.
//
// All of it is tests, in a module of its own: what they need is no dependency of the program. They run bin/sabine, which make
// build makes, and never connect to another machine. A tool that is not installed leaves its test out, and fails it where CI
// is set.
package check
