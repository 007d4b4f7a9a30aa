// The contract of workspace trust: content of a folder (instructions, programs to start) takes effect only after the user's approval.
import type { Series } from 'agent-harness/kernel';

/** Content of a workspace that takes effect without being requested. */
export interface TrustFinding {
  /** Display text: "3 files with instructions". */
  readonly title: string;
  /** Exactly what would be read or run: file names, or each command with its arguments, a line each. */
  readonly detail: string;
  /** SHA-256, in hex, of everything that the trust covers: changed content is not trusted. */
  readonly digest: string;
  /** Listed, but not announced by clients: nearly every workspace has it. */
  readonly isListedOnly?: boolean;
  /** Real paths of the workspace files covered by the digest: tools ask before they change a trusted one. */
  readonly files?: readonly string[];
}

/** Contribution point `trust_subject`. */
export interface TrustSubject {
  /** kebab-case, unique: `mcp-servers`, `instructions`. */
  readonly name: string;
  /** Returns the current finding; `undefined` if the workspace has none. Contract: read-only and fast. */
  find(workspaceRoot: string): Promise<TrustFinding | undefined>;
}

export interface TrustRow extends TrustFinding {
  readonly name: string;
  readonly isTrusted: boolean;
}

export interface Trust {
  /** Whether the user trusts this workspace with exactly this content. */
  isTrusted(workspaceRoot: string, subject: string, digest: string): Promise<boolean>;
  /** Returns the current findings of the workspace. */
  rows(workspaceRoot: string): Promise<TrustRow[]>;
  /** Whether files of a workspace count as the user's own: the product created it, or the user trusts its files. */
  areFilesTrusted(workspaceRoot: string): Promise<boolean>;
  /** Returns the title of the trusted finding that covers the content of this file. @param path real */
  coverOf(workspaceRoot: string, path: string): Promise<string | undefined>;
  /** Stores the user's decision, then runs `trust.changed`. */
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
