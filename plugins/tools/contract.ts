// Defines the contract of tools: their definition, lazy families, and artifacts for large output.
import type { TSchema } from 'typebox';
import type { Waterfall } from 'agent-harness/kernel';
import type { ImagePart, ModelToolSpec } from 'agent-harness/plugins/models';
import type { View } from 'agent-harness/plugins/views';

/** Effects of a tool. Without a declaration, they are unknown, so calls need approval. */
export type Effect = 'read' | 'write' | 'execute' | 'network' | 'external';
/**
 * Method by which an undo can revert a call. `checkpoint`: the tool announces each change. `compare`: a program changes the workspace, and a comparison of
 * the files before and after the call finds the changes.
 */
export type Undo = 'none' | 'checkpoint' | 'compare';
/**
 * Properties of a tool on which other plugins rely, independent of its name. `knowledge`: in requests from the start with the profile `knowledge_first`.
 * `lasting`: later turns rely on its output. `reads_web`: returns text from the web. `reads_people`: returns messages of other team members. `reads_artifacts`:
 * returns an artifact by `id`, or the part from `startLine` to `endLine`. `reads_attachments`: returns the readable text of an attachment by the `path`
 * `attachment:<id>`. `copies_attachments`: copies an attachment, by `id`, into the workspace. `presents_plan`: its arguments contain a plan for the user's
 * approval.
 */
export type ToolTrait =
  'knowledge' | 'lasting' | 'reads_web' | 'reads_people' | 'reads_artifacts' | 'reads_attachments' | 'copies_attachments' | 'presents_plan';
/** The action of a call, as a word that clients translate. */
export type ToolVerb = 'read' | 'write' | 'edit' | 'list' | 'find' | 'search' | 'run' | 'fetch';

/** Handling of a call without a result after a restart. A `pure` call needs no flush before it starts. */
export type Replay = 'pure' | 'idempotent' | 'ask' | 'never';

export type ToolOutcome =
  | {
      readonly ok: true;
      /** Text for the model. */
      readonly output: string;
      readonly artifactId?: string;
      /** Images for the model. */
      readonly images?: readonly ImagePart[];
      /**
       * A view for users, which every client shows instead of the output; the model does not receive it. An invalid view is omitted and reported with the
       * plugin's name.
       */
      readonly view?: View;
      /** Whether the output is external content (web, files outside the workspace): data, not instructions. */
      readonly isUntrusted?: boolean;
      /** The external content comes from workspace files, so its warning is not repeated. */
      readonly fromWorkspace?: boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      readonly hint?: string;
      /** Id of the artifact with the full text of an error that was too long. */
      readonly artifactId?: string;
      /** Whether the error quotes external content. */
      readonly isUntrusted?: boolean;
      /** The external content comes from workspace files, so its warning is not repeated. */
      readonly fromWorkspace?: boolean;
    };

export interface ToolContext {
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  /** Absolute real path of the workspace. */
  readonly workspaceRoot: string;
  /** Aborted with the turn. Contract: the tool ends within 2 s, with its child processes. */
  readonly signal: AbortSignal;
  /** Emits a status line of the running tool. */
  progress(note: string): void;
  /** Reports that the turn waits for a model or the user; the returned function reports the end of the wait. */
  waiting(waitingFor: 'model' | 'answer'): () => void;
}

/** An approved call, exactly as decided; deeply frozen. */
export interface GrantedCall extends Pick<ToolContext, 'chatId' | 'turnId' | 'callId' | 'workspaceRoot'> {
  readonly tool: RegisteredTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Id of the principal that edited the arguments; `args` contains the edited arguments. */
  readonly editedBy?: string;
  /** Function that runs instead of the tool: it applies the preview that the approval displayed. */
  readonly instead?: RunTool;
}

declare const granted: unique symbol;

/**
 * Permission to run one call, once. Only the gate creates grants, and it identifies them by object identity: neither a copy nor an object with the same fields
 * can run a call.
 */
export interface Grant extends GrantedCall {
  readonly [granted]: true;
}

/** Contribution point `tool_gate`: decides which calls run. There is exactly one gate; without it, no call runs. */
export interface ToolGate {
  readonly name: string;
  /** Returns whether the gate created exactly this grant and the grant is unused; marks it as used. */
  redeem(grant: Grant): boolean;
}

/**
 * Runs a call. May throw; the result is then `{ ok: false }`: a `failure` of `agent-harness/lib` with its message and hint, an error of the plugin's table with
 * its message, other errors as a fault of the tool. The arguments match `input`.
 */
export type RunTool = (args: never, context: ToolContext) => ToolOutcome | string | Promise<ToolOutcome | string>;

/** Contribution point `tool`: a tool that the model can call. */
export interface Tool {
  /** Name in snake_case, at most 64 characters; third-party names may have capitals. */
  readonly name: string;
  /** Family of the tool; default: the name of the plugin. */
  readonly family?: string;
  readonly description: string;
  /** Schema of the arguments: the JSON Schema of an object. Set `additionalProperties: false`. */
  readonly input: TSchema | Readonly<Record<string, unknown>>;
  readonly effects?: readonly Effect[];
  readonly undo?: Undo;
  readonly replay?: Replay;
  /** Whether the output may contain workspace files, which are external content until the user trusts them. */
  readonly readsWorkspace?: boolean;
  /**
   * Whether the arguments are sent to a third party, even if the call is harmless. After external content was read, a call with arguments needs an approval.
   * `except` lists arguments that are not sent.
   */
  readonly sendsArguments?: true | { readonly except: readonly string[] };
  /**
   * Arguments that do not influence the effects of a call, such as a time limit: a remembered decision ignores them. They are
   * shown and passed like all others.
   */
  readonly incidental?: readonly string[];
  /**
   * Returns the kinds of call that the user may approve together, narrowest first, as ends of phrases that begin with "always": `['npm run build …', 'npm run
   * …']`. Equal strings mean the same kind, so each string must name all parts that determine the effects of such a call. Omitted or empty if only exactly this
   * call can be judged.
   */
  readonly kinds?: (args: never) => readonly string[] | Promise<readonly string[]>;
  /** Whether calls may run concurrently with each other and with `pure` calls. */
  readonly isConcurrent?: boolean;
  /** Time limit of a call in milliseconds; default: 120,000; 0: no limit. */
  readonly timeoutMs?: number;
  readonly traits?: readonly ToolTrait[];
  /** Display data of calls; defaults apply if it is omitted. The journal stores it with each call, because the tool may be missing later. */
  readonly display?: {
    /** Name of an icon in the clients, as for panels: `file`, `search`, `terminal`. */
    readonly icon?: string;
    /** Action of a call, for clients that name it (`Ran npm test`); default: the tool's name. */
    readonly verb?: ToolVerb;
    /** Returns the subject of the call in one line: the file, the question. */
    readonly subject?: (args: never) => string;
  };
  /** Whether every request contains the tool. Other tools are included only after their family was requested. */
  readonly isEveryday?: boolean;
  /** Whether calls need an approval: always, or if the function returns a reason, as a sentence, for these arguments. */
  readonly needsApproval?:
    boolean | ((args: never, context: Pick<ToolContext, 'chatId' | 'workspaceRoot' | 'callId'>) => string | undefined | Promise<string | undefined>);
  /** Returns the preview for an approval: the exact command with its folder, or a diff. */
  readonly preview?: (
    args: never,
    context: Pick<ToolContext, 'chatId' | 'workspaceRoot' | 'callId'>,
  ) => ApprovalPreview | undefined | Promise<ApprovalPreview | undefined>;
  /**
   * Names of the argument whose text streams as `compose_preview` while the model writes it (`edits.replace`: that field of each object in a list), and of
   * the argument with the path.
   */
  readonly compose?: { readonly path: string; readonly content: string | readonly string[] };
  /**
   * Returns the call of another tool of the same plugin that this call represents; that other call is decided, displayed and run instead. For families with a
   * finder, whose tools no request contains.
   */
  readonly standsFor?: (args: never) => { readonly tool: string; readonly args: unknown };
  /** Runs a call. Exactly one of `run` and `load` must be set. Not called for a tool with `standsFor`. */
  readonly run?: RunTool;
  /** Loads the code on first use. */
  readonly load?: () => Promise<RunTool>;
}

export type ApprovalPreview =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      /** `true`: the command has network access. `false`: only if the argument `network` of the call is true. */ readonly network?: boolean;
    }
  | { readonly kind: 'diff'; readonly path: string; readonly diff: string };

/** Contribution point `tool_family`: many tools whose code is one lazily loaded chunk. */
export interface ToolFamily {
  readonly name: string;
  /** One line in the list of families for the model. */
  readonly description: string;
  readonly tools: readonly Omit<Tool, 'run' | 'load' | 'family'>[];
  /** Traits of each tool in the family. */
  readonly traits?: readonly ToolTrait[];
  /**
   * Name of the tool that searches the tools of this family and returns their descriptions, for families too large
   * to be listed. Requests never contain its tools, because each found tool would invalidate the provider's prompt cache.
   */
  readonly finder?: string;
  /** Loads the code of the tools, by tool name. */
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
  /** Traits of the tool and of its family. */
  readonly traits: readonly ToolTrait[];
}

export type CheckedCall =
  | { readonly ok: true; readonly tool: RegisteredTool; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly error: string; readonly hint?: string };

export interface Tools {
  list(chatId?: string): ToolRow[];
  find(name: string): RegisteredTool | undefined;
  /** Returns the alphabetically first name of a tool with this trait. */
  nameWith(trait: ToolTrait): string | undefined;
  /** Returns the description of a tool for the model, regardless of whether requests contain the tool. Always the same object. */
  specOf(name: string): ModelToolSpec | undefined;
  /** Returns the tools that the requests of a chat contain, sorted by name, and the families with hidden tools. */
  visible(chatId: string): {
    readonly specs: readonly ModelToolSpec[];
    readonly hiddenFamilies: readonly { name: string; description: string; tools: readonly string[] }[];
  };
  /** Adds a family to the requests of this chat from now on; no effect for a family with a finder. */
  reveal(chatId: string, name: string): void;
  /**
   * Parses and checks arguments; returns the actual tool if the named tool represents another. For invalid JSON, an unknown tool or wrong arguments, returns an
   * error with advice.
   */
  check(name: string, argsText: string): CheckedCall;
  /** Checks arguments that the user edited, without changing them. */
  checkArgs(name: string, args: unknown): CheckedCall;
  /** Runs an approved call once: loads the tool on first use, and enforces its time limit. Contract: never rejects. */
  run(grant: Grant, running: Pick<ToolContext, 'signal' | 'progress' | 'waiting'>): Promise<ToolOutcome>;
}

export interface Artifacts {
  /**
   * Saves text or bytes in the chat; returns the id, the SHA-256 in hex. `isOwn`: the content is not external. If the same bytes are ever saved as external
   * content, the artifact is treated as external.
   */
  save(chatId: string, content: string | Uint8Array, origin?: { readonly isOwn: boolean }): Promise<string>;
  /** Returns whether the artifact contains no external content; `false` if it was saved without an origin. */
  isOwn(chatId: string, artifactId: string): Promise<boolean>;
  /** Marks the artifact as external content. */
  distrust(chatId: string, artifactId: string): Promise<void>;
  /** Returns the content of an artifact; `undefined` if the chat has no such artifact, or the id is invalid. */
  read(chatId: string, artifactId: string): Promise<Uint8Array | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    tools: Tools;
    artifacts: Artifacts;
  }
  interface Hooks {
    /**
     * Wraps the run of an approved call: a tap returns a function that calls the passed function exactly once; the passed function never rejects. If a tap
     * throws or its function rejects, the tool does not run. Taps must not change the call.
     */
    'tool.run': Waterfall<() => Promise<ToolOutcome>, [GrantedCall]>;
  }
  interface ContributionPoints {
    tool: Tool;
    tool_family: ToolFamily;
    tool_gate: ToolGate;
  }
}
