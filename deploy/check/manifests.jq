# Reads all Kubernetes manifests as one array. Prints faults that schemas do not detect: references to missing
# objects, pods that a restricted namespace refuses, and roll-outs during which requests fail.
def name: "\(.kind) \(.metadata.name)";
def expect($text; condition): if condition then empty else $text end;

(map({(name): .}) | add) as $objects |
[.[] | name, "\(name)/\(.data // .stringData // {} | keys[])",
	"\(name) port \(.spec.ports[]?.name)"] as $have |
[.. | .containers? | arrays | .[].ports[]?.name] as $ports |

(.[] | name as $at |
	(.spec.rules[]?.http.paths[].backend.service | "Service \(.name) port \(.port.name)" | . as $name |
		expect("\($at): missing \($name)"; $have | any(. == $name))),
	((select(.kind == "Service").spec.ports[].targetPort, .spec.ingress[]?.ports[].port) as $port |
		expect("\($at): no pod has a port \($port)"; $ports | any(. == $port)))),

(.[] | name as $at | [.spec.volumeClaimTemplates[]?.metadata.name] as $claims |
	(.spec.jobTemplate.spec? // .spec).template?.spec | values | . as $pod | .initContainers[]?, .containers[] |
	((.envFrom[]?.configMapRef.name | "ConfigMap \(.)"),
		(.env[]?.valueFrom | (.configMapKeyRef | values | "ConfigMap \(.name)/\(.key)"),
			(.secretKeyRef | values | "Secret \(.name)/\(.key)")),
		($pod.volumes[]? | (.configMap | values | "ConfigMap \(.name)"),
			(.secret | values | "Secret \(.secretName)", "Secret \(.secretName)/\(.items[]?.key)")) |
		. as $name | expect("\($at): missing \($name)"; $have | any(. == $name))),
	(.volumeMounts[]?.name as $name |
		expect("\($at): missing volume \($name)"; any($claims[], $pod.volumes[]?.name; . == $name))),
	expect("\($at), \(.name): violates the restricted pod security standard, or has a writable root";
		($pod.securityContext | .runAsNonRoot and .seccompProfile.type == "RuntimeDefault") and (.securityContext |
			.allowPrivilegeEscalation == false and .readOnlyRootFilesystem and .capabilities.drop == ["ALL"])),
	expect("\($at), \(.name): missing memory request or limit"; .resources | .requests.memory and .limits.memory)),

($objects["ConfigMap sabine"].data as $settings | $objects["Deployment sabine"].spec |
	.strategy.rollingUpdate as $update | .template.spec | .terminationGracePeriodSeconds as $grace |
	.containers[0] |
	($settings.SABINE_DRAIN_DELAY | rtrimstr("s") | tonumber) as $delay |
	([.volumeMounts[].mountPath] as $mounts | $settings | to_entries[] | .value as $path |
		select($path[:1] == "/") | expect("\(.key): nothing is mounted at \($path)";
			any($mounts[]; . as $m | "\($path)/" | startswith("\($m)/")))),
	expect("an old pod ends before a new one is ready"; $update.maxUnavailable == 0 and $update.maxSurge >= 1),
	expect("a pod needs more time to end than the drain delay and 14 seconds"; $grace > $delay + 14),
	expect("a pod refuses connections before it has left the service";
		$delay >= (.readinessProbe | .periodSeconds * .failureThreshold)),
	expect("expected /readyz and /healthz of the admin port"; ["/readyz", "admin", "/healthz", "admin"] ==
		[.readinessProbe, .livenessProbe | .httpGet.path, .httpGet.port]))
