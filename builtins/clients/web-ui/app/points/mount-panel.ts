// Mounts the code of a panel, and keeps its errors from affecting the page.
import type { Client, Entry } from 'agent-harness/client';
import { localeNow, t, tn } from '../kit/t.ts';
import { themeNow } from '../kit/theme.ts';

/** Passed to a panel's `mount` in addition to the element. */
export interface PanelContext {
  /** Listeners added with `on` are removed with the panel. */
  readonly client: Client;
  /** The open chat, or the chat that the page is about; omitted if there is none. */
  readonly chatId?: string;
  /** Read on every use. The colours of the page are CSS variables and need no code. */
  readonly theme: 'light' | 'dark';
  /** Language of the page for dates and numbers (BCP 47). A change remounts the panel. */
  readonly language: string;
  /** Translates a sentence if the page or a plugin's `ui.messages` has a translation; otherwise returns it in English. */
  readonly t: typeof t;
  /** Like `t`, for a sentence that contains a number as `{count}`. */
  readonly tn: typeof tn;
  /** In the slot `tool_result`: the finished call. In the slot `note`: the line with its `code` (the kind of its event) and `data`. */
  readonly entry?: Entry;
}

export interface PanelModule {
  mount(element: HTMLElement, context: PanelContext): unknown;
}

export interface PanelMount {
  readonly element: HTMLElement;
  readonly client: Client;
  readonly chatId?: string | undefined;
  readonly entry?: Entry | undefined;
  readonly load: () => Promise<Partial<PanelModule>>;
  readonly onReady: () => void;
  readonly onFault: (fault: unknown) => void;
}

/** Mounts a panel. Returns the function that removes it, which never throws. */
export function mountPanel({ element, client, chatId, entry, load, onReady, onFault }: PanelMount): () => void {
  const guarded = guardClient(client, onFault);
  let isGone = false;
  let unmount: (() => unknown) | undefined;

  function attempt(work: () => unknown): void {
    try {
      void Promise.resolve(work()).catch(onFault);
    } catch (fault) {
      onFault(fault);
    }
  }

  async function mount(): Promise<void> {
    const module = await load();
    if (isGone) return;
    if (typeof module.mount !== 'function') throw new Error(t("its module exports no function 'mount'"));
    const answer = await module.mount(element, {
      client: guarded.client,
      get theme() {
        return themeNow();
      },
      language: localeNow(),
      ...{ t, tn },
      ...(chatId === undefined ? {} : { chatId }),
      ...(entry === undefined ? {} : { entry }),
    });
    unmount = typeof answer === 'function' ? (answer as () => unknown) : undefined;
    if (isGone) leave();
    else onReady();
  }

  function leave(): void {
    const last = unmount;
    unmount = undefined;
    if (last) attempt(last);
    element.replaceChildren();
  }

  attempt(mount);
  return () => {
    isGone = true;
    guarded.release();
    leave();
  };
}

/** Wraps the client: isolates the panel's listeners from others, and removes them with the panel. */
function guardClient(client: Client, onFault: (fault: unknown) => void): { readonly client: Client; release(): void } {
  const leaving = new Set<() => void>();
  const on: Client['on'] = (listener) => {
    const leave = client.on((event) => {
      try {
        listener(event);
      } catch (fault) {
        onFault(fault);
      }
    });
    leaving.add(leave);
    return () => {
      leaving.delete(leave);
      leave();
    };
  };
  return {
    client: Object.create(client, { on: { value: on, enumerable: true } }) as Client,
    release() {
      for (const leave of leaving) leave();
      leaving.clear();
    },
  };
}
