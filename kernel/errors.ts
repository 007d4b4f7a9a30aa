// Defines error codes: the kernel's own table, and the factory that plugins use.
import type { ErrorSpec, KernelError } from './types.ts';

export const kernelErrors = {
  PLUGIN_IMPORT: { message: "Plugin '{plugin}' could not be imported: {why}" },
  PLUGIN_MISSING: { message: "Plugin '{plugin}' does not exist in {place}. Available plugins: {known}." },
  PLUGIN_STALE: { message: "Plugin '{plugin}' still runs the version from before its file changed: {why}" },
  PLUGIN_REFUSED: { message: "Plugin '{plugin}' was not loaded: {why}" },
  PLUGIN_INVALID: { message: "Plugin '{plugin}' is not a valid plugin: {why}" },
  PLUGIN_DUPLICATE: { message: "Two plugins are named '{plugin}' ({first} and {second}); rename or remove one." },
  PLUGIN_REGISTER: { message: "Plugin '{plugin}' failed in register(): {why}" },
  PLUGIN_TIMEOUT: { message: "Plugin '{plugin}' did not finish its {step} within {ms} ms. Only declare at startup, and do slow work on first use." },
  PLUGIN_FAULT: { message: "Plugin '{plugin}' {what}" },
  LISTENER_FAULT: { message: "Plugin '{plugin}' failed in its listener for the event '{event}': {why}" },
  LISTENER_REJECTED: { message: "An asynchronous listener of plugin '{plugin}' for the event '{event}' rejected: {why}" },
  PLUGIN_CYCLE: { message: 'These plugins depend on each other in a cycle: {path}. Make one of the dependencies optional.' },
  PLUGIN_PLATFORM: { message: "The platform plugin '{plugin}' cannot start, and no other plugin can start without it: {why}" },
  CONFIG_INVALID: { message: "Setting {key} of plugin '{plugin}' is not valid: {why}" },
  SETTING_UNUSABLE: { message: '{key} cannot be used: its value {why} Correct {key} or remove it.', status: 503 },
  SERVICE_UNDECLARED: { message: "Plugin '{plugin}' reads service '{key}' without listing it in manifest.requires or manifest.optional." },
  SERVICE_UNPROVIDED: { message: "Plugin '{plugin}' may not provide '{key}': it is not in its manifest.provides." },
  SERVICE_NOT_PROVIDED: { message: "Plugin '{plugin}' lists '{key}' in manifest.provides, but its register() did not provide it." },
  SERVICE_DUPLICATE: { message: "Service '{key}' is provided by both '{first}' and '{second}'; disable one of them." },
  SERVICE_MISSING: { message: "No plugin provides service '{key}'. Enable or install one that does." },
  SERVICE_GONE: { message: "Service '{key}' is no longer available: plugin '{plugin}', which provided it, was unloaded." },
  HOOK_DUPLICATE: { message: "Hook '{hook}' is declared by both '{first}' and '{second}'; disable one of them." },
  HOOK_UNKNOWN: { message: "Hook '{hook}' was called, but no plugin declares it." },
  HOOK_FAULT: { message: "Plugin '{plugin}' failed in hook '{hook}': {why}" },
  HOOK_TIMEOUT: { message: "Plugin '{plugin}' did not finish in hook '{hook}' within {ms} ms and was abandoned." },
  HOOK_LEFT: { message: "Plugin '{plugin}' did not stop in hook '{hook}' after an abort and was abandoned." },
  EVENT_NOT_OWNER: { message: "Plugin '{plugin}' may not emit '{event}': {why}" },
  EVENT_DUPLICATE: { message: "Event '{event}' is owned by both '{first}' and '{second}'; disable one of them." },
  POINT_DUPLICATE: { message: "Contribution point '{point}' is owned by both '{first}' and '{second}'; disable one of them." },
  POINT_UNKNOWN: { message: "Plugin '{plugin}' adds to '{name}', which no plugin owns{hint}" },
  EVENT_UNKNOWN: { message: "Plugin '{plugin}' listens to '{name}', which no plugin emits{hint}" },
  HOOK_UNDECLARED: { message: "Plugin '{plugin}' taps '{name}', which no plugin declares{hint}" },
  POINT_FAULT: { message: "Plugin '{plugin}' failed in {step}() of its contribution point '{point}' for an item of plugin '{contributor}': {why}" },
  CONTRIBUTION_INVALID: { message: "Plugin '{plugin}' cannot add to '{point}': {why}" },
  REENTRANT: {
    message:
      "The kernel cannot {what} during '{running}', because the call would wait for itself. Do it later, for example on the event 'kernel_ready', without waiting.",
  },
  SCOPE_CLOSED: { message: "Plugin '{plugin}' tried to register {label} after {what} ended." },
  DISPOSE_TIMEOUT: { message: "Undoing {label} of plugin '{plugin}' took longer than {ms} ms and was abandoned." },
  DATA_DIR_MISSING: { message: "Plugin '{plugin}' has no data folder, because the kernel was created without dataDir. Pass dataDir to createKernel()." },
  ERROR_UNLISTED: { message: "Plugin '{plugin}' created the error '{reason}', which its manifest.errors does not list." },
} as const satisfies Record<string, ErrorSpec>;

type Details = Readonly<Record<string, unknown>>;

/** Creates an error from the kernel's own table. */
export function kernelError(reason: keyof typeof kernelErrors, details: Details, cause?: unknown): KernelError {
  const spec: ErrorSpec = kernelErrors[reason];
  const owner = typeof details['plugin'] === 'string' ? { plugin: details['plugin'] } : {};
  const hook = typeof details['hook'] === 'string' ? { hook: details['hook'] } : {};
  return makeError(`KRN_ERR_${reason}`, spec, details, cause, { ...owner, ...hook });
}

/** Creates an error of a plugin. Returns `KRN_ERR_ERROR_UNLISTED` for a reason that the manifest does not list, because the reference documents every code. */
export function pluginError(plugin: string, table: Readonly<Record<string, ErrorSpec>>, reason: string, details: Details = {}, cause?: unknown): KernelError {
  const spec = Object.hasOwn(table, reason) ? table[reason] : undefined;
  if (!spec) return kernelError('ERROR_UNLISTED', { plugin, reason }, cause);
  return makeError(`${errorPrefix(plugin)}_ERR_${reason}`, spec, details, cause, { plugin });
}

/** Returns the prefix of a plugin's error codes: `my-voice` → `MY_VOICE`. */
export function errorPrefix(plugin: string): string {
  return plugin.replaceAll('-', '_').toUpperCase();
}

/** Returns the message of any thrown value as a sentence. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  return String(thrown);
}

/** Returns the code of any thrown value; `undefined` if it has none. */
export function codeOf(thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns an error that has a plugin's or the kernel's code unchanged; wraps any other error, including system errors, which have codes of their own. */
export function withCode(cause: unknown, wrap: () => unknown): unknown {
  return codeOf(cause)?.includes('_ERR_') ? cause : wrap();
}

function makeError(code: string, spec: ErrorSpec, details: Details, cause: unknown, owner: Details): KernelError {
  const filled = spec.message.replace(/\{(\w+)\}/g, (whole, name: string) => (name in details ? String(details[name]) : whole));
  const message = filled.replace(/(?<=[\w'"’”])\.(?=\)|\.(?:\s|$))/g, ''); // removes the full stop of a sentence that was inserted into another
  const error = cause === undefined ? new Error(message) : new Error(message, { cause });
  return Object.assign(error, { code, details, ...owner, ...(spec.status === undefined ? {} : { status: spec.status }) });
}
