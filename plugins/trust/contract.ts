// Defines the contract of workspace trust: content of a workspace (instructions, programs to start) takes effect only after the user trusts it.
import type { Series } from 'agent-harness/kernel';

/** Content of a workspace that would take effect without the user's request. */
export interface TrustFinding {
  /** Display text, for example "3 files with instructions". */
  readonly title: string;
  /** The exact content: file names, or each command with its arguments, one line each. */
  readonly detail: string;
  /** SHA-256, in hex, of all content that the trust covers; changed content is not trusted. */
  readonly digest: string;
  /** Whether clients list the finding without announcing it; set for findings that nearly every workspace has. */
  readonly isListedOnly?: boolean;
  /** Real paths of the workspace files that the digest covers; tools need approval to change a trusted file. */
  readonly files?: readonly string[];
}

/** Contribution point `trust_subject`: finds one kind of content that needs trust. */
export interface TrustSubject {
  /** Unique name in kebab-case, for example `mcp-servers` or `instructions`. */
  readonly name: string;
  /** Returns the current finding; `undefined` if the workspace has none. Contract: read-only and fast. */
  find(workspaceRoot: string): Promise<TrustFinding | undefined>;
}

export interface TrustRow extends TrustFinding {
  readonly name: string;
  readonly isTrusted: boolean;
}

export interface Trust {
  /** Returns whether the user trusts this workspace with exactly this content. */
  isTrusted(workspaceRoot: string, subject: string, digest: string): Promise<boolean>;
  /** Returns the current findings of the workspace. */
  rows(workspaceRoot: string): Promise<TrustRow[]>;
  /** Returns whether the files of a workspace are treated as the user's own: the product created the workspace or the user trusts its files. */
  areFilesTrusted(workspaceRoot: string): Promise<boolean>;
  /** Returns the title of the trusted finding that covers this file. @param path real path of the file */
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
