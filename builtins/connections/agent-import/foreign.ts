// Defines the common format for another agent's data on this machine.
import type { ImportedPart } from 'agent-harness/plugins/chats';

export interface ForeignSession {
  /** Id assigned by the other agent. */
  readonly id: string;
  readonly title: string;
  /** Absolute path of the session's working folder, if known. */
  readonly folder?: string;
  readonly updatedAt: string;
  /** Size of the files; 0 if unknown before reading. */
  readonly bytes: number;
}

/** Content read while a session is imported. */
export interface ReadSession {
  readonly parts: AsyncIterable<ImportedPart>;
  /** Updated while the parts are read. */
  readonly faults: ReadFaults;
}

export interface ReadFaults {
  /** Number of skipped invalid lines or files. */
  broken: number;
  /** Whether the session exceeded the size limit and its rest was omitted. */
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
  /** Absolute path of the source file. */
  readonly file: string;
}

export interface ForeignRules {
  /** Absolute path of the source file. */
  readonly path: string;
  /** Whether the rules apply to all of the user's work or to one folder. */
  readonly scope: 'global' | 'workspace';
  readonly text: string;
}

export interface Listed {
  /** The sessions, newest first. */
  readonly sessions: readonly ForeignSession[];
  /** Sentences about unavailable data, with reasons. */
  readonly notes: readonly string[];
}

/** Reads another agent's data. Never follows links below its folders, and never rejects because of missing files. */
export interface ForeignAgent {
  /** kebab-case. */
  readonly name: string;
  readonly title: string;
  list(): Promise<Listed>;
  /** Reads a session; `undefined` for an unknown one. */
  read(id: string): Promise<(ForeignSession & ReadSession) | undefined>;
  servers(): Promise<readonly ForeignServer[]>;
  /** Reads the rules. @param folders working folders of the sessions */
  rules(folders: readonly string[]): Promise<readonly ForeignRules[]>;
}

/** Locations of the agents' data: the user's home folder, and the environment variables that override it. */
export interface ForeignPlaces {
  /** Absolute path of the user's home folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
