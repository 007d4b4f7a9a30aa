// Serves the route that the CLI calls to show the window.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { DesktopWindow } from 'agent-harness/builtins/desktop/desktop-window';
import type { MakeError } from './desktop-window.ts';
import { screenOf, screenVariables } from './screen.ts';

export interface AskedWindow {
  readonly chatId?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export const windowPath = '/api/desktop/window';

const text = Type.String({ maxLength: 4_096 });
const asking = {
  body: Type.Object(
    {
      chatId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$', description: 'Id of the chat to show; default: the last one.' })),
      environment: Type.Optional(
        // `Type.Partial` is not used, because it accepts additional fields.
        Type.Object(Object.fromEntries(screenVariables.map((name) => [name, Type.Optional(text)])), {
          additionalProperties: false,
          description: "Environment variables that locate the caller's screen.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ state: Type.String({ description: 'State of the window: normal, minimized, maximized or fullscreen.' }) }),
};

export function windowRoute(window: DesktopWindow, makeError: MakeError): Route<typeof asking> {
  return {
    key: 'POST /api/desktop/window',
    summary: "Opens the window of the desktop app, or brings the open one to the front. Only for the user at the server's computer.",
    tag: 'desktop',
    schema: asking,
    waitsForReady: true,
    async handle({ body, isLocal }) {
      if (!isLocal) throw makeError('NOT_LOCAL');
      const { environment = {}, ...rest } = body as AskedWindow;
      const opened = await window.open({ ...rest, environment: screenOf(environment) });
      return { state: await opened.state() };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/desktop/window': typeof asking;
  }
}
