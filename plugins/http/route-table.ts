// Collects the routes and WebSocket paths of plugins, and rejects duplicates.
import type { IncomingMessage } from 'node:http';
import type { PointHandler } from 'agent-harness/kernel';
import type { Method, Route, WebSocketRoute } from 'agent-harness/plugins/http';

export interface OwnedRoute {
  readonly owner: string;
  readonly method: Method;
  /** Path with parameters: `/api/chats/:id`. */
  readonly pattern: string;
  readonly route: Route;
}

export interface RouteTable {
  readonly handler: PointHandler<Route>;
  all(): readonly OwnedRoute[];
  has(key: Route['key']): boolean;
  /** Returns a route by key or command. */
  find(command: string): Route | undefined;
  /** Sets the only listener, which runs after each change. */
  onChange(listener: (() => void) | undefined): void;
}

const keyPattern = /^(GET|POST|PUT|PATCH|DELETE) (\/(?:(?::\w+|[\w.~-]+)\/)*(?::\w+|[\w.~-]+|\*)?)$/;

export function createRouteTable(): RouteTable {
  /** Routes by their key without parameter names, because routes that differ only in these names are duplicates. */
  const routes = new Map<string, OwnedRoute>();
  let changed: (() => void) | undefined;
  let named: ReadonlyMap<string, Route> | undefined;

  /** A declared command takes precedence over a derived one. */
  function names(): ReadonlyMap<string, Route> {
    const all = [...routes.values()].map(({ route }) => route).sort((left, right) => Number(left.command !== undefined) - Number(right.command !== undefined));
    return new Map([...all.map((route) => [commandOf(route), route] as const), ...all.map((route) => [route.key, route] as const)]);
  }

  return {
    handler: {
      validate(route, owner) {
        const parsed = parseKey(route.key);
        if (!parsed) return `'${String(route.key)}' is not a valid route key; use the form 'GET /api/things/:id'.`;
        if (typeof route.handle !== 'function') return `the route '${route.key}' needs a function handle.`;
        if (typeof route.schema !== 'object') return `the route '${route.key}' needs a schema; {} takes nothing.`;
        if (parsed.method === 'GET' && route.schema.body) return `'${route.key}' cannot have a body.`;
        const first = routes.get(identityOf(route.key));
        if (!first) return faultOfCommand(route, owner, routes.values());
        return `the route '${route.key}' of '${owner}' conflicts with '${first.route.key}' of '${first.owner}'; rename one of them.`;
      },
      added(route, owner) {
        const parsed = parseKey(route.key);
        if (parsed) routes.set(identityOf(route.key), { owner, route, ...parsed });
        named = undefined;
        changed?.();
      },
      removed(route) {
        const identity = identityOf(route.key);
        if (routes.get(identity)?.route === route) routes.delete(identity);
        named = undefined;
        changed?.();
      },
    },
    all: () => [...routes.values()],
    has: (key) => routes.has(identityOf(key)),
    find: (command) => (named ??= names()).get(command),
    onChange(listener) {
      changed = listener;
    },
  };
}

/** Returns the command of a route; see {@link Route.command}. */
export function commandOf({ key, command }: Pick<Route, 'key' | 'command'>): string {
  if (command !== undefined) return command;
  const [method = '', path = ''] = key.split(' ');
  const words = path.replace(/^\/api(?=\/)/, '').match(/[A-Za-z0-9]+/g) ?? ['root'];
  return [...words, ...(method === 'GET' ? [] : [method.toLowerCase()])]
    .map((word) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join('_');
}

function faultOfCommand({ key, command }: Route, owner: string, others: Iterable<OwnedRoute>): string | undefined {
  if (command === undefined) return undefined;
  if (!/^[a-z][a-z0-9_]*$/.test(command)) return `the command '${command}' of '${key}' is invalid; use the form 'send_message'.`;
  const first = [...others].find((one) => one.route.command === command);
  return first && `the command '${command}' of '${owner}' conflicts with the same command of '${first.route.key}' of '${first.owner}'; rename one of them.`;
}

function parseKey(key: string): Pick<OwnedRoute, 'method' | 'pattern'> | undefined {
  const match = keyPattern.exec(key);
  return match?.[1] && match[2] ? { method: match[1] as Method, pattern: match[2] } : undefined;
}

function identityOf(key: string): string {
  return key.replace(/:\w+/g, ':');
}

export interface SocketTable {
  readonly handler: PointHandler<WebSocketRoute>;
  /** Returns the route of an upgrade request; `undefined` for any other request. */
  find(request: IncomingMessage): WebSocketRoute | undefined;
  /** Sets the only listener, which runs for each removed route. */
  onRemoved(listener: ((route: WebSocketRoute) => void) | undefined): void;
}

const pathGrammar = /^\/[\w.~/-]+$/;

export function createSocketTable(): SocketTable {
  const routes = new Map<string, { readonly route: WebSocketRoute; readonly owner: string }>();
  let removed: ((route: WebSocketRoute) => void) | undefined;
  return {
    handler: {
      validate({ path }, owner) {
        if (!pathGrammar.test(path)) return `'${path}' is not a valid WebSocket path; use the form '/api/things'.`;
        const first = routes.get(path);
        return first && `the WebSocket path '${path}' of '${owner}' is already used by '${first.owner}'; rename one of them.`;
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
