// Trust in a workspace: what a folder brings with it (instructions, programs to start) counts only after a person said so.
import type { Series } from 'agent-harness/kernel';

/** Something in a workspace that would act on its own if it were not asked for. */
export interface TrustFinding {
  /** For people: "3 files with instructions". */
  readonly title: string;
  /** Exactly what would be read or run: file names, or each command with its arguments, a line each. */
  readonly detail: string;
  /** SHA-256, in hex, of everything that trust is given to: another content is not trusted. */
  readonly digest: string;
  /** It is listed, but no client points it out by itself: nearly every workspace has it. */
  readonly isListedOnly?: boolean;
  /** Real paths of the files of the workspace whose content the digest covers: tools ask before they change one that is trusted. */
  readonly files?: readonly string[];
}

/** Contribution point `trust_subject`. */
export interface TrustSubject {
  /** kebab-case, unique: `mcp-servers`, `instructions`. */
  readonly name: string;
  /** What the workspace has now; `undefined` where it has nothing of the kind. Contract: reads only, quickly. */
  find(workspaceRoot: string): Promise<TrustFinding | undefined>;
}

export interface TrustRow extends TrustFinding {
  readonly name: string;
  readonly isTrusted: boolean;
}

export interface Trust {
  /** Whether a person trusts this workspace with exactly this content. */
  isTrusted(workspaceRoot: string, subject: string, digest: string): Promise<boolean>;
  /** What the workspace brings with it now. */
  rows(workspaceRoot: string): Promise<TrustRow[]>;
  /** Whether what stands in the files of a workspace counts as the person's own: in one that the product made, and in one whose files a person trusts. */
  areFilesTrusted(workspaceRoot: string): Promise<boolean>;
  /** The title of what a person trusts in this workspace, where that covers the content of this file. @param path real */
  coverOf(workspaceRoot: string, path: string): Promise<string | undefined>;
  /** Keeps what a person decided, then runs `trust.changed`. */
  decide(workspaceRoot: string, subject: string, digest: string, isTrusted: boolean): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    trust: Trust;
  }
  interface ContributionPoints {
    trust_subject: TrustSubject;
  }
  interface Hooks {
    'trust.changed': Series<[{ readonly workspaceRoot: string; readonly subject: string; readonly isTrusted: boolean }]>;
  }
}
