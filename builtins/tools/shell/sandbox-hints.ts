// Defines the environment of sandboxed commands, and hints for the model about failures that the sandbox causes.
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { RunCommandArgs } from './inputs.ts';

/** Variables that move caches to a writable location, because the home folder is read-only in the sandbox. */
export const sandboxEnvironment = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.cache/npm' };

export const noSandboxHint = 'Tell the user: install bubblewrap, or set AGENT_SANDBOX to auto.';

const readOnly = /read-only file system|EROFS/i;
/** Matches errors about guarded files, which can be neither replaced nor moved. */
const guarded = /device or resource busy|EBUSY/i;
const noNetwork =
  /network is unreachable|could not resolve|name resolution|temporary failure in name|unknown host|getaddrinfo|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|connection refused|failed to connect/i;

const writable = 'Its sandbox can write only to the workspace and /tmp.';
const settingsHint = 'To change files that control other programs (.git/config, hooks, .vscode, AGENTS.md), pass changesSettings: true.';

const repositoryHint = 'The repository of this worktree or submodule is outside the workspace; if git must write there, pass git: true.';

/** Reports files that the sandbox could not guard because they did not exist yet. */
export function withMadeFiles(outcome: ToolOutcome, made: readonly string[]): ToolOutcome {
  if (made.length === 0) return outcome;
  const shown = made.slice(0, 10).join(', ') + (made.length > 10 ? ', …' : '');
  return withLine(outcome, `It created files that control other programs: ${shown}. Tell the user to review them.`);
}

/** Reports files that were created in the repository outside the workspace and would control git. */
export function withRemovedFiles(outcome: ToolOutcome, removed: readonly string[]): ToolOutcome {
  return removed.length === 0
    ? outcome
    : withLine(outcome, `It created ${removed.join(', ')} in the repository outside the workspace; removed, because it would control git.`);
}

function withLine(outcome: ToolOutcome, text: string): ToolOutcome {
  return outcome.ok ? { ...outcome, output: `${outcome.output}\n[${text}]` } : { ...outcome, error: `${outcome.error}\n[${text}]` };
}

/** Adds a hint to a failure that the sandbox probably caused. */
export function withSandboxHint(
  outcome: ToolOutcome,
  { network, changesSettings }: RunCommandArgs,
  {
    sandbox,
    isOutside,
  }: { readonly sandbox?: unknown; /** The repository is outside the workspace and was not made writable. */ readonly isOutside?: boolean },
): ToolOutcome {
  if (outcome.ok || outcome.hint !== undefined || sandbox === undefined) return outcome;
  if (network !== true && noNetwork.test(outcome.error)) return { ...outcome, hint: 'It ran without network. If it needs the network, pass network: true.' };
  if (isOutside && (readOnly.test(outcome.error) || /not a git repository/i.test(outcome.error))) return { ...outcome, hint: `${writable} ${repositoryHint}` };
  if (changesSettings !== true && (guarded.test(outcome.error) || readOnly.test(outcome.error))) return { ...outcome, hint: `${writable} ${settingsHint}` };
  if (readOnly.test(outcome.error)) return { ...outcome, hint: writable };
  return outcome;
}
