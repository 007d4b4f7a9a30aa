// Defines the common form of another agent's data on this machine.
import type { ImportedPart } from 'agent-harness/plugins/chats';

export interface ForeignSession {
  /** Id given by that agent. */
  readonly id: string;
  readonly title: string;
  /** Absolute path of the folder that it worked in, if known. */
  readonly folder?: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  /** Size of its files; 0 if unknown before it is read. */
  readonly bytes: number;
}

/** What is read while a session is imported. */
export interface ReadSession {
  readonly parts: AsyncIterable<ImportedPart>;
  /** Keeps counting while the parts are read. */
  readonly faults: ReadFaults;
}

export interface ReadFaults {
  /** Number of invalid lines or files; they were skipped. */
  broken: number;
  /** The session was longer than what is read; the rest was left out. */
  isCut: boolean;
}

/** A server in the format of `POST /api/integrations/mcp`. */
export interface ForeignServer {
  readonly name: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absolute path of the file that contains it. */
  readonly file: string;
}

export interface ForeignRules {
  /** Absolute. */
  readonly path: string;
  /** For everything that the agent does for this user, or for one folder. */
  readonly scope: 'global' | 'workspace';
  readonly text: string;
}

export interface Listed {
  /** The newest first. */
  readonly sessions: readonly ForeignSession[];
  /** What is not available, and why, in sentences. */
  readonly notes: readonly string[];
}

/** Reads only, never follows a link below its folders, and never rejects because something does not exist. */
export interface ForeignAgent {
  /** kebab-case. */
  readonly name: string;
  readonly title: string;
  list(): Promise<Listed>;
  /** Resolves with `undefined` if there is no such session. */
  read(id: string): Promise<(ForeignSession & ReadSession) | undefined>;
  servers(): Promise<readonly ForeignServer[]>;
  /** @param folders in which its sessions worked */
  rules(folders: readonly string[]): Promise<readonly ForeignRules[]>;
}

/** Where agents store data: the user's home folder and the variables that override it. */
export interface ForeignPlaces {
  /** Absolute. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
