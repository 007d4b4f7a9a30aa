// Views: what a plugin shows as data, once, for every client; with what can be done in it.
import type { Permission, Principal } from 'agent-harness/plugins/http';
import type { View, ViewInput, ViewValues } from './view-schema.ts';

export type { Block, BlockKind, Cell, CellKind, InputField, RowState, View, ViewAction, ViewInput, ViewValues } from './view-schema.ts';

/** Who asks, and about what. */
export interface ViewAsker {
  /** The chat that whoever asks looks at, where there is one. */
  readonly chatId?: string;
  /** Real path of that chat's workspace. */
  readonly workspaceRoot?: string;
  /** Who asks; left out for what no request brought. */
  readonly principal?: Principal;
}

export interface ViewContext extends ViewAsker {
  /** What it is read with: checked against `parameters` of the contribution, with defaults filled in. Empty where it has none. */
  readonly parameters: ViewValues;
}

/** An action that somebody chose: it was offered a moment ago, and what it was given fits its `input`. */
export interface ViewCall {
  readonly action: string;
  /** Of an action of rows. */
  readonly row?: string;
  readonly input: ViewValues;
}

/** Contribution point `view`. */
export interface ViewContribution {
  /** kebab-case, at most 64 characters; no two views have the same one. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description?: string;
  /** The name of one of the page's pictures (`chart`, `list`, …), or one sign: a letter or an emoji. */
  readonly icon?: string;
  /**
   * Where the page has it: as a page with its link (left out), as a tab of the pane beside a chat, or nowhere by itself. By its name every client
   * shows it: `/view <name>`, `app view <name>`.
   */
  readonly place?: 'page' | 'pane' | 'none';
  /** The name of a view with a page: this one is a tab on that page, after it, and has no link of its own. */
  readonly tabOf?: string;
  /** What whoever reads it must be allowed to. Left out, only an owner may. */
  readonly permission?: Permission;
  /** What whoever does something in it must be allowed to. Left out, only an owner may. */
  readonly actPermission?: Permission;
  /**
   * What it can be read with (a range, a filter, the id of something), as an action's input: a JSON Schema of one level. Every client can set it, and it
   * goes along with actions. `chatId`, `token` and `authToken` are taken.
   */
  readonly parameters?: ViewInput;
  /** Events after which it says something else; clients that show it read it again. */
  readonly changesOn?: readonly string[];
  /** Its actions change nothing of what it says, so what one answers stays until something else is read. */
  readonly changesNothing?: true;
  /** Waited for no longer than 10 s. Throwing an error with a code shows its message. */
  read(context: ViewContext): View | Promise<View>;
  /**
   * Waited for no longer than 2 min. Answers the view as it is now, a sentence about what was done, or nothing: then it is read again.
   * Throwing an error with a code shows its message.
   */
  act?(call: ViewCall, context: ViewContext): ViewAnswer | Promise<ViewAnswer>;
}

export type ViewAnswer = View | { readonly message: string; /** Saved where whoever chose the action is. */ readonly file?: ViewFile } | undefined | void;

/** A file that an action gives: the page saves it as a download, the command line in the folder it was called in. */
export interface ViewFile {
  /** Of the file alone: letters, digits, `.`, `_`, `-`, at most 100. */
  readonly name: string;
  /** At most 32 MB as UTF-8. */
  readonly text: string;
}

/** A view as clients list it. */
export interface ViewRow extends Pick<ViewContribution, 'name' | 'title' | 'description' | 'icon' | 'place' | 'tabOf' | 'parameters' | 'changesOn'> {
  readonly plugin: string;
}

export interface Views {
  /** Those that the caller may read; all, where nobody asks. */
  list(caller?: Principal): readonly ViewRow[];
  /**
   * Checked. Rejects with `VIEWS_ERR_NOT_FOUND`, `VIEWS_ERR_FORBIDDEN`, `VIEWS_ERR_WRONG_PARAMETER`, `VIEWS_ERR_BROKEN`, or with what the plugin throws.
   * @param parameters an object; texts become what their field is, as addresses and lines have nothing but text
   */
  read(name: string, asker: ViewAsker, parameters?: unknown): Promise<View>;
  /**
   * Looks whether the action is offered now and the input fits, and has it done. Rejects as {@link Views.read} does, and with
   * `VIEWS_ERR_NO_ACTION` or `VIEWS_ERR_WRONG_INPUT`.
   */
  act(
    name: string,
    call: Omit<ViewCall, 'input'> & { readonly input?: unknown; readonly parameters?: unknown },
    asker: ViewAsker,
  ): Promise<{ readonly view: View; readonly message?: string; readonly file?: ViewFile }>;
  /** Clients that show it read it again. @param chatId where only that chat's is another one */
  changed(name: string, chatId?: string): void;
  /**
   * What is wrong with a view, as a sentence; `undefined` where nothing is.
   * @param isKept it is to stand in a journal, where a view may be a quarter as long
   */
  check(view: unknown, isKept?: boolean): Promise<string | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    views: Views;
  }
  interface ContributionPoints {
    view: ViewContribution;
  }
  interface Events {
    /** A view says something else now. */
    view_changed: { readonly name: string; readonly chatId?: string };
  }
}
