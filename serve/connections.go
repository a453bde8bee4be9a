package serve

import "syscall"

const (
	// reservedDescriptors are kept from clients of the API: for the admin address, the key file, CURRENT and snapshots, the
	// state of the counters and the rate-limit store.
	reservedDescriptors = 128
	// assumedDescriptors is how many files a process may have open where the system does not say.
	assumedDescriptors = 1024
	// mostConnections is the default where the system sets no limit.
	mostConnections = 1 << 20
)

// defaultConnections is how many connections the API may have when nothing else is set: as many as the limit of open
// files leaves (Go raises the soft limit to the hard one), so that clients of the API run out of descriptors first.
func defaultConnections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		limit.Cur = assumedDescriptors
	}
	return connectionsWithin(limit.Cur)
}

// connectionsWithin is how many connections a limit of open files leaves. A small limit is shared by halves.
func connectionsWithin(descriptors uint64) int {
	reserved := min(reservedDescriptors, descriptors/2)
	return int(min(max(descriptors-reserved, 1), mostConnections))
}
