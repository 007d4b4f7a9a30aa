// The points of the page: what a plugin may show in it.
import type { AssistantEntry, Client, Config, NoteEntry, OpenChat, Store, ToolEntry, WireEvent } from 'agent-harness/client';
import type { Route } from '../kit/hooks.ts';
import type { Icon } from '../kit/icon.ts';
import { permits } from 'agent-harness/lib/permits';
import { createContext, type ComponentType, type ReactNode } from 'react';

export interface PageLink {
  /** Its address is `#/<page>`, with an id `#/<page>/<id>`. */
  readonly page: string;
  readonly id?: string;
  readonly title: string;
  readonly icon: Icon;
  readonly Page: ComponentType;
  /** Stands after the title in the navigation. */
  readonly Badge?: ComponentType;
  /**
   * Where its link stands. Left out: among the pages of the menu "Settings and more". `first`: in the sidebar itself. `chats`: with what concerns the list of
   * chats. `chat`: in the menu of a chat, whose id its address has. `begin`: with what begins a chat. `none`: nowhere.
   */
  readonly place?: 'first' | 'chats' | 'chat' | 'begin' | 'none';
  /** Further words by which the palette and the search of the settings find it. */
  readonly words?: string;
  /** Smaller ones come first; 0 where left out. */
  readonly order?: number;
  /** The page is there only while somebody adds a part to this slot of it. */
  readonly slot?: SlotName;
  /** It decides nothing and shows nothing secret, so whoever steers the page from afar may use it. */
  readonly isForGuests?: true;
  /** What a device must be allowed to, to be shown it: `chats.read`. Left out, only the owner is. */
  readonly permission?: string;
}

/**
 * Among how this browser tells of what waits; under the header of a chat; over and beside the field for messages, and in its menu; in an empty chat; on the pages of settings, account, team, connections, plugins and what is remembered, and of
 * who the agent is; where the server lets nobody in yet; over the whole page, whatever it shows, for as long as it is open.
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
  /** For people, where it breaks or has to be told apart. */
  readonly title: string;
  /** Smaller ones come first; 0 where left out. */
  readonly order?: number;
  /** `chat`: the one that is shown, in the slots of a chat. */
  readonly Part: ComponentType<{ readonly chat?: OpenChat | undefined }>;
  /** As those of {@link PageLink}; of `sign-in` everybody is shown all. */
  readonly isForGuests?: true;
  readonly permission?: string;
}

/** Draws the results of certain tools; the plain one is its fallback. */
export interface ToolResultView {
  readonly tools: readonly string[];
  readonly View: ComponentType<{ readonly entry: ToolEntry; readonly fallback: ReactNode }>;
}

/** Draws the lines of certain events; the plain one is its fallback. */
export interface NoteView {
  /** Their kinds. */
  readonly events: readonly string[];
  readonly View: ComponentType<{ readonly entry: NoteEntry; readonly fallback: ReactNode }>;
}

/** What a person may do to a chat that is shown. */
export interface ChatAction {
  /** As that of {@link PageLink}. */
  readonly permission?: string;
  readonly icon: Icon;
  readonly title: string;
  /** Where there is little room, and where there is much. */
  readonly short: string;
  readonly long: string;
  /** What it does, after the short title. */
  readonly hint: string;
  /** Further words by which the palette finds it. */
  readonly words: readonly string[];
  /** Answers what was done, as a sentence. */
  readonly run: (client: Client, chatId: string) => Promise<{ readonly text: string; readonly isBad?: boolean }>;
}

export interface Example {
  readonly title: string;
  readonly prompt: string;
}

export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Stands beside each text field that people write sentences in. */
export interface FieldTool {
  /** As that of {@link PageLink}. */
  readonly permission?: string;
  readonly title: string;
  /** `field`: the one beside it, once that is drawn. */
  readonly Tool: ComponentType<{ readonly field: () => TextField | undefined }>;
}

/** Stands with what can be done with a whole message of the assistant. `isTurnEnd`: it is the last of its turn. */
export interface MessageTool {
  /** As that of {@link PageLink}. */
  readonly permission?: string;
  readonly title: string;
  readonly Tool: ComponentType<{ readonly entry: AssistantEntry; readonly isTurnEnd: boolean }>;
}

/** Something of a conversation, whoever said it; a call also while it waits for an answer; or a note, by `type:key`. */
export interface EntryMark {
  readonly kind: 'message' | 'call' | 'note';
  readonly id: string;
  readonly chatId: string;
}

/** Stands with what can be done with anything of a conversation, at a question about a call, and at a note. */
export interface EntryTool {
  /** As that of {@link PageLink}. */
  readonly permission?: string;
  readonly title: string;
  readonly Tool: ComponentType<EntryMark>;
}

/** Stands below the last answer of a turn in which tools ran. */
export interface TurnView {
  readonly title: string;
  readonly View: ComponentType<{ readonly chatId: string; readonly turnId: string }>;
}

/** A tab of the pane beside a chat. */
export interface PaneTab {
  /** kebab-case; no two have the same one. */
  readonly tab: string;
  readonly title: string;
  readonly icon: Icon;
  /** Smaller ones come first; 0 where left out. */
  readonly order?: number;
  /** As that of {@link PageLink}. */
  readonly permission?: string;
  /** `target`: what it was opened for, as whoever opened it said; another object each time. */
  readonly View: ComponentType<{ readonly chat: OpenChat; readonly target?: PaneTarget | undefined }>;
  /**
   * How many things are in it, for the number beside its title. Asked for a chat that is shown, and after each of its turns; the pane opens itself
   * where a turn made them more. Left out: no number, and nothing opens by it.
   */
  readonly count?: (client: Client, chat: OpenChat) => Promise<number>;
  /** Whether it is counted again after a further event of the chat. */
  readonly isChangedBy?: (event: WireEvent) => boolean;
}

/** What a tab is to show: words of its own, such as a path. */
export interface PaneTarget {
  readonly what: string;
}

/** How files of a workspace are marked, by their path in it: `New`, `Edited`. */
export type FileMarks = ReadonlyMap<string, string>;

/** Something that a message can name, offered where somebody types `@`. */
export interface Mention {
  /** What is offered, and what follows it in small letters. */
  readonly text: string;
  readonly hint?: string;
  /** What stands in the message instead of the `@` and what was typed after it. */
  readonly insert: string;
  /** Nothing is chosen yet: a folder, in which the typing goes on. */
  readonly goesOn?: true;
}

/** Finds what a message can name. */
export interface MentionSource {
  /** What it finds, in one word: `Files`. */
  readonly title: string;
  /** As that of {@link PageLink}. */
  readonly permission?: string;
  /** @param query what was typed after the `@`, without white space. Rejects quietly: then it has nothing */
  readonly find: (client: Client, chatId: string, query: string, signal: AbortSignal) => Promise<readonly Mention[]>;
}

/** Keys that the list of shortcuts names. */
export interface ListedKeys {
  readonly keys: readonly string[];
  readonly what: string;
}

/** Speaks replies aloud, and can be told by whoever listens that somebody speaks into it. */
export interface SpokenOutput {
  /** Whether this page speaks the replies of that chat from now on. */
  turn(chatId: string, isOn: boolean): Promise<void>;
  isOn(chatId: string): boolean;
  readonly isSpeaking: Store<boolean>;
  /** How loud it goes out at this moment, in dB below full scale. */
  levelDb(): number;
  /** 1 is as loud as it is. */
  setGain(gain: number): void;
  pause(): void;
  resume(): void;
  /** Drops what is playing and what waits, and tells the server how far it was heard. */
  stop(reason: 'stop' | 'barge_in'): void;
  /** What went out in the last so many milliseconds. */
  lately(ms: number): string;
}

export interface Contribution {
  /** While this plugin of the server is not active nothing of it is shown; left out: what is as old as the page. */
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
  /** Marks of files, for whoever lists them. */
  readonly fileMarks?: (client: Client, chatId: string) => Promise<FileMarks>;
  /** Shows a file of the workspace of the chat that is shown, where somebody names one. @param line from 1 */
  readonly openFile?: (client: Client, path: string, line?: number) => void;
  /** Whether there is a file of that name in the workspace of a chat, not in a folder of it. */
  readonly hasFile?: (client: Client, chatId: string, name: string) => Promise<boolean>;
  readonly keys?: readonly ListedKeys[];
  /** Loaded when a part asks for it, so it is there for whoever has such a part. */
  readonly spokenOutput?: (client: Client) => Promise<SpokenOutput>;
  /** What an empty chat offers to begin with, instead of the usual, where it is wanted. */
  readonly firstRun?: { readonly isWanted: (config: Config) => boolean; readonly examples: readonly Example[] };
}

/** All that the page brings, whether their plugins are active or not. */
export const ContributionsContext = createContext<readonly Contribution[]>([]);

/**
 * Those of `all` that are shown: whose plugin is active, of pages those with a part where they need one, and of both what the page's rights allow.
 * Pure. @param rights left out: everything
 */
export function shownOf(all: readonly Contribution[], active: ReadonlySet<string>, rights?: Config['rights']): readonly Contribution[] {
  const there = all.filter(({ plugin }) => plugin === undefined || active.has(plugin));
  const shown = rights && !permits(rights, undefined) ? there.map((one) => limited(one, rights)) : there;
  const slots = new Set(shown.flatMap(({ parts = [] }) => parts.map(({ slot }) => slot)));
  return shown.map((one) => (one.pages ? { ...one, pages: one.pages.filter(({ slot }) => slot === undefined || slots.has(slot)) } : one));
}

/** What is drawn in a conversation stays; whatever does something names what it needs, or is the owner's. */
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
    // The keys of a tool that is not there do nothing.
    ...(fieldTools.length + messageTools.length > 0 ? { keys } : {}),
    ...(spokenOutput ? { spokenOutput } : {}),
    ...(firstRun ? { firstRun } : {}),
  };
}

/** What stands in a slot, in its order. */
export function partsOf(shown: readonly Contribution[], name: SlotName): readonly Part[] {
  return shown.flatMap(({ parts = [] }) => parts.filter(({ slot }) => slot === name)).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** Where its link leads. @param chatId of the chat in whose menu it stands */
export function routeOf({ page, id }: PageLink, chatId?: string): Route {
  const within = [id, chatId].filter((part) => part !== undefined);
  return { page, ...(within[0] === undefined ? {} : { id: within[0] }), ...(within[1] === undefined ? {} : { part: within[1] }) };
}

/** The page that an address means; one of a chat is there only with the id of that chat. */
export function pageAt(pages: readonly PageLink[], { page, id, part }: Route): PageLink | undefined {
  return pages.find((one) => {
    const chatId = one.id === undefined ? id : part;
    return one.page === page && (one.id === undefined || one.id === id) && (one.place !== 'chat' || chatId !== undefined);
  });
}
