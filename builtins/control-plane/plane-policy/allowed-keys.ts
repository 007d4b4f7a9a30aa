// Which variables a fleet may set: those of the agent that last, show and are nobody's secret. A service checks again what it knows of each.

/** What decides whom a service trusts, what it runs and what it sends where. */
const never: readonly RegExp[] = [
  /(^|_)(KEY|KEYS|TOKEN|SECRET|SECRETS|PASSWORD|CREDENTIALS?)$/,
  /^AGENT_(LICENSE|PLUGIN|WEB_TOKEN|WEB_BIND|WEB_CORS|WEB_ALLOWED|ENTERPRISE|INFERENCE_SESSION)/,
  /^AGENT_(HUB_SITE_URL|CONTROL_PLANE_URL|YOLO|WORKSPACE_ROOT)$/,
];

export function isFleetKey(name: string): boolean {
  return name.startsWith('AGENT_') && !never.some((pattern) => pattern.test(name));
}
