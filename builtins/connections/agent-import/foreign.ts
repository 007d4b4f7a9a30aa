// What another agent keeps on this machine, in the same shape for each of them.
import type { ImportedPart } from 'agent-harness/plugins/chats';

export interface ForeignSession {
  /** As that agent calls it. */
  readonly id: string;
  readonly title: string;
  /** Absolute path of the folder that it worked in, where that is known. */
  readonly folder?: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  /** Of its files; 0 where that is not known before it is read. */
  readonly bytes: number;
}

/** What is read while a session comes in. */
export interface ReadSession {
  readonly parts: AsyncIterable<ImportedPart>;
  /** Counts on while the parts are read. */
  readonly faults: ReadFaults;
}

export interface ReadFaults {
  /** Lines or files that are not what they should be; they were skipped. */
  broken: number;
  /** The session was longer than what is read; the rest was left out. */
  isCut: boolean;
}

/** A server as `POST /api/integrations/mcp` takes it. */
export interface ForeignServer {
  readonly name: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absolute path of the file that names it. */
  readonly file: string;
}

export interface ForeignRules {
  /** Absolute. */
  readonly path: string;
  /** Of everything that the agent does for this person, or of one folder. */
  readonly scope: 'global' | 'workspace';
  readonly text: string;
}

export interface Listed {
  /** The newest first. */
  readonly sessions: readonly ForeignSession[];
  /** What cannot be had, and why, in sentences. */
  readonly notes: readonly string[];
}

/** Reads only, never follows a link below its folders, and never rejects for what is merely not there. */
export interface ForeignAgent {
  /** kebab-case. */
  readonly name: string;
  readonly title: string;
  list(): Promise<Listed>;
  /** `undefined` where there is no such session. */
  read(id: string): Promise<(ForeignSession & ReadSession) | undefined>;
  servers(): Promise<readonly ForeignServer[]>;
  /** @param folders in which its sessions worked */
  rules(folders: readonly string[]): Promise<readonly ForeignRules[]>;
}

/** Where agents keep things: the folder of the person and the variables that move it. */
export interface ForeignPlaces {
  /** Absolute. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
