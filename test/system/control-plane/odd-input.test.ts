// Whatever stands in an address or a body, it is the sender's fault, on every route that the control plane has; made from the routes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { readRoutes, sendTo, type PlaneRoute } from './plane-routes.ts';

let plane: Plane;
let routes: readonly PlaneRoute[];
let owner: AddedMember;

/** What would end the session that the others need. */
const ending = /\/(sign-out|leave)$|^\/api\/account\/sessions$|^\/api\/license\/revoke$/;

beforeAll(async () => {
  plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '100000', HUB_SIGN_UP: 'open' } });
  routes = readRoutes(plane.kernel.resolve('http').openapi()).filter(({ pattern }) => !ending.test(pattern));
  owner = await addMember(plane, { email: 'owner@odd.example', role: 'owner', org: 'Odd' });
}, 60_000);
afterAll(() => plane.close());

test.each(['\0', '1e30', '99999999999999999999', '0000-01-01T00:00:00Z', '2026-99-99T99:99:99Z'])(
  '%j in an address',
  async (odd) => {
    const { cookie } = owner;
    for (const route of routes) {
      for (const { name } of route.parameters) {
        const { status } = await sendTo(plane, route, { cookie }, (asked) => (asked === name ? odd : undefined));
        expect({ route: `${route.method} ${route.pattern}`, name, isFault: status === 500 }).toMatchObject({ isFault: false });
      }
    }
  },
  60_000,
);

test.each(['\0', 'half \ud800', '\u202e\u2028'])(
  '%j in a body',
  async (odd) => {
    const { cookie, token } = owner;
    for (const route of routes) {
      if (route.body === undefined) continue;
      // An address cannot hold half of a character.
      const needed = new Set(route.parameters.filter(({ required }) => required).map(({ name }) => name));
      for (const who of [{ cookie }, { token }]) {
        const { status } = await sendTo(plane, route, { ...who, text: odd }, (name) => (needed.has(name) ? 'some' : undefined));
        expect({ route: `${route.method} ${route.pattern}`, isFault: status === 500 }).toMatchObject({ isFault: false });
      }
    }
  },
  60_000,
);
