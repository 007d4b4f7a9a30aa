// Tools: what one is, how families load on first use, and where large output goes.
import type { TSchema } from 'typebox';
import type { Waterfall } from 'agent-harness/kernel';
import type { ImagePart, ModelToolSpec } from 'agent-harness/plugins/models';
import type { View } from 'agent-harness/plugins/views';

/** What a tool touches. None declared means: unknown, so a person is asked. */
export type Effect = 'read' | 'write' | 'execute' | 'network' | 'external';
/**
 * Whether an undo can revert a call. `checkpoint`: the tool announces each change. `compare`: a program changes the workspace; what it changed is found by
 * comparing the files before and after.
 */
export type Undo = 'none' | 'checkpoint' | 'compare';
/**
 * What others must know of a tool whatever its name is. `knowledge`: shown from the start where knowledge comes first.
 * `lasting`: what it writes is believed in later turns. `reads_web`: it brings text from the web. `reads_people`: it brings what other people of the team said. `reads_artifacts`: it gives an
 * artifact by `id`, and a part of it by `startLine` and `endLine`. `reads_attachments`: it gives what can be read of an attachment by
 * the `path` `attachment:<id>`. `copies_attachments`: it puts one, by `id`, into the workspace.
 * `presents_plan`: a person reads in its arguments what is to be done, and says whether.
 */
export type ToolTrait =
  'knowledge' | 'lasting' | 'reads_web' | 'reads_people' | 'reads_artifacts' | 'reads_attachments' | 'copies_attachments' | 'presents_plan';
/** What a restart may do with a call whose result is missing. `pure` calls need no flush before they start. */
export type Replay = 'pure' | 'idempotent' | 'ask' | 'never';

export type ToolOutcome =
  | {
      readonly ok: true;
      /** For the model. */
      readonly output: string;
      readonly artifactId?: string;
      /** For the model to look at. */
      readonly images?: readonly ImagePart[];
      /** For people, instead of the output: every client shows it, and the model reads none of it. One that is wrong is left out, and told by the plugin's name. */
      readonly view?: View;
      /** The output is other people's text (web, files outside the workspace): data, not instructions. */
      readonly isUntrusted?: boolean;
      /** That text is of the workspace's own files: nothing to warn of each time. */
      readonly fromWorkspace?: boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      readonly hint?: string;
      /** All of an error that was too long. */
      readonly artifactId?: string;
      /** The error quotes other people's text. */
      readonly isUntrusted?: boolean;
      /** That text is of the workspace's own files: nothing to warn of each time. */
      readonly fromWorkspace?: boolean;
    };

export interface ToolContext {
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  /** Absolute, real path. */
  readonly workspaceRoot: string;
  /** Aborted when the turn is. Contract: the tool ends within 2 s, its child processes too. */
  readonly signal: AbortSignal;
  /** A line for people while it runs. */
  progress(note: string): void;
  /** Says that the turn waits for a model or a person from now on; what it answers takes that back. */
  waiting(waitingFor: 'model' | 'answer'): () => void;
}

/** A call as it was let through: what was decided about, frozen at every depth. */
export interface GrantedCall extends Pick<ToolContext, 'chatId' | 'turnId' | 'callId' | 'workspaceRoot'> {
  readonly tool: RegisteredTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Who changed the arguments while deciding; they are those in `args`. */
  readonly editedBy?: string;
  /** Runs in place of the tool: what was shown of the call when it was decided about. */
  readonly instead?: RunTool;
}

declare const granted: unique symbol;

/**
 * Leave to run one call, once. Only the gate makes them: it knows its own by identity, so that neither a copy nor an
 * object of the same shape runs anything.
 */
export interface Grant extends GrantedCall {
  readonly [granted]: true;
}

/** Contribution point `tool_gate`: who decides which calls run. There is one; without it nothing runs. */
export interface ToolGate {
  readonly name: string;
  /** Whether it made this very object and nobody has used it; from then on it is used. */
  redeem(grant: Grant): boolean;
}

/**
 * Contract: may throw; a throw becomes `{ ok: false }`: a `failure` of `agent-harness/lib/errors` with its own sentence and hint, an
 * error of the plugin's table with its sentence, anything else as a fault of the tool. Arguments have been checked against `input`.
 */
export type RunTool = (args: never, context: ToolContext) => ToolOutcome | string | Promise<ToolOutcome | string>;

/** Contribution point `tool`. */
export interface Tool {
  /** snake_case, at most 64 characters; one that comes from elsewhere keeps its capitals. */
  readonly name: string;
  /** The plugin's name when left out. */
  readonly family?: string;
  readonly description: string;
  /** JSON Schema of an object. Give `additionalProperties: false`. */
  readonly input: TSchema | Readonly<Record<string, unknown>>;
  readonly effects?: readonly Effect[];
  readonly undo?: Undo;
  readonly replay?: Replay;
  /** Its output may be what stands in files of the workspace: text from outside until a person trusts these files. */
  readonly readsWorkspace?: boolean;
  /**
   * Its arguments go to somebody else, however harmless the call is: after text from outside was read, a call with any of
   * them asks. Those that are named stay here.
   */
  readonly sendsArguments?: true | { readonly except: readonly string[] };
  /**
   * Arguments that change nothing of what a call does, such as how long it may take: a decision that is remembered holds whatever they are. They are
   * shown and given as all others.
   */
  readonly incidental?: readonly string[];
  /**
   * What calls like this one have in common that a person may let through together, narrowest first, in words that follow "always":
   * `['npm run build …', 'npm run …']`. The same words are the same kind, so they name all that decides what such a call can do. Left out or
   * empty where nothing but exactly this call can be judged.
   */
  readonly kinds?: (args: never) => readonly string[] | Promise<readonly string[]>;
  /** Calls of it run beside each other and beside `pure` ones; they must not get in each other's way. */
  readonly isConcurrent?: boolean;
  /** Milliseconds; 120,000 when left out, 0 for none. */
  readonly timeoutMs?: number;
  readonly traits?: readonly ToolTrait[];
  /** How clients show a call of it; what is left out they make up. It stands in the journal, so it is the same when the tool is gone. */
  readonly display?: {
    /** The name of a picture that clients have, like that of a panel: `file`, `search`, `terminal`. */
    readonly icon?: string;
    /** What the call is about, in one line: the file, the question. */
    readonly subject?: (args: never) => string;
  };
  /** Always shown to the model; other tools are shown once their family is asked for. */
  readonly isEveryday?: boolean;
  /** A person must say yes: always, or for these arguments. Answers why, as a sentence. */
  readonly needsApproval?:
    boolean | ((args: never, context: Pick<ToolContext, 'chatId' | 'workspaceRoot' | 'callId'>) => string | undefined | Promise<string | undefined>);
  /** What an approval shows: the exact command with its folder, or a diff. */
  readonly preview?: (
    args: never,
    context: Pick<ToolContext, 'chatId' | 'workspaceRoot' | 'callId'>,
  ) => ApprovalPreview | undefined | Promise<ApprovalPreview | undefined>;
  /** The argument whose text streams as `compose_preview` while the model writes it (`edits.replace`: that field of each object in a list), and the one with the path. */
  readonly compose?: { readonly path: string; readonly content: string | readonly string[] };
  /**
   * The call of another tool of the same plugin that a call of this one means: whatever decides about the call, shows it or
   * runs it sees the other. For families with a finder, whose tools are in no request.
   */
  readonly standsFor?: (args: never) => { readonly tool: string; readonly args: unknown };
  /** Exactly one of `run` and `load`; never called of a tool that stands for others. */
  readonly run?: RunTool;
  /** Code on first use. */
  readonly load?: () => Promise<RunTool>;
}

export type ApprovalPreview =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      /** It runs with network; `false`: it does not, unless its argument `network` is true. */ readonly network?: boolean;
    }
  | { readonly kind: 'diff'; readonly path: string; readonly diff: string };

/** Contribution point `tool_family`: many tools whose code is one lazy chunk. */
export interface ToolFamily {
  readonly name: string;
  /** One line in the list of families that the model sees. */
  readonly description: string;
  readonly tools: readonly Omit<Tool, 'run' | 'load' | 'family'>[];
  /** Of each of its tools. */
  readonly traits?: readonly ToolTrait[];
  /**
   * The name of a tool that finds tools of this family by words and describes them in its answer: for families too large
   * to be listed. They are in no request, so that finding one changes nothing of what a provider has cached.
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
  /** Its own and those of its family. */
  readonly traits: readonly ToolTrait[];
}

export type CheckedCall =
  | { readonly ok: true; readonly tool: RegisteredTool; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly error: string; readonly hint?: string };

export interface Tools {
  list(chatId?: string): ToolRow[];
  find(name: string): RegisteredTool | undefined;
  /** The name of a tool with this trait; the first by name where there are several. */
  nameWith(trait: ToolTrait): string | undefined;
  /** What a model is shown of a tool, whether this chat shows it or not; the same object each time. */
  specOf(name: string): ModelToolSpec | undefined;
  /** What the model sees in this chat, sorted by name; plus the one line per hidden family for the prompt. */
  visible(chatId: string): {
    readonly specs: readonly ModelToolSpec[];
    readonly hiddenFamilies: readonly { name: string; description: string; tools: readonly string[] }[];
  };
  /** Shows a family from now on in this chat; not one that has a finder. */
  reveal(chatId: string, name: string): void;
  /** Parses and checks arguments; answers the tool that is meant, where another stands for it. Partial or broken JSON, an unknown tool and a wrong argument are answers, with advice. */
  check(name: string, argsText: string): CheckedCall;
  /** Checks arguments that are already parsed (after a person edited them) and adds nothing to them. */
  checkArgs(name: string, args: unknown): CheckedCall;
  /** Runs what the gate let through, once: loads on first use, under its time limit. Contract: never rejects. */
  run(grant: Grant, running: Pick<ToolContext, 'signal' | 'progress' | 'waiting'>): Promise<ToolOutcome>;
}

export interface Artifacts {
  /**
   * Saves text under the chat; the id is the SHA-256 of its bytes, in hex. `isOwn`: nothing in it is other people's text. The
   * same bytes from outside, before or after, make it text from outside.
   */
  save(chatId: string, content: string | Uint8Array, origin?: { readonly isOwn: boolean }): Promise<string>;
  /** Whoever reads it reads nobody else's text. What was saved without a word on it is not. */
  isOwn(chatId: string, artifactId: string): Promise<boolean>;
  /** It turned out to hold other people's text. */
  distrust(chatId: string, artifactId: string): Promise<void>;
  /** `undefined` where the chat has no such artifact, and for a text that is no id. */
  read(chatId: string, artifactId: string): Promise<Uint8Array | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    tools: Tools;
    artifacts: Artifacts;
  }
  interface Hooks {
    /**
     * A call was let through and is about to run: answers what runs it, around what it gets. That never rejects, and is called once. A tap that throws, and
     * what it answered and rejects, keeps the tool from running. Taps see the call, and change nothing of it.
     */
    'tool.run': Waterfall<() => Promise<ToolOutcome>, [GrantedCall]>;
  }
  interface ContributionPoints {
    tool: Tool;
    tool_family: ToolFamily;
    tool_gate: ToolGate;
  }
}
