// Defines the contract of panels: a plugin's UI in the page, and translations of the page.

/**
 * `panel`: a separate page, with an entry in the navigation. `tool_result`, `note`: replaces the plain result of certain tools, or the plain line of certain
 * events. The others are parts: below the header of a chat, above and next to the message field, in an empty chat, and on the pages of settings, account and
 * connections. `pane`: a tab of the pane next to a chat; `mount` receives the chat's id.
 */
export type PanelSlot =
  'panel' | 'tool_result' | 'note' | 'header' | 'over-composer' | 'composer' | 'first-run' | 'settings' | 'account' | 'connections' | 'pane';

/**
 * Contribution point `ui.panel`. The module runs in the browser. It exports `mount(element, { client, chatId, theme, entry })`, which fills the element and may
 * return a function that undoes this.
 */
export interface UiPanel {
  /** Unique id in kebab-case, at most 64 characters. */
  readonly id: string;
  readonly title: string;
  readonly slot: PanelSlot;
  /** Name of one of the page's icons (`chart`, `globe`, …), or one character: a letter or an emoji. */
  readonly icon?: string;
  /**
   * Only for a `panel`: position of its entry. Omitted: among the pages; `chats`: next to the chat search; `chat`: in the menu of a chat, whose id `mount`
   * receives.
   */
  readonly place?: 'chats' | 'chat';
  /** For a `panel` and for parts: ascending sort key; the pages of the platform have 10, 40, …; default: 0. */
  readonly order?: number;
  /** Only for `tool_result`: the tools whose results the panel shows. */
  readonly tools?: readonly string[];
  /** Only for `note`: the kinds of events whose lines the panel shows. */
  readonly events?: readonly string[];
  /** Absolute path or `file:` URL of one ES module without imports; it is read when a page requests it. */
  readonly module: string;
  /** Routes that the panel calls and events that it reads, for users who decide whether to install it. */
  readonly uses?: { readonly routes?: readonly string[]; readonly events?: readonly string[] };
}

/** A panel in the reply of `GET /api/ui/panels`. */
export interface PanelRow extends Omit<UiPanel, 'module'> {
  readonly plugin: string;
  /** URL of the module on this server; changes whenever the plugin is reloaded or the module changes. */
  readonly url: string;
}

/**
 * Contribution point `ui.messages`: translations for the page, by the English sentence. They translate the plugin's own texts (titles of panels, texts of
 * commands and settings), and may add a language or override texts of the page.
 */
export interface UiMessages {
  /** Language as a BCP 47 tag: `de`, `pt-BR`. */
  readonly language: string;
  /** Translations by English sentence. A sentence with `{count}` has a text for each plural form of the language (`Intl.PluralRules`). */
  readonly messages: Readonly<Record<string, UiMessage>>;
}

export type UiMessage = string | Readonly<Record<string, string>>;

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    'ui.panel': UiPanel;
    'ui.messages': UiMessages;
  }
}
