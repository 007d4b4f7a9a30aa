// The contract of the desktop app's window: a browser of this machine that shows the page and nothing else.
import type { Bail } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';

/** A separate session of the browser's protocol (CDP) with the page: domains enabled in it stay disabled in other sessions. */
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
  /** Of the content, in CSS pixels; `scale` is the number of screen pixels per CSS pixel in each direction. */
  geometry(): Promise<{ readonly width: number; readonly height: number; readonly scale: number }>;
  state(): Promise<WindowState>;
  /** Shows a minimised window, and brings it to the front. */
  restore(): Promise<void>;
  /** Aborted when the window is gone, however it was closed. */
  readonly closed: AbortSignal;
}

export interface WindowOptions {
  /** The chat that it shows; the last shown one when left out. */
  readonly chatId?: string;
  /** Variables that locate the screen (`DISPLAY`, `WAYLAND_DISPLAY`, …) which this process was not started with. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** There is at most one window per home folder. */
export interface DesktopWindow {
  current(): OpenWindow | undefined;
  /** Opens it, or brings the open one to the front. The server has to be listening. Rejects with what the user can do about it. */
  open(options?: WindowOptions): Promise<OpenWindow>;
  /** Whether a request came from the page in the window. */
  isPage(principal: Principal): boolean;
  /** Called with each window that opens, the present one at once. Returns a function that stops it. */
  watch(listener: (window: OpenWindow) => void): () => void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    desktopWindow: DesktopWindow;
  }
  interface Hooks {
    /**
     * Before an external address that the page requested is opened in the user's own browser. Returning a refusal prevents it, with the reason as the
     * end of a sentence for the user.
     */
    'window.outside': Bail<[{ readonly url: string }], { readonly refuse: string }>;
  }
}
