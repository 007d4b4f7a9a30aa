// The paths at which plugins take WebSockets, and the one for which a request asks.
import type { IncomingMessage } from 'node:http';
import type { PointHandler } from 'agent-harness/kernel';
import type { WebSocketRoute } from 'agent-harness/plugins/http';

export interface SocketTable {
  readonly handler: PointHandler<WebSocketRoute>;
  /** `undefined` for every other request. */
  find(request: IncomingMessage): WebSocketRoute | undefined;
  /** Runs `listener` for each that goes away; one listener. */
  onRemoved(listener: ((route: WebSocketRoute) => void) | undefined): void;
}

const pathGrammar = /^\/[\w.~/-]+$/;

export function createSocketTable(): SocketTable {
  const routes = new Map<string, { readonly route: WebSocketRoute; readonly owner: string }>();
  let removed: ((route: WebSocketRoute) => void) | undefined;
  return {
    handler: {
      validate({ path }, owner) {
        if (!pathGrammar.test(path)) return `'${path}' is no path of a WebSocket; write it like '/api/things'.`;
        const first = routes.get(path);
        return first && `the WebSocket at '${path}' of '${owner}' is already there, of '${first.owner}'; rename one of them.`;
      },
      added: (route, owner) => void routes.set(route.path, { route, owner }),
      removed(route) {
        routes.delete(route.path);
        removed?.(route);
      },
    },
    find({ method, headers, url = '' }) {
      if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
      return routes.get(url.split('?', 1)[0] ?? '')?.route;
    },
    onRemoved(listener) {
      removed = listener;
    },
  };
}
