// Defines the content of a bundle: commands, hooks, skills, servers, and the digest that the user trusts.
import type { CommandFile } from '#lib/command-file';

/** Supported hook events. */
export const hookEvents = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const;
export type HookEvent = (typeof hookEvents)[number];

export interface BundleHook {
  readonly event: HookEvent;
  /** Pattern for tool names; empty: every tool. */
  readonly matcher: string;
  /** Shell command, exactly as in the file. */
  readonly command: string;
  readonly timeoutMs: number;
}

export interface Bundle {
  /** Real path. */
  readonly root: string;
  /** For a workspace, the name of its folder. */
  readonly name: string;
  readonly description: string;
  /** Whether the bundle is in the plugin folder and applies to every chat; false for a workspace. */
  readonly isOwn: boolean;
  readonly commands: readonly CommandFile[];
  readonly hooks: readonly BundleHook[];
  /** Names of the folders under `skills/` with a SKILL.md. */
  readonly skills: readonly string[];
  readonly hasServers: boolean;
  /** Sentences about unused parts of the bundle, with reasons. */
  readonly leftOut: readonly string[];
  /** Relevant files by path; the digest covers all of their bytes. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** SHA-256 hash of paths and contents, in hex. */
  readonly digest: string;
  /** Changes when any of the files changes. */
  readonly stamp: string;
}

/** Formats counts such as `1 hook, 2 commands`. */
export function describeCounts({ commands, hooks, skills }: Pick<Bundle, 'commands' | 'hooks' | 'skills'>): string {
  const counts = [
    [hooks.length, 'hook'],
    [commands.length, 'command'],
    [skills.length, 'skill'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`);
  return parts.length === 0 ? 'nothing that is used' : parts.join(', ');
}
