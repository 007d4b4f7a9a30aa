// The window of the desktop app: a browser of this machine that shows the page and nothing else.
import type { Bail } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';

/** A session of the browser's protocol (CDP) with the page, of one's own: what is switched on in it is switched on for nobody else. */
export interface CdpSession {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the protocol has a shape for each method
  send(method: string, params?: object): Promise<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- and for each event
  on(event: string, listener: (payload: any) => void): void;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the same
  off(event: string, listener: (payload: any) => void): void;
  detach(): Promise<void>;
}

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen';

export interface OpenWindow {
  session(): Promise<CdpSession>;
  /** Of the content, in CSS pixels; `scale` is how many pixels of the screen one of them has on each side. */
  geometry(): Promise<{ readonly width: number; readonly height: number; readonly scale: number }>;
  state(): Promise<WindowState>;
  /** Shows a window that was minimised, and brings it to the front. */
  restore(): Promise<void>;
  /** Aborted when the window is gone, whoever closed it and however it ended. */
  readonly closed: AbortSignal;
}

export interface WindowOptions {
  /** The chat that it shows; the one that was shown last when left out. */
  readonly chatId?: string;
  /** What says where the screen is (`DISPLAY`, `WAYLAND_DISPLAY`, …) and this process was not started with. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** There is at most one window for a home folder. */
export interface DesktopWindow {
  current(): OpenWindow | undefined;
  /** Opens it, or brings the one that is open to the front. The server has to be listening. Rejects with what a person can do about it. */
  open(options?: WindowOptions): Promise<OpenWindow>;
  /** Whether a request came from the page in the window. */
  isPage(principal: Principal): boolean;
  /** Called with each window that opens, the present one at once. Answers how to stop. */
  watch(listener: (window: OpenWindow) => void): () => void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    desktopWindow: DesktopWindow;
  }
  interface Hooks {
    /**
     * Before an address of others that the page asked for is opened in the person's own browser. Who answers keeps it from opening, with the end of a
     * sentence for the person: why.
     */
    'window.outside': Bail<[{ readonly url: string }], { readonly refuse: string }>;
  }
}
