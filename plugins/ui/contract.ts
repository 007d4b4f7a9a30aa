// The contract of panels: a plugin's UI in the page and its location; and translations of the page.

/**
 * `panel`: a separate page, with an entry in the navigation; `tool_result`, `note`: replaces the plain result of certain tools, and the
 * plain line of certain events; the others are parts: below the header of a chat, above and beside the message field, in an empty chat, and
 * on the pages of settings, account and connections; `pane` is a tab of the pane beside a chat, whose id `mount` gets.
 */
export type PanelSlot =
  'panel' | 'tool_result' | 'note' | 'header' | 'over-composer' | 'composer' | 'first-run' | 'settings' | 'account' | 'connections' | 'pane';

/**
 * Contribution point `ui.panel`. The module runs in the browser. It exports
 * `mount(element, { client, chatId, theme, entry })`, which fills the element and may return a function that undoes it.
 */
export interface UiPanel {
  /** kebab-case, at most 64 characters; unique. */
  readonly id: string;
  /** Display title. */
  readonly title: string;
  readonly slot: PanelSlot;
  /** Name of one of the page's icons (`chart`, `globe`, …), or one character: a letter or an emoji. */
  readonly icon?: string;
  /** For a `panel`, the location of its entry: among the pages when left out; beside the chat search; in the menu of a chat, whose id `mount` gets. */
  readonly place?: 'chats' | 'chat';
  /** For a `panel` and for parts: sorted ascending; the pages of the platform have 10, 40, …; 0 when left out. */
  readonly order?: number;
  /** The tools whose results it shows; only for `tool_result`. */
  readonly tools?: readonly string[];
  /** The kinds of events whose lines it shows; only for `note`. */
  readonly events?: readonly string[];
  /** Absolute path or `file:` URL of one ES module without imports; read on request of a page. */
  readonly module: string;
  /** Routes it calls and events it reads, for users who decide about installing it. */
  readonly uses?: { readonly routes?: readonly string[]; readonly events?: readonly string[] };
}

/** A panel as clients see it: `GET /api/ui/panels`. */
export interface PanelRow extends Omit<UiPanel, 'module'> {
  readonly plugin: string;
  /** URL of the module on this server; changes whenever the plugin was reloaded or the module changed. */
  readonly url: string;
}

/**
 * Contribution point `ui.messages`: translations for the page, by the English sentence. It translates the texts of its plugin (titles of
 * panels, texts of commands and settings), and may add a language or override texts of the page.
 */
export interface UiMessages {
  /** BCP 47: `de`, `pt-BR`. */
  readonly language: string;
  /** A sentence with `{count}` has a text for each plural form of the language (`Intl.PluralRules`). */
  readonly messages: Readonly<Record<string, UiMessage>>;
}

export type UiMessage = string | Readonly<Record<string, string>>;

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    'ui.panel': UiPanel;
    'ui.messages': UiMessages;
  }
}
