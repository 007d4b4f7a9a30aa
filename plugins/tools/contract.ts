// The contract of tools: definition, lazy families, and artifacts for large output.
import type { TSchema } from 'typebox';
import type { Waterfall } from 'agent-harness/kernel';
import type { ImagePart, ModelToolSpec } from 'agent-harness/plugins/models';
import type { View } from 'agent-harness/plugins/views';

/** Effects of a tool. None declared means unknown, so an approval is required. */
export type Effect = 'read' | 'write' | 'execute' | 'network' | 'external';
/**
 * How an undo can revert a call. `checkpoint`: the tool announces each change. `compare`: a program changes the workspace; its changes are found by
 * comparing the files before and after.
 */
export type Undo = 'none' | 'checkpoint' | 'compare';
/**
 * Properties of a tool that others rely on, independent of its name. `knowledge`: shown from the start where knowledge comes first.
 * `lasting`: later turns rely on what it writes. `reads_web`: returns text from the web. `reads_people`: returns messages of other team members.
 * `reads_artifacts`: returns an
 * artifact by `id`, and a part of it by `startLine` and `endLine`. `reads_attachments`: returns the readable text of an attachment by
 * the `path` `attachment:<id>`. `copies_attachments`: copies one, by `id`, into the workspace.
 * `presents_plan`: its arguments contain a plan for the user to approve.
 */
export type ToolTrait =
  'knowledge' | 'lasting' | 'reads_web' | 'reads_people' | 'reads_artifacts' | 'reads_attachments' | 'copies_attachments' | 'presents_plan';
/** Action of a call, in a word that clients translate. */
export type ToolVerb = 'read' | 'write' | 'edit' | 'list' | 'find' | 'search' | 'run' | 'fetch';

/** Handling of a call without a result after a restart. `pure` calls need no flush before they start. */
export type Replay = 'pure' | 'idempotent' | 'ask' | 'never';

export type ToolOutcome =
  | {
      readonly ok: true;
      /** For the model. */
      readonly output: string;
      readonly artifactId?: string;
      /** Pictures for the model. */
      readonly images?: readonly ImagePart[];
      /** Shown to users instead of the output by every client; the model gets none of it. An invalid one is left out, and reported by the plugin's name. */
      readonly view?: View;
      /** The output is external content (web, files outside the workspace): data, not instructions. */
      readonly isUntrusted?: boolean;
      /** The external content is from workspace files: no repeated warning. */
      readonly fromWorkspace?: boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      readonly hint?: string;
      /** The full text of an error that was too long. */
      readonly artifactId?: string;
      /** The error quotes external content. */
      readonly isUntrusted?: boolean;
      /** The external content is from workspace files: no repeated warning. */
      readonly fromWorkspace?: boolean;
    };

export interface ToolContext {
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  /** Absolute, real path. */
  readonly workspaceRoot: string;
  /** Aborted with the turn. Contract: the tool ends within 2 s, including child processes. */
  readonly signal: AbortSignal;
  /** Emits a status line while it runs. */
  progress(note: string): void;
  /** Reports that the turn waits for a model or the user; the returned function ends that. */
  waiting(waitingFor: 'model' | 'answer'): () => void;
}

/** An approved call, exactly as decided, deeply frozen. */
export interface GrantedCall extends Pick<ToolContext, 'chatId' | 'turnId' | 'callId' | 'workspaceRoot'> {
  readonly tool: RegisteredTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** The principal that changed the arguments while deciding; `args` has the edited ones. */
  readonly editedBy?: string;
  /** Runs instead of the tool: applies the preview shown when it was decided. */
  readonly instead?: RunTool;
}

declare const granted: unique symbol;

/**
 * Permission to run one call, once. Only the gate creates grants and recognizes them by identity, so that neither a copy nor an
 * object of the same shape runs anything.
 */
export interface Grant extends GrantedCall {
  readonly [granted]: true;
}

/** Contribution point `tool_gate`: decides which calls run. There is exactly one; without it nothing runs. */
export interface ToolGate {
  readonly name: string;
  /** Whether it created this very object and it is unused; marks it as used. */
  redeem(grant: Grant): boolean;
}

/**
 * Contract: may throw; a throw becomes `{ ok: false }`: a `failure` of `agent-harness/lib` with its message and hint, an
 * error of the plugin's table with its message, anything else as a fault of the tool. Arguments have been checked against `input`.
 */
export type RunTool = (args: never, context: ToolContext) => ToolOutcome | string | Promise<ToolOutcome | string>;

/** Contribution point `tool`. */
export interface Tool {
  /** snake_case, at most 64 characters; a third-party name keeps its capitals. */
  readonly name: string;
  /** The plugin's name when left out. */
  readonly family?: string;
  readonly description: string;
  /** JSON Schema of an object. Give `additionalProperties: false`. */
  readonly input: TSchema | Readonly<Record<string, unknown>>;
  readonly effects?: readonly Effect[];
  readonly undo?: Undo;
  readonly replay?: Replay;
  /** Its output may contain workspace files: external content until the user trusts these files. */
  readonly readsWorkspace?: boolean;
  /**
   * Its arguments are sent to a third party, even if the call is harmless: after external content was read, a call with any of
   * them requires an approval. The ones listed are not sent.
   */
  readonly sendsArguments?: true | { readonly except: readonly string[] };
  /**
   * Arguments without influence on the effects of a call, such as a time limit: a remembered decision ignores them. They are
   * shown and passed like all others.
   */
  readonly incidental?: readonly string[];
  /**
   * Kinds of calls that the user may approve together, narrowest first, as continuations of "always":
   * `['npm run build …', 'npm run …']`. Equal words mean the same kind, so they name everything that determines the effects of such a call. Left out or
   * empty if only exactly this call can be judged.
   */
  readonly kinds?: (args: never) => readonly string[] | Promise<readonly string[]>;
  /** Its calls run concurrently with each other and with `pure` ones; they must not interfere. */
  readonly isConcurrent?: boolean;
  /** Milliseconds; 120,000 when left out, 0 for none. */
  readonly timeoutMs?: number;
  readonly traits?: readonly ToolTrait[];
  /** Display of its calls in clients; defaults apply when left out. Stored in the journal, so it does not depend on the tool. */
  readonly display?: {
    /** Name of an icon of the clients, as for panels: `file`, `search`, `terminal`. */
    readonly icon?: string;
    /** Action of a call, for clients that show it in words (`Ran npm test`); the tool's name is shown when left out. */
    readonly verb?: ToolVerb;
    /** The subject of the call in one line: the file, the question. */
    readonly subject?: (args: never) => string;
  };
  /** Always shown to the model; other tools are shown once their family is requested. */
  readonly isEveryday?: boolean;
  /** Requires an approval: always, or for these arguments. Returns the reason as a sentence. */
  readonly needsApproval?:
    boolean | ((args: never, context: Pick<ToolContext, 'chatId' | 'workspaceRoot' | 'callId'>) => string | undefined | Promise<string | undefined>);
  /** The content of an approval: the exact command with its folder, or a diff. */
  readonly preview?: (
    args: never,
    context: Pick<ToolContext, 'chatId' | 'workspaceRoot' | 'callId'>,
  ) => ApprovalPreview | undefined | Promise<ApprovalPreview | undefined>;
  /**
   * The argument whose text streams as `compose_preview` while the model writes it (`edits.replace`: that field of each object in a list), and the path
   * argument.
   */
  readonly compose?: { readonly path: string; readonly content: string | readonly string[] };
  /**
   * Returns the call of another tool of the same plugin that a call of this one stands for: everything that decides about, shows or
   * runs the call uses the other. For families with a finder, whose tools are in no request.
   */
  readonly standsFor?: (args: never) => { readonly tool: string; readonly args: unknown };
  /** Exactly one of `run` and `load`; never called for a tool that stands for others. */
  readonly run?: RunTool;
  /** Loads the code on first use. */
  readonly load?: () => Promise<RunTool>;
}

export type ApprovalPreview =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      /** It has network access; `false`: it does not, unless its argument `network` is true. */ readonly network?: boolean;
    }
  | { readonly kind: 'diff'; readonly path: string; readonly diff: string };

/** Contribution point `tool_family`: many tools whose code is one lazy chunk. */
export interface ToolFamily {
  readonly name: string;
  /** One line in the list of families that the model sees. */
  readonly description: string;
  readonly tools: readonly Omit<Tool, 'run' | 'load' | 'family'>[];
  /** Traits of each of its tools. */
  readonly traits?: readonly ToolTrait[];
  /**
   * The name of a tool that searches the tools of this family and returns their descriptions: for families too large
   * to be listed. They are in no request, so that finding one does not invalidate the provider's prompt cache.
   */
  readonly finder?: string;
  /** Tool name → code. */
  readonly load: () => Promise<Readonly<Record<string, RunTool>>>;
}

export interface ToolRow {
  readonly name: string;
  readonly family: string;
  readonly plugin: string;
  readonly description: string;
  readonly effects: readonly Effect[];
  readonly visible: boolean;
}

export interface RegisteredTool extends Tool {
  readonly family: string;
  readonly plugin: string;
  /** Its own traits and those of its family. */
  readonly traits: readonly ToolTrait[];
}

export type CheckedCall =
  | { readonly ok: true; readonly tool: RegisteredTool; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly error: string; readonly hint?: string };

export interface Tools {
  list(chatId?: string): ToolRow[];
  find(name: string): RegisteredTool | undefined;
  /** Returns the name of a tool with this trait; the first by name if there are several. */
  nameWith(trait: ToolTrait): string | undefined;
  /** Returns the model's description of a tool, whether this chat shows it or not; always the same object. */
  specOf(name: string): ModelToolSpec | undefined;
  /** Returns the tools for the model in this chat, sorted by name; and one line per hidden family for the prompt. */
  visible(chatId: string): {
    readonly specs: readonly ModelToolSpec[];
    readonly hiddenFamilies: readonly { name: string; description: string; tools: readonly string[] }[];
  };
  /** Shows a family in this chat from now on; no effect for one with a finder. */
  reveal(chatId: string, name: string): void;
  /**
   * Parses and checks arguments; returns the actual tool if another stands for it. Invalid JSON, an unknown tool and wrong arguments are results, with advice.
   */
  check(name: string, argsText: string): CheckedCall;
  /** Checks parsed arguments (edited by the user) without changing them. */
  checkArgs(name: string, args: unknown): CheckedCall;
  /** Runs an approved call, once: loads on first use, under its time limit. Contract: never rejects. */
  run(grant: Grant, running: Pick<ToolContext, 'signal' | 'progress' | 'waiting'>): Promise<ToolOutcome>;
}

export interface Artifacts {
  /**
   * Saves text under the chat; the id is the SHA-256 of its bytes, in hex. `isOwn`: contains no external content. The
   * same bytes saved as external content, before or after, make it external content.
   */
  save(chatId: string, content: string | Uint8Array, origin?: { readonly isOwn: boolean }): Promise<string>;
  /** Whether it contains no external content. False if saved without an origin. */
  isOwn(chatId: string, artifactId: string): Promise<boolean>;
  /** Marks it as external content. */
  distrust(chatId: string, artifactId: string): Promise<void>;
  /** `undefined` if the chat has no such artifact, or the id is invalid. */
  read(chatId: string, artifactId: string): Promise<Uint8Array | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    tools: Tools;
    artifacts: Artifacts;
  }
  interface Hooks {
    /**
     * An approved call is about to run: returns a function that runs it, wrapping the value. That never rejects, and is called once. If a tap throws, or
     * its function rejects, the tool does not run. Taps see the call, and must not change it.
     */
    'tool.run': Waterfall<() => Promise<ToolOutcome>, [GrantedCall]>;
  }
  interface ContributionPoints {
    tool: Tool;
    tool_family: ToolFamily;
    tool_gate: ToolGate;
  }
}
