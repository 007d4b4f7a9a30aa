// Defines the contribution points of the page for plugins.
import type { AssistantEntry, Client, Config, NoteEntry, OpenChat, Store, ToolEntry, WireEvent } from 'agent-harness/client';
import type { Route } from '../kit/hooks.ts';
import type { Icon } from '../kit/icon.ts';
import { permits } from '#lib/permits';
import { createContext, type ComponentType, type ReactNode } from 'react';

export interface PageLink {
  /** Name of the page in its address: `#/<page>`, or `#/<page>/<id>` with an id. */
  readonly page: string;
  readonly id?: string;
  readonly title: string;
  readonly icon: Icon;
  readonly Page: ComponentType;
  /** Shown after the title of the link. */
  readonly Badge?: ComponentType;
  /**
   * Location of the link. Default: among the pages in the menu "Settings and more". `first`: in the sidebar itself. `chats`: with the options of the chat list.
   * `chat`: in the menu of a chat, whose id the address then contains. `begin`: with the options for starting a chat. `none`: nowhere.
   */
  readonly place?: 'first' | 'chats' | 'chat' | 'begin' | 'none';
  /** Additional search terms for the palette and the settings search. */
  readonly words?: string;
  /** Position among the links, in ascending order; default: 0. */
  readonly order?: number;
  /** The page exists only if another plugin contributes to this slot on it. */
  readonly slot?: SlotName;
  /** Whether remote viewers may use the page, which must then contain no decisions and no secrets. */
  readonly isForGuests?: true;
  /** Permission that a device needs to see the page, such as `chats.read`. Default: owner only. */
  readonly permission?: string;
}

/**
 * Places of the page to which plugins can add components: notification options of this browser; below the header of a chat; above and beside the message field,
 * and in its menu; in an empty chat; on the pages of settings, account, team, connections, plugins, memory and persona; on the sign-in page; over the whole
 * page (mounted permanently).
 */
export type SlotName =
  | 'header'
  | 'over-composer'
  | 'composer'
  | 'composer-menu'
  | 'first-run'
  | 'settings'
  | 'notifications'
  | 'account'
  | 'team'
  | 'connections'
  | 'knowledge'
  | 'character'
  | 'plugins'
  | 'sign-in'
  | 'cover';

export interface Part {
  readonly slot: SlotName;
  /** Title for errors and for distinguishing contributions. */
  readonly title: string;
  /** Position in the slot, in ascending order; default: 0. */
  readonly order?: number;
  /** `chat`: the open chat, in the slots of a chat. */
  readonly Part: ComponentType<{ readonly chat?: OpenChat | undefined }>;
  /** As in {@link PageLink}. The slot `sign-in` shows its components to everyone. */
  readonly isForGuests?: true;
  readonly permission?: string;
}

/** Renders the results of certain tools. On an error, the plain result is shown. */
export interface ToolResultView {
  readonly tools: readonly string[];
  readonly View: ComponentType<{ readonly entry: ToolEntry; readonly fallback: ReactNode }>;
}

/** Renders the lines of certain events. On an error, the plain line is shown. */
export interface NoteView {
  /** Kinds of events. */
  readonly events: readonly string[];
  readonly View: ComponentType<{ readonly entry: NoteEntry; readonly fallback: ReactNode }>;
}

/** An action that the user can run on the open chat. */
export interface ChatAction {
  /** As in {@link PageLink}. */
  readonly permission?: string;
  readonly icon: Icon;
  readonly title: string;
  /** Titles for limited and for ample space. */
  readonly short: string;
  readonly long: string;
  /** Description, shown after the short title. */
  readonly hint: string;
  /** Additional search terms for the palette. */
  readonly words: readonly string[];
  /** Resolves with the result as a sentence. */
  readonly run: (client: Client, chatId: string) => Promise<{ readonly text: string; readonly isBad?: boolean }>;
}

export interface Example {
  readonly icon: Icon;
  readonly prompt: string;
}

export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A tool shown beside each text field for prose. */
export interface FieldTool {
  /** As in {@link PageLink}. */
  readonly permission?: string;
  readonly title: string;
  /** `field`: returns the text field, once it is mounted. */
  readonly Tool: ComponentType<{ readonly field: () => TextField | undefined }>;
}

/** An action on a whole assistant message. `isTurnEnd`: whether it is the last message of its turn. */
export interface MessageTool {
  /** As in {@link PageLink}. */
  readonly permission?: string;
  readonly title: string;
  readonly Tool: ComponentType<{ readonly entry: AssistantEntry; readonly isTurnEnd: boolean }>;
}

/** Identifies an entry of a conversation, including a pending call, or a note by its `type:key`. */
export interface EntryMark {
  readonly kind: 'message' | 'call' | 'note';
  readonly id: string;
  readonly chatId: string;
}

/** An action on any entry of a conversation, a pending call, or a note. */
export interface EntryTool {
  /** As in {@link PageLink}. */
  readonly permission?: string;
  readonly title: string;
  readonly Tool: ComponentType<EntryMark>;
}

/** Shown below the last answer of a turn with tool calls. */
export interface TurnView {
  readonly title: string;
  readonly View: ComponentType<{ readonly chatId: string; readonly turnId: string }>;
}

/** A tab of the pane beside a chat. */
export interface PaneTab {
  /** kebab-case; unique. */
  readonly tab: string;
  readonly title: string;
  readonly icon: Icon;
  /** Position in ascending order; default: 0. */
  readonly order?: number;
  /** As in {@link PageLink}. */
  readonly permission?: string;
  /** `target`: the content that the tab should show; a new object each time. */
  readonly View: ComponentType<{ readonly chat: OpenChat; readonly target?: PaneTarget | undefined }>;
  /**
   * Returns the number of items, which is shown beside the title of the tab. Called for the open chat and after each of its turns. The pane opens automatically
   * if a turn increased the number. Default: no number and no automatic opening.
   */
  readonly count?: (client: Client, chat: OpenChat) => Promise<number>;
  /** Returns whether an event of the chat requires a new count. */
  readonly isChangedBy?: (event: WireEvent) => boolean;
}

/** Content that a tab should show, in the tab's own format, such as a path. */
export interface PaneTarget {
  readonly what: string;
}

/** Badges of workspace files, by path: `New`, `Edited`. */
export type FileMarks = ReadonlyMap<string, string>;

/** An `@` mention offered in the message field. */
export interface Mention {
  /** Main text, and additional text in small print. */
  readonly text: string;
  readonly hint?: string;
  /** Text that replaces the `@` and the typed query. */
  readonly insert: string;
  /** The mention is not complete: it is a folder, inside which the user continues typing. */
  readonly goesOn?: true;
}

export interface MentionSource {
  /** Noun for the results: `Files`. */
  readonly title: string;
  /** As in {@link PageLink}. */
  readonly permission?: string;
  /** @param query the text typed after the `@`, without white space. A rejection counts as an empty result */
  readonly find: (client: Client, chatId: string, query: string, signal: AbortSignal) => Promise<readonly Mention[]>;
}

/** Keys for the list of keyboard shortcuts. */
export interface ListedKeys {
  readonly keys: readonly string[];
  readonly what: string;
}

/** Reads replies aloud, and reacts to interruptions that a listener detects. */
export interface SpokenOutput {
  /** Sets whether this page reads the replies of that chat aloud. */
  turn(chatId: string, isOn: boolean): Promise<void>;
  isOn(chatId: string): boolean;
  readonly isSpeaking: Store<boolean>;
  /** Returns the current output level, in dB below full scale. */
  levelDb(): number;
  /** Sets the volume; 1 is full volume. */
  setGain(gain: number): void;
  pause(): void;
  resume(): void;
  /** Discards playing and queued audio, and reports to the server which part was played. */
  stop(reason: 'stop' | 'barge_in'): void;
  /** Returns the text spoken in the last `ms` milliseconds. */
  lately(ms: number): string;
}

export interface Contribution {
  /** Shown only while this server plugin is active; omitted for parts that every server supports. */
  readonly plugin?: string;
  readonly pages?: readonly PageLink[];
  readonly parts?: readonly Part[];
  readonly toolResults?: readonly ToolResultView[];
  readonly notes?: readonly NoteView[];
  readonly chatActions?: readonly ChatAction[];
  readonly fieldTools?: readonly FieldTool[];
  readonly messageTools?: readonly MessageTool[];
  readonly entryTools?: readonly EntryTool[];
  readonly turnViews?: readonly TurnView[];
  readonly paneTabs?: readonly PaneTab[];
  readonly mentions?: readonly MentionSource[];
  /** Returns badges for files, for components that list files. */
  readonly fileMarks?: (client: Client, chatId: string) => Promise<FileMarks>;
  /** Opens a file in the workspace of the open chat. @param line line number, from 1 */
  readonly openFile?: (client: Client, path: string, line?: number) => void;
  /** Returns whether the top level of a chat's workspace contains a file of that name. */
  readonly hasFile?: (client: Client, chatId: string, name: string) => Promise<boolean>;
  readonly keys?: readonly ListedKeys[];
  /** Loaded on demand, for components that use speech. */
  readonly spokenOutput?: (client: Client) => Promise<SpokenOutput>;
  /** Replaces the default examples in an empty chat if `isWanted` returns true. */
  readonly firstRun?: { readonly isWanted: (config: Config) => boolean; readonly examples: readonly Example[] };
}

/** All contributions to the page, including those of inactive plugins. */
export const ContributionsContext = createContext<readonly Contribution[]>([]);

/**
 * Returns the contributions to show: those of active plugins, without pages whose required slot is empty, and limited to the rights of the page. Pure. @param
 * rights rights of the page; default: all
 */
export function shownOf(all: readonly Contribution[], active: ReadonlySet<string>, rights?: Config['rights']): readonly Contribution[] {
  const there = all.filter(({ plugin }) => plugin === undefined || active.has(plugin));
  const shown = rights && !permits(rights, undefined) ? there.map((one) => limited(one, rights)) : there;
  const slots = new Set(shown.flatMap(({ parts = [] }) => parts.map(({ slot }) => slot)));
  return shown.map((one) => (one.pages ? { ...one, pages: one.pages.filter(({ slot }) => slot === undefined || slots.has(slot)) } : one));
}

/** Renderers of the conversation always stay; an action needs its permission, or the owner. */
function limited(contribution: Contribution, rights: Config['rights']): Contribution {
  const { plugin, pages = [], parts = [], toolResults = [], notes = [], turnViews = [], keys = [], spokenOutput, firstRun } = contribution;
  const { paneTabs = [], fileMarks, openFile, hasFile } = contribution;
  const may = ({ permission }: { readonly permission?: string }): boolean => permits(rights, permission);
  const fieldTools = contribution.fieldTools?.filter(may) ?? [];
  const messageTools = contribution.messageTools?.filter(may) ?? [];
  const entryTools = contribution.entryTools?.filter(may) ?? [];
  return {
    ...(plugin === undefined ? {} : { plugin }),
    ...{ pages: pages.filter(may), parts: parts.filter((part) => part.slot === 'sign-in' || may(part)), toolResults, notes, turnViews },
    paneTabs: paneTabs.filter(may),
    mentions: contribution.mentions?.filter(may) ?? [],
    ...(fileMarks && permits(rights, 'chats.read') ? { fileMarks } : {}),
    ...(openFile && permits(rights, 'chats.write') ? { openFile } : {}),
    ...(hasFile && permits(rights, 'chats.write') ? { hasFile } : {}),
    ...{ chatActions: contribution.chatActions?.filter(may) ?? [], fieldTools, messageTools, entryTools },
    // Keyboard shortcuts for a missing tool would have no effect.
    ...(fieldTools.length + messageTools.length > 0 ? { keys } : {}),
    ...(spokenOutput ? { spokenOutput } : {}),
    ...(firstRun ? { firstRun } : {}),
  };
}

/** Returns the components of a slot, in order. */
export function partsOf(shown: readonly Contribution[], name: SlotName): readonly Part[] {
  return shown.flatMap(({ parts = [] }) => parts.filter(({ slot }) => slot === name)).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** Returns the route of a page link. @param chatId id of the chat in whose menu the link is shown */
export function routeOf({ page, id }: PageLink, chatId?: string): Route {
  const within = [id, chatId].filter((part) => part !== undefined);
  return { page, ...(within[0] === undefined ? {} : { id: within[0] }), ...(within[1] === undefined ? {} : { part: within[1] }) };
}

/** Returns the page for an address; a page about a chat requires a chat id in the address. */
export function pageAt(pages: readonly PageLink[], { page, id, part }: Route): PageLink | undefined {
  return pages.find((one) => {
    const chatId = one.id === undefined ? id : part;
    return one.page === page && (one.id === undefined || one.id === id) && (one.place !== 'chat' || chatId !== undefined);
  });
}
