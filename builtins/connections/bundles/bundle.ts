// Defines the content of a bundle: commands, hooks, skills, servers, and the digest that the user trusts.
import type { CommandFile } from '#lib/command-file';

/** Events of hooks that are supported here. */
export const hookEvents = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const;
export type HookEvent = (typeof hookEvents)[number];

export interface BundleHook {
  readonly event: HookEvent;
  /** Matches names of tools; every tool when empty. */
  readonly matcher: string;
  /** For the shell, exactly as in the file. */
  readonly command: string;
  readonly timeoutMs: number;
}

export interface Bundle {
  /** Real path. */
  readonly root: string;
  /** For a workspace: the name of its folder. */
  readonly name: string;
  readonly description: string;
  /** A folder of the user's own, for every chat; false for one in a workspace. */
  readonly isOwn: boolean;
  readonly commands: readonly CommandFile[];
  readonly hooks: readonly BundleHook[];
  /** Names of the folders under `skills/` with a SKILL.md. */
  readonly skills: readonly string[];
  readonly hasServers: boolean;
  /** What is not used, and why, in sentences. */
  readonly leftOut: readonly string[];
  /** Relevant files by path; every byte of them is in the digest. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** SHA-256, in hex, of the paths and contents. */
  readonly digest: string;
  /** Changes when one of the files does. */
  readonly stamp: string;
}

/** `1 hook, 2 commands`. */
export function describeCounts({ commands, hooks, skills }: Pick<Bundle, 'commands' | 'hooks' | 'skills'>): string {
  const counts = [
    [hooks.length, 'hook'],
    [commands.length, 'command'],
    [skills.length, 'skill'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`);
  return parts.length === 0 ? 'nothing that is used' : parts.join(', ');
}
