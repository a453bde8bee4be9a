package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// A cluster is the objects of all manifests by their names.
type cluster struct {
	Configs  map[string]*core.ConfigMap
	Secrets  map[string]*core.Secret
	Services map[string]*core.Service
	Servers  *apps.Deployment
	Pods     map[string]*core.PodTemplateSpec // of every workload
	Claims   map[string]bool                  // volumes that a stateful set makes itself
	Budgets  []*policy.PodDisruptionBudget
	Policies []*networking.NetworkPolicy
	Ingress  *networking.Ingress
}

// kinds makes an empty object of each kind that a manifest may have.
var kinds = map[string]func() meta.Object{
	"v1 ConfigMap":                       func() meta.Object { return new(core.ConfigMap) },
	"v1 Secret":                          func() meta.Object { return new(core.Secret) },
	"v1 Service":                         func() meta.Object { return new(core.Service) },
	"apps/v1 Deployment":                 func() meta.Object { return new(apps.Deployment) },
	"apps/v1 StatefulSet":                func() meta.Object { return new(apps.StatefulSet) },
	"batch/v1 CronJob":                   func() meta.Object { return new(batch.CronJob) },
	"policy/v1 PodDisruptionBudget":      func() meta.Object { return new(policy.PodDisruptionBudget) },
	"networking.k8s.io/v1 NetworkPolicy": func() meta.Object { return new(networking.NetworkPolicy) },
	"networking.k8s.io/v1 Ingress":       func() meta.Object { return new(networking.Ingress) },
}

// manifests reads all objects. A field that its kind does not have fails the test.
func manifests(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{
		Configs: map[string]*core.ConfigMap{}, Secrets: map[string]*core.Secret{}, Services: map[string]*core.Service{},
		Pods: map[string]*core.PodTemplateSpec{}, Claims: map[string]bool{},
	}
	paths, err := filepath.Glob(deploy + "/kubernetes/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, path := range paths {
		documents := yaml.NewDocumentDecoder(io.NopCloser(strings.NewReader(read(t, path))))
		for b := make([]byte, 1<<20); ; {
			n, err := documents.Read(b)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			c.add(t, path, bytes.Clone(b[:n]))
		}
	}
	return c
}

// add decodes one object.
func (c *cluster) add(t *testing.T, path string, document []byte) {
	t.Helper()
	var kind meta.TypeMeta
	if err := strict.Unmarshal(document, &kind); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	empty, ok := kinds[kind.APIVersion+" "+kind.Kind]
	if !ok {
		t.Fatalf("%s: %s %s is no kind that is known here", path, kind.APIVersion, kind.Kind)
	}
	object := empty()
	if err := strict.UnmarshalStrict(document, object); err != nil {
		t.Errorf("%s: %s: %v", path, kind.Kind, err)
	}
	switch o := object.(type) {
	case *core.ConfigMap:
		c.Configs[o.Name] = o
	case *core.Secret:
		c.Secrets[o.Name] = o
	case *core.Service:
		c.Services[o.Name] = o
	case *apps.Deployment:
		c.Servers, c.Pods[o.Name] = o, &o.Spec.Template
	case *apps.StatefulSet:
		c.Pods[o.Name] = &o.Spec.Template
		for _, claim := range o.Spec.VolumeClaimTemplates {
			c.Claims[claim.Name] = true
		}
	case *batch.CronJob:
		c.Pods[o.Name] = &o.Spec.JobTemplate.Spec.Template
	case *policy.PodDisruptionBudget:
		c.Budgets = append(c.Budgets, o)
	case *networking.NetworkPolicy:
		c.Policies = append(c.Policies, o)
	case *networking.Ingress:
		c.Ingress = o
	}
}

func TestManifestsName(t *testing.T) {
	c := manifests(t)
	for name, pod := range c.Pods {
		for _, container := range append(slices.Clone(pod.Spec.InitContainers), pod.Spec.Containers...) {
			for _, fault := range c.faults(pod, &container) {
				t.Errorf("%s, container %s: %s", name, container.Name, fault)
			}
			if strings.Contains(container.Image, "/sabine:") {
				accepts(t, name, container.Args...)
			}
		}
	}
	selected := []map[string]string{c.Servers.Spec.Selector.MatchLabels}
	for _, service := range c.Services {
		selected = append(selected, service.Spec.Selector)
	}
	for _, budget := range c.Budgets {
		selected = append(selected, budget.Spec.Selector.MatchLabels)
	}
	for _, rule := range c.Policies {
		selected = append(selected, rule.Spec.PodSelector.MatchLabels)
	}
	for _, labels := range selected {
		if !c.selects(labels) {
			t.Errorf("no pod has the labels %v", labels)
		}
	}
	for _, rule := range c.Ingress.Spec.Rules {
		for _, path := range rule.HTTP.Paths {
			if backend := path.Backend.Service; c.Services[backend.Name] == nil || c.Services[backend.Name].Spec.Ports[0].Name != backend.Port.Name {
				t.Errorf("the ingress: there is no service %s with a port %s", backend.Name, backend.Port.Name)
			}
		}
	}
}

// selects reports whether some pod has all labels.
func (c *cluster) selects(labels map[string]string) bool {
	for _, pod := range c.Pods {
		found := len(labels) > 0
		for key, value := range labels {
			found = found && pod.Labels[key] == value
		}
		if found {
			return true
		}
	}
	return false
}

// faults returns what a container names and there is not, and what the restricted pod security standard does not allow.
func (c *cluster) faults(pod *core.PodTemplateSpec, container *core.Container) (faults []string) {
	missing := func(kind, name string) { faults = append(faults, fmt.Sprintf("there is no %s %s", kind, name)) }
	for _, from := range container.EnvFrom {
		if c.Configs[from.ConfigMapRef.Name] == nil {
			missing("ConfigMap", from.ConfigMapRef.Name)
		}
	}
	for _, env := range container.Env {
		if env.ValueFrom == nil {
			continue
		}
		if ref := env.ValueFrom.ConfigMapKeyRef; ref != nil && (c.Configs[ref.Name] == nil || c.Configs[ref.Name].Data[ref.Key] == "") {
			missing("ConfigMap with the key", ref.Name+"/"+ref.Key)
		}
		if ref := env.ValueFrom.SecretKeyRef; ref != nil && (c.Secrets[ref.Name] == nil || c.Secrets[ref.Name].StringData[ref.Key] == "") {
			missing("Secret with the key", ref.Name+"/"+ref.Key)
		}
	}
	volumes := map[string]core.Volume{}
	for _, volume := range pod.Spec.Volumes {
		volumes[volume.Name] = volume
	}
	for _, mount := range container.VolumeMounts {
		volume, ok := volumes[mount.Name]
		switch {
		case !ok && !c.Claims[mount.Name]:
			missing("volume", mount.Name)
		case volume.Secret != nil && c.Secrets[volume.Secret.SecretName] == nil:
			missing("Secret", volume.Secret.SecretName)
		case volume.ConfigMap != nil && c.Configs[volume.ConfigMap.Name] == nil:
			missing("ConfigMap", volume.ConfigMap.Name)
		}
	}
	user, own := pod.Spec.SecurityContext, container.SecurityContext
	if user == nil || user.RunAsNonRoot == nil || !*user.RunAsNonRoot || user.SeccompProfile == nil || own == nil || own.AllowPrivilegeEscalation == nil ||
		*own.AllowPrivilegeEscalation || own.ReadOnlyRootFilesystem == nil || !*own.ReadOnlyRootFilesystem || own.Capabilities == nil {
		faults = append(faults, "the pod security standard restricted, with a root that is read alone, is not held")
	}
	if container.Resources.Requests.Memory().IsZero() || container.Resources.Limits.Memory().IsZero() {
		faults = append(faults, "no memory is requested, or none is the most")
	}
	return faults
}

func TestManifestsPathsAreMounted(t *testing.T) {
	c := manifests(t)
	pod := c.Servers.Spec.Template.Spec
	for name, path := range c.Configs["sabine"].Data {
		if !strings.HasPrefix(path, "/") {
			continue
		}
		mounted := slices.ContainsFunc(pod.Containers[0].VolumeMounts, func(m core.VolumeMount) bool {
			return path == m.MountPath || strings.HasPrefix(path, m.MountPath+"/")
		})
		if !mounted {
			t.Errorf("%s: nothing is mounted at %s", name, path)
		}
	}
}

// A roll-out fails no request: a new pod is ready before an old one ends, and an old one has the time that it needs to end.
func TestRollOutIsSeamless(t *testing.T) {
	c := manifests(t)
	update := c.Servers.Spec.Strategy.RollingUpdate
	if *c.Servers.Spec.Replicas != 3 || update.MaxUnavailable.IntValue() != 0 || update.MaxSurge.IntValue() < 1 {
		t.Errorf("expected three servers, one more while they are replaced, got %d and %v", *c.Servers.Spec.Replicas, update)
	}
	pod := c.Servers.Spec.Template.Spec
	delay, err := time.ParseDuration(c.Configs["sabine"].Data["SABINE_DRAIN_DELAY"])
	const end = 14 * time.Second // after the delay the program ends itself within that
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; err != nil || grace <= delay+end {
		t.Errorf("expected more than %v to end, got %v", delay+end, grace)
	}
	container := pod.Containers[0]
	ready := container.ReadinessProbe
	if noticed := time.Duration(ready.PeriodSeconds*ready.FailureThreshold) * time.Second; delay < noticed {
		t.Errorf("the endpoints learn after %v that a pod drains, which takes no more connections after %v", noticed, delay)
	}
	for path, probe := range map[string]*core.Probe{"/readyz": ready, "/healthz": container.LivenessProbe} {
		if probe.HTTPGet.Path != path || probe.HTTPGet.Port.StrVal != "admin" {
			t.Errorf("%s: expected it of the admin port, got %v", path, probe.HTTPGet)
		}
	}
	if c.Services["sabine"].Spec.Ports[0].TargetPort.StrVal != "http" {
		t.Error("the service leads elsewhere than to the API")
	}
}
