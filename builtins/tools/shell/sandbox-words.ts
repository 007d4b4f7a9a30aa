// What a sandboxed command finds in its environment, and what the model reads when the sandbox stopped it.
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { RunCommandArgs } from './inputs.ts';

/** The home folder is read-only there, so caches go where they can be written. */
export const sandboxEnvironment = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.cache/npm' };

export const noSandboxHint = 'Tell the user: install bubblewrap, or set AGENT_SANDBOX to auto.';

const readOnly = /read-only file system|EROFS/i;
/** What is guarded can neither be replaced nor moved. */
const guarded = /device or resource busy|EBUSY/i;
const noNetwork =
  /network is unreachable|could not resolve|name resolution|temporary failure in name|unknown host|getaddrinfo|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|connection refused|failed to connect/i;

const writable = 'It ran in a sandbox that writes to the workspace and /tmp only.';
const settingsHint =
  'There it leaves files that other programs obey (.git/config, hooks, .vscode, AGENTS.md) as they are; where it has to change those, give changesSettings: true.';

/** Tells of files that the sandbox could not guard, because they were not there yet. */
export function withMadeFiles(outcome: ToolOutcome, made: readonly string[]): ToolOutcome {
  if (made.length === 0) return outcome;
  const shown = made.slice(0, 10).join(', ') + (made.length > 10 ? ', …' : '');
  const line = `\n[It made files that other programs obey: ${shown}. Tell the user, who may want to look at them.]`;
  return outcome.ok ? { ...outcome, output: outcome.output + line } : { ...outcome, error: outcome.error + line };
}

/** Says what the sandbox has to do with a failure that looks like its work. */
export function withSandboxHint(outcome: ToolOutcome, { network, changesSettings }: RunCommandArgs, { sandbox }: { readonly sandbox?: unknown }): ToolOutcome {
  if (outcome.ok || outcome.hint !== undefined || sandbox === undefined) return outcome;
  if (network !== true && noNetwork.test(outcome.error)) return { ...outcome, hint: 'It ran without network. Where it needs the network, give network: true.' };
  if (changesSettings !== true && (guarded.test(outcome.error) || readOnly.test(outcome.error))) return { ...outcome, hint: `${writable} ${settingsHint}` };
  if (readOnly.test(outcome.error)) return { ...outcome, hint: writable };
  return outcome;
}
