// Runs the code of a panel, and keeps what goes wrong in it away from the page.
import type { Client, Entry } from 'agent-harness/client';
import { localeNow, t, tn } from '../kit/t.ts';
import { themeNow } from '../kit/theme.ts';

/** What `mount` of a panel gets beside its element. */
export interface PanelContext {
  /** Listeners that it adds with `on` are taken off when the panel goes. */
  readonly client: Client;
  /** Of the chat that is shown, or that the page is about; left out where there is none. */
  readonly chatId?: string;
  /** Read it where it is used; colours of the page come as CSS variables and need no code. */
  readonly theme: 'light' | 'dark';
  /** What the page speaks, BCP 47: for dates and numbers. A panel is mounted again in another language. */
  readonly language: string;
  /** A sentence in that language, as far as the page or a `ui.messages` of a plugin has it; English else. */
  readonly t: typeof t;
  /** The same for a sentence with a number, `{count}`. */
  readonly tn: typeof tn;
  /** Of a `tool_result`: the call, finished. Of a `note`: the line, with `code`, the kind of its event, and `data`. */
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

/** Answers how to take it away again, which never throws. */
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

/** The client, with listeners that cannot hurt others and end with the panel. */
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
