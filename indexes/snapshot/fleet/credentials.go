package fleet

import (
	"net/http"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	roleTimeout = 2 * time.Second // of one request to the platform
	noRoleFor   = time.Minute
)

// usualCredentials are those of S3, where its users keep them: in the environment, in ~/.aws, or a role of the machine, the
// task or the pod. Who has none asks without, which a public bucket allows.
func usualCredentials() *credentials.Credentials {
	role := &role{IAM: credentials.IAM{Client: &http.Client{Timeout: roleTimeout, Transport: newTransport(roleTimeout, nil)}}}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, role,
	})
}

// A role is what the platform allows a machine, a task or a pod. That there is none is remembered for a while, since asking
// takes seconds where nobody answers.
type role struct {
	credentials.IAM
	found  bool
	missed time.Time
	err    error
}

// RetrieveWithCredContext is never called twice at a time.
func (r *role) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	if !r.found && time.Since(r.missed) < noRoleFor {
		return credentials.Value{}, r.err
	}
	value, err := r.IAM.RetrieveWithCredContext(c)
	r.found, r.missed, r.err = r.found || err == nil, time.Now(), err
	return value, err
}

func (r *role) Retrieve() (credentials.Value, error) { return r.RetrieveWithCredContext(nil) }
