// The routes that plugins contribute, and the check that no two are the same.
import type { PointHandler } from 'agent-harness/kernel';
import type { Method, Route } from 'agent-harness/plugins/http';

export interface OwnedRoute {
  readonly owner: string;
  readonly method: Method;
  /** `/api/chats/:id` */
  readonly pattern: string;
  readonly route: Route;
}

export interface RouteTable {
  readonly handler: PointHandler<Route>;
  all(): readonly OwnedRoute[];
  has(key: Route['key']): boolean;
  /** Runs `listener` after each change; one listener. */
  onChange(listener: (() => void) | undefined): void;
}

const keyPattern = /^(GET|POST|PUT|PATCH|DELETE) (\/(?:(?::\w+|[\w.~-]+)\/)*(?::\w+|[\w.~-]+|\*)?)$/;

export function createRouteTable(): RouteTable {
  /** By key, with parameters' names taken out, because two routes that differ in these alone are the same. */
  const routes = new Map<string, OwnedRoute>();
  let changed: (() => void) | undefined;

  return {
    handler: {
      validate(route, owner) {
        const parsed = parseKey(route.key);
        if (!parsed) return `'${String(route.key)}' is no route key; write it like 'GET /api/things/:id'.`;
        if (typeof route.handle !== 'function') return `the route '${route.key}' needs a function handle.`;
        if (typeof route.schema !== 'object') return `the route '${route.key}' needs a schema; {} takes nothing.`;
        if (parsed.method === 'GET' && route.schema.body) return `'${route.key}' cannot have a body.`;
        const first = routes.get(identityOf(route.key));
        if (!first) return undefined;
        return `the route '${route.key}' of '${owner}' is already there as '${first.route.key}' of '${first.owner}'; rename one of them.`;
      },
      added(route, owner) {
        const parsed = parseKey(route.key);
        if (parsed) routes.set(identityOf(route.key), { owner, route, ...parsed });
        changed?.();
      },
      removed(route) {
        const identity = identityOf(route.key);
        if (routes.get(identity)?.route === route) routes.delete(identity);
        changed?.();
      },
    },
    all: () => [...routes.values()],
    has: (key) => routes.has(identityOf(key)),
    onChange(listener) {
      changed = listener;
    },
  };
}

function parseKey(key: string): Pick<OwnedRoute, 'method' | 'pattern'> | undefined {
  const match = keyPattern.exec(key);
  return match?.[1] && match[2] ? { method: match[1] as Method, pattern: match[2] } : undefined;
}

function identityOf(key: string): string {
  return key.replace(/:\w+/g, ':');
}
