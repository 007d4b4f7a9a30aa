// What a sandboxed command finds in its environment, and what the model reads when the sandbox stopped it.
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { RunCommandArgs } from './inputs.ts';

/** The home folder is read-only there, so caches go where they can be written. */
export const sandboxEnvironment = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.cache/npm' };

export const noSandboxHint = 'Tell the user: install bubblewrap, or set AGENT_SANDBOX to auto.';

const readOnly = /read-only file system|EROFS/i;
const noNetwork =
  /network is unreachable|could not resolve|name resolution|temporary failure in name|unknown host|getaddrinfo|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|connection refused|failed to connect/i;

/** Says what the sandbox has to do with a failure that looks like its work. */
export function withSandboxHint(outcome: ToolOutcome, { network }: RunCommandArgs, { sandbox }: { readonly sandbox?: unknown }): ToolOutcome {
  if (outcome.ok || outcome.hint !== undefined || sandbox === undefined) return outcome;
  if (network !== true && noNetwork.test(outcome.error)) return { ...outcome, hint: 'It ran without network. Where it needs the network, give network: true.' };
  if (readOnly.test(outcome.error)) return { ...outcome, hint: 'It ran in a sandbox that writes to the workspace and /tmp only.' };
  return outcome;
}
